import { spawnSync } from "node:child_process";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { describe, expect, it, onTestFinished } from "vitest";
import { ERAS } from "../support/client.ts";
import { makeFolder } from "../support/folder.ts";
import { startHttpServer } from "../support/http-server.ts";

describe.each(ERAS)("a %s client over HTTP", (era) => {
  it("ends a run by cancelling its call", async () => {
    const url = await startHttpServer(makeFolder());
    const mode = era === "modern" ? { pin: "2026-07-28" } : ("legacy" as const);
    const client = new Client({ name: "pith-test", version: "1.0.0" }, { versionNegotiation: { mode } });
    await client.connect(new StreamableHTTPClientTransport(new URL(url)));
    onTestFinished(() => client.close());
    const seconds = `${era === "modern" ? 298 : 297}.${process.pid}`;
    const abort = new AbortController();
    const pending = client.callTool(
      { name: "build", arguments: { action: "exec", tool: `sleep ${seconds}` } },
      { signal: abort.signal },
    );
    pending.catch(() => undefined);
    await expect.poll(() => sleepers(seconds), { timeout: 15_000 }).toBe(1);
    abort.abort();
    await expect(pending).rejects.toThrow();
    await expect.poll(() => sleepers(seconds), { timeout: 15_000 }).toBe(0);
  });
});

function sleepers(seconds: string): number {
  const found = spawnSync("ps", ["-eo", "args"], { encoding: "utf8" }).stdout;
  return found.split("\n").filter((line) => line.trim() === `sleep ${seconds}`).length;
}
