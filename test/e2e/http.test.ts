import { request } from "node:http";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { describe, expect, it, onTestFinished } from "vitest";
import { call, ERAS } from "../support/client.ts";
import type { Era } from "../support/client.ts";
import { makeFolder } from "../support/folder.ts";
import { startHttpServer } from "../support/http-server.ts";

async function connectHttp(url: string, era: Era, headers: Record<string, string> = {}): Promise<Client> {
  const mode = era === "modern" ? { pin: "2026-07-28" } : ("legacy" as const);
  const client = new Client({ name: "pith-test", version: "1.0.0" }, { versionNegotiation: { mode } });
  await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } }));
  onTestFinished(() => client.close());
  return client;
}

/** Sends a POST with headers that fetch would not allow. */
function post(url: string, headers: Record<string, string>, body: string, path = "/mcp"): Promise<number> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    const sent = request(
      { hostname, port, path, method: "POST", headers: { "Content-Type": "application/json", ...headers } },
      (response) => {
        response.resume().on("end", () => resolve(response.statusCode ?? 0));
      },
    );
    sent.on("error", reject).end(body);
  });
}

const INITIALIZE = JSON.stringify({
  jsonrpc: "2.0",
  id: 1,
  method: "initialize",
  params: { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "t", version: "1" } },
});

describe.each(ERAS)("a %s client over HTTP", (era) => {
  it("lists and calls tools", async () => {
    const url = await startHttpServer(makeFolder({ "a.txt": "one\n" }));
    const client = await connectHttp(url, era);
    expect((await client.listTools()).tools.map((tool) => tool.name)).toContain("read");
    expect(await call(client, "read", { file_path: "a.txt" })).toBe("1| one");
  });

  it("needs the token if one is set", async () => {
    const url = await startHttpServer(makeFolder(), { env: { PITH_SERVER_HTTP_TOKEN: "s3cret" } });
    await expect(connectHttp(url, era)).rejects.toThrow();
    await expect(connectHttp(url, era, { Authorization: "Bearer wrong" })).rejects.toThrow();
    const client = await connectHttp(url, era, { Authorization: "Bearer s3cret" });
    expect((await client.listTools()).tools.length).toBeGreaterThan(0);
  });
});

describe("the HTTP server", () => {
  const accept = { Accept: "application/json, text/event-stream" };

  it("refuses hosts and origins other than localhost", async () => {
    const url = await startHttpServer(makeFolder());
    expect(await post(url, { ...accept, Host: "evil.example" }, INITIALIZE)).toBe(403);
    expect(await post(url, { ...accept, Origin: "http://evil.example" }, INITIALIZE)).toBe(403);
    expect(await post(url, { ...accept, Origin: "http://localhost:3000" }, INITIALIZE)).toBe(200);
  });

  it("answers invalid requests with a status and keeps serving", async () => {
    const url = await startHttpServer(makeFolder());
    expect(await post(url, accept, "not json")).toBe(400);
    expect(await post(url, accept, "")).toBe(400);
    expect(await post(url, accept, INITIALIZE, "/other")).toBe(404);
    expect(await post(url, { ...accept, "Mcp-Session-Id": "no-such-session" }, INITIALIZE)).toBe(404);
    expect(await post(url, accept, `"${"x".repeat(5 * 1024 * 1024)}"`)).toBe(413);
    expect(await post(url, accept, INITIALIZE)).toBe(200);
  });
});
