import { connect } from "node:net";
import { networkInterfaces } from "node:os";
import { expect, it } from "vitest";
import { makeFolder } from "../support/folder.ts";
import { startHttpServer } from "../support/http-server.ts";

/** Returns whether a server listens at the address. */
function isOpen(host: string, port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host, port, timeout: 3_000 });
    const end = (open: boolean): void => {
      socket.destroy();
      resolve(open);
    };
    socket
      .on("connect", () => end(true))
      .on("error", () => end(false))
      .on("timeout", () => end(false));
  });
}

it("listens only on the loopback address", async () => {
  const port = Number(new URL(await startHttpServer(makeFolder())).port);
  expect(await isOpen("127.0.0.1", port)).toBe(true);
  const others = Object.values(networkInterfaces())
    .flatMap((addresses) => addresses ?? [])
    .filter(({ internal, address }) => !internal && !address.startsWith("fe80"));
  for (const { address } of others) expect(await isOpen(address, port), address).toBe(false);
});

it("rejects requests from web pages, whatever their host is called", async () => {
  const url = await startHttpServer(makeFolder());
  const { port } = new URL(url);
  const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/list" });
  const post = (headers: Record<string, string>) => statusOf(Number(port), headers, body);
  const json = { "content-type": "application/json", accept: "application/json, text/event-stream" };
  for (const host of [
    "evil.example",
    `evil.example:${port}`,
    "127.0.0.1.evil.example",
    "0.0.0.0",
    "localhost.evil.example",
    "",
  ])
    expect(await post({ ...json, host }), host).toMatch(/^4\d\d$/);
  for (const origin of ["http://evil.example", "null", "https://localhost.evil.example", "file://"])
    expect(await post({ ...json, host: `127.0.0.1:${port}`, origin }), origin).toBe("403");
  // A browser sends such a request from a form or script without a preflight.
  const simple = { host: `127.0.0.1:${port}`, "content-type": "text/plain", accept: "*/*" };
  expect(await post(simple)).toMatch(/^4\d\d$/);
});

/** Sends a raw request, because fetch does not allow a custom Host header. */
function statusOf(port: number, headers: Record<string, string>, body: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, "127.0.0.1");
    const lines = Object.entries({ ...headers, "content-length": String(body.length), connection: "close" });
    socket.write(
      `POST /mcp HTTP/1.1\r\n${lines.map(([name, value]) => `${name}: ${value}\r\n`).join("")}\r\n${body}`,
    );
    let said = "";
    socket.on("data", (chunk: Buffer) => (said += chunk.toString("latin1")));
    socket.on("error", reject).on("close", () => resolve(/^HTTP\/1\.1 (\d{3})/.exec(said)?.[1] ?? said));
  });
}
