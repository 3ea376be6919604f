import { describe, expect, it } from "vitest";
import { createPruner } from "../../src/prune/create.ts";
import { createHttpPruner } from "../../src/prune/http/client.ts";
import { PrunerPaused } from "../../src/prune/http/failure.ts";
import { json, startPrunerService } from "../support/pruner-service.ts";

const QUESTION = "Where is the value computed?";
const LINES = Array.from(
  { length: 200 },
  (_, i) => `[${i}] the value of step ${i} is computed from the last one`,
);

describe("a pruning service that misbehaves", () => {
  it("is cut off when its response exceeds the size limit", async () => {
    const service = await startPrunerService((_b, response) => {
      const part = Buffer.alloc(1_000_000, " ");
      const more = (): void => {
        while (!response.destroyed) if (!response.write(part)) return void response.once("drain", more);
      };
      more();
    });
    const pruner = createHttpPruner({ endpoint: service.url, threshold: 0.5, timeoutMs: 50_000 });
    await expect(pruner.prune(LINES, QUESTION)).rejects.toMatchObject({ kind: "invalid_response" });
  });

  it("is not called if the caller cancels while waiting, which does not count as a failure", async () => {
    const service = await startPrunerService(() => undefined);
    const pruner = createHttpPruner({ endpoint: service.url, threshold: 0.5, timeoutMs: 30_000 });
    const stop = new AbortController();
    const calls = Array.from({ length: 4 }, () => pruner.prune(LINES, QUESTION, stop.signal));
    await expect.poll(() => service.calls(), { timeout: 20_000 }).toBe(2);
    stop.abort();
    for (const end of await Promise.allSettled(calls)) expect(end.status).toBe("rejected");
    expect(service.calls()).toBe(2);
    expect(pruner.isPaused()).toBe(false);
  });

  it("is no longer called after three consecutive failures", async () => {
    const service = await startPrunerService((_b, response) => void response.writeHead(500).end());
    const pruner = createHttpPruner({ endpoint: service.url, threshold: 0.5, timeoutMs: 30_000 });
    for (let i = 0; i < 3; i++) {
      expect(pruner.isPaused()).toBe(false);
      await expect(pruner.prune(LINES, QUESTION)).rejects.toMatchObject({ kind: "http_error" });
    }
    expect(pruner.isPaused()).toBe(true);
    await expect(pruner.prune(LINES, QUESTION)).rejects.toBeInstanceOf(PrunerPaused);
    expect(service.calls()).toBe(3);
  });
});

it("keeps the errors and the last lines of a failing command, whatever the service selects", async () => {
  const service = await startPrunerService(json({ kept_frags: [10, 11] }));
  const pruner = createPruner({
    provider: "http",
    keep: 0.35,
    maxInputBytes: 1_000_000,
    http: { endpoint: service.url, threshold: 0.5, timeoutMs: 20_000 },
  });
  const lines = [...LINES, "src/cart.ts:4:1: error: no such name", ...LINES, "the very end"];
  const { kept = [] } = await pruner.prune({ lines, question: QUESTION, kind: "log", failed: true });
  const has = (line: number): boolean => kept.some(([start, end]) => start <= line && line <= end);
  expect([10, 11, LINES.length + 1, lines.length].filter(has)).toHaveLength(4);
});
