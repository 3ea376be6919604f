import type { Readable } from "node:stream";

/** Upper bound on what is read; the tools of clients return less. */
const MAX_BYTES = 64 * 1024 * 1024;

/** Reads a stream to its end. It leaves a socket open, so that an answer can be written to it. */
export function readAll(stream: Readable): Promise<string> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let length = 0;
    stream.on("data", (chunk: Buffer) => {
      length += chunk.length;
      if (length <= MAX_BYTES) chunks.push(chunk);
      else stream.destroy(new Error("the input is too large"));
    });
    stream.on("end", () => resolve(Buffer.concat(chunks).toString("utf8")));
    stream.on("error", reject);
  });
}
