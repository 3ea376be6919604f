import type { IncomingMessage } from "node:http";
import { isNestedTooDeeply } from "../kernel/json-depth.ts";

/** The largest request body that is accepted. No tool call or job is larger. */
export const MAX_BODY_BYTES = 4 * 1024 * 1024;

/** An error that the server answers with an HTTP status and one sentence. */
export class HttpError extends Error {
  override readonly name = "HttpError";
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

/** Reads the body of a request as JSON. */
export async function readJson(request: IncomingMessage): Promise<unknown> {
  const body = await readBody(request);
  if (body === undefined) throw new HttpError(413, "The request is too large");
  if (isNestedTooDeeply(body)) throw new HttpError(400, "Parse error: the body is nested too deeply");
  try {
    return JSON.parse(body.toString("utf8"));
  } catch {
    throw new HttpError(400, "Parse error: the body is no JSON");
  }
}

/**
 * Reads the body of a request; undefined if it is over the limit. Even then it is read to the end, so that the client
 * receives the answer.
 */
async function readBody(request: IncomingMessage): Promise<Buffer | undefined> {
  const chunks: Buffer[] = [];
  let size = 0;
  await new Promise<void>((resolve, reject) => {
    request.on("data", (chunk: Buffer) => {
      size += chunk.length;
      if (size <= MAX_BODY_BYTES) chunks.push(chunk);
    });
    request.on("end", resolve).on("error", reject).on("aborted", resolve);
  });
  return size <= MAX_BODY_BYTES ? Buffer.concat(chunks) : undefined;
}
