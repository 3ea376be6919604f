import { describe, expect, it } from "vitest";
import { createPruner } from "../../src/prune/create.ts";
import { createBreaker } from "../../src/prune/http/breaker.ts";
import { createHttpPruner } from "../../src/prune/http/client.ts";
import { createSeats } from "../../src/prune/http/seats.ts";
import { json, startPrunerService } from "../support/pruner-service.ts";

const QUESTION = "Where is the value computed?";
const LINES = Array.from(
  { length: 200 },
  (_, i) => `[${i}] the value of step ${i} is computed from the last one`,
);

describe("a service that misbehaves", () => {
  it("is not listened to beyond the size that its answers have", async () => {
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

  it("costs a call its timeout, not also that of the calls before it", async () => {
    const seats = createSeats(1);
    const first = new AbortController();
    const never = (): Promise<never> =>
      new Promise((_, reject) => first.signal.addEventListener("abort", () => reject(new Error("ended"))));
    const sitting = seats.sit(never, first.signal);
    await expect(seats.sit(never, AbortSignal.timeout(20))).rejects.toThrow(/timeout/);
    const next = seats.sit(() => Promise.resolve("seated"), new AbortController().signal);
    first.abort();
    await expect(sitting).rejects.toThrow("ended");
    await expect(next).resolves.toBe("seated");
  });

  it("is not called for whoever cancels while waiting", async () => {
    const service = await startPrunerService(() => undefined);
    const pruner = createHttpPruner({ endpoint: service.url, threshold: 0.5, timeoutMs: 30_000 });
    const stop = new AbortController();
    const calls = Array.from({ length: 4 }, () => pruner.prune(LINES, QUESTION, stop.signal));
    await expect.poll(() => service.calls(), { timeout: 20_000 }).toBe(2);
    stop.abort();
    for (const end of await Promise.allSettled(calls)) expect(end.status).toBe("rejected");
    expect(service.calls()).toBe(2);
  });
});

describe("the breaker", () => {
  const fail = (): Promise<never> => Promise.reject(new Error("no"));

  it("does not hold cancelled calls against the service", async () => {
    const breaker = createBreaker();
    for (let i = 0; i < 5; i++) await expect(breaker.run(fail, AbortSignal.abort())).rejects.toThrow("no");
    await expect(breaker.run(() => Promise.resolve("fine"))).resolves.toBe("fine");
  });

  it("lets one call try again after a pause, and all after it succeeds", async () => {
    let now = 0;
    const breaker = createBreaker(() => now);
    for (let i = 0; i < 3; i++) await expect(breaker.run(fail)).rejects.toThrow("no");
    await expect(breaker.run(fail)).rejects.toThrow("not called");
    now = 60_000;
    const slow = breaker.run(() => new Promise((resolve) => setTimeout(resolve, 10, "up")));
    await expect(breaker.run(fail)).rejects.toThrow("not called");
    await expect(slow).resolves.toBe("up");
    await expect(breaker.run(fail)).rejects.toThrow("no");
  });
});

it("a failing command keeps its errors and its end, whatever a service chooses", async () => {
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
