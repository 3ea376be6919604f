import { connect } from "node:net";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Attack } from "../attack.ts";
import { HttpClient } from "../http-client.ts";
import { randomShot } from "../messages.ts";
import { ERAS } from "../peer.ts";
import type { Random } from "../random.ts";

const SHOTS = 40;

/**
 * Checks that every malformed HTTP request is answered or its connection closed, and that the next client is served.
 */
export const protocolHttp: Attack = {
  name: "protocol-http",
  about: "broken bodies, headers, methods, paths and half requests over HTTP",
  async round(trial) {
    const { random } = trial;
    writeFileSync(join(trial.folder, "work", "hello.txt"), "hello\n");
    const peer = await trial.serve({ http: true });
    const port = Number(new URL(peer.url).port);
    await Promise.all(
      Array.from({ length: trial.times(SHOTS) }, async (_, i) => {
        const request = randomRequest(random.fork(String(i)), i, port);
        const answer = await send(port, request.bytes, request.cut);
        if (answer === "silence") trial.found("hang", `no answer over HTTP to ${shown(request.bytes)}`);
        else if (answer !== "" && !/^HTTP\/1\.[01] \d{3}/.test(answer))
          trial.found("bad reply", `no HTTP answer: ${answer.slice(0, 100)}`);
        else if (answer.startsWith("HTTP/1.1 500"))
          trial.found("internal error", `${answer.slice(-300)} to ${shown(request.bytes)}`);
      }),
    );
    trial.tried("requests", trial.times(SHOTS));
    for (const era of ERAS) {
      const client = await HttpClient.open(peer.url, era);
      const reply = await client.call("read", { file_path: "hello.txt" });
      if (reply.text !== "1| hello")
        trial.found("lost", `after the noise (${era}): ${reply.text.slice(0, 300)}`);
      await client.close();
    }
  },
};

function shown(bytes: Buffer): string {
  return JSON.stringify(bytes.subarray(0, 300).toString("latin1"));
}

interface RawRequest {
  readonly bytes: Buffer;
  /** Whether the client disconnects before the request is complete. */
  readonly cut: boolean;
}

function randomRequest(random: Random, id: number, port: number): RawRequest {
  const { bytes: body } = randomShot(random, id, random.pick(ERAS));
  const method = random.pick([
    "POST",
    "POST",
    "POST",
    "POST",
    "GET",
    "DELETE",
    "PUT",
    "OPTIONS",
    "HEAD",
    "BREW",
  ]);
  const path = random.pick([
    "/mcp",
    "/mcp",
    "/mcp",
    "/mcp?x=1",
    "/",
    "/mcp/../x",
    "//mcp",
    "/%2e%2e",
    "*",
    "/jobs",
  ]);
  const length = random.pick([body.length, body.length, body.length, body.length + 10, 0, -1, "x"]);
  const headers = [
    `Host: ${random.pick([`127.0.0.1:${port}`, `127.0.0.1:${port}`, `localhost:${port}`, "evil.example", ""])}`,
    `Content-Type: ${random.pick(["application/json", "application/json", "text/plain", "", "multipart/form-data"])}`,
    `Accept: ${random.pick(["application/json, text/event-stream", "application/json, text/event-stream", "*/*", ""])}`,
    random.chance(0.1) ? "Transfer-Encoding: chunked" : `Content-Length: ${length}`,
    ...(random.chance(0.2) ? [`Mcp-Session-Id: ${random.word()}`] : []),
    ...(random.chance(0.2) ? [`Mcp-Protocol-Version: ${random.pick(["2026-07-28", "1", ""])}`] : []),
    ...(random.chance(0.1)
      ? [`Origin: ${random.pick(["http://evil.example", "null", "http://localhost"])}`]
      : []),
    ...(random.chance(0.1) ? [`X-${random.word()}: ${"a".repeat(random.size(40_000))}`] : []),
    "Connection: close",
  ];
  const whole = Buffer.concat([
    Buffer.from(`${method} ${path} HTTP/1.1\r\n${headers.join("\r\n")}\r\n\r\n`),
    body,
  ]);
  const cut = random.chance(0.3);
  return { bytes: cut ? whole.subarray(0, random.int(1, whole.length)) : whole, cut };
}

/** Returns the whole response: empty if the connection was closed without one, "silence" if nothing happens. */
function send(port: number, bytes: Buffer, cut: boolean): Promise<string> {
  return new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1");
    const chunks: Buffer[] = [];
    const said = (): string => Buffer.concat(chunks).toString("latin1");
    const timer = setTimeout(() => finish(said() === "" ? "silence" : said()), 60_000);
    const finish = (answer: string): void => {
      clearTimeout(timer);
      socket.destroy();
      resolve(answer);
    };
    socket.on("data", (chunk: Buffer) => {
      chunks.push(chunk);
      // An event stream stays open, so its headers count as a response.
      if (said().includes("text/event-stream")) finish(said());
    });
    socket.on("error", () => finish(said())).on("close", () => finish(said()));
    socket.write(bytes, () => {
      if (cut) finish("");
      // A body shorter than announced ends here, as if the client had died.
      else socket.end();
    });
  });
}
