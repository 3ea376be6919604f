import { describe, expect, it } from "vitest";
import { type CircuitBreakerOptions, createCircuitBreaker } from "../../src/kernel/circuit-breaker.ts";
import { createDeferred } from "../support/deferred.ts";

const fail = (): Promise<never> => Promise.reject(new Error("down"));
const toError = (error: unknown): Error => (error instanceof Error ? error : new Error(String(error)));

function createClockedBreaker(options: Partial<CircuitBreakerOptions<Error>> = {}) {
  const clock = { now: 0 };
  const breaker = createCircuitBreaker({
    failuresToOpen: 3,
    openMs: () => 1_000,
    toFailure: toError,
    now: () => clock.now,
    ...options,
  });
  return { clock, breaker };
}

describe("a circuit breaker", () => {
  it("opens only after the given number of consecutive failures", async () => {
    const { breaker } = createClockedBreaker();
    for (let i = 0; i < 2; i++) await expect(breaker.run(fail)).rejects.toThrow("down");
    await breaker.run(() => Promise.resolve("up"));
    for (let i = 0; i < 2; i++) await expect(breaker.run(fail)).rejects.toThrow("down");
    expect([breaker.isOpen(), breaker.waitMs()]).toEqual([false, 0]);
    await expect(breaker.run(fail)).rejects.toThrow("down");
    expect([breaker.isOpen(), breaker.waitMs()]).toEqual([true, 1_000]);
    expect(breaker.lastFailure()).toMatchObject({ message: "down" });
  });

  it("stays open while one trial call runs, and closes when the trial succeeds", async () => {
    const { breaker, clock } = createClockedBreaker();
    for (let i = 0; i < 3; i++) await expect(breaker.run(fail)).rejects.toThrow("down");
    clock.now = 1_000;
    expect(breaker.isOpen()).toBe(false);
    const trial = createDeferred<string>();
    const running = breaker.run(() => trial.promise);
    expect(breaker.isOpen()).toBe(true);
    trial.resolve("up");
    await expect(running).resolves.toBe("up");
    expect([breaker.isOpen(), breaker.lastFailure()]).toEqual([false, undefined]);
    await expect(breaker.run(fail)).rejects.toThrow("down");
    expect(breaker.isOpen()).toBe(false);
  });

  it("opens again at once when the trial call fails", async () => {
    const { breaker, clock } = createClockedBreaker();
    for (let i = 0; i < 3; i++) await expect(breaker.run(fail)).rejects.toThrow("down");
    clock.now = 1_000;
    await expect(breaker.run(fail)).rejects.toThrow("down");
    expect([breaker.isOpen(), breaker.waitMs()]).toEqual([true, 1_000]);
  });

  it("does not count calls that their caller aborted", async () => {
    const { breaker } = createClockedBreaker();
    for (let i = 0; i < 5; i++) await expect(breaker.run(fail, AbortSignal.abort())).rejects.toThrow("down");
    expect([breaker.isOpen(), breaker.lastFailure()]).toEqual([false, undefined]);
  });

  it("does not count failures that are not the fault of the service", async () => {
    const { breaker } = createClockedBreaker({ failuresToOpen: 1, isServiceFault: () => false });
    await expect(breaker.run(fail)).rejects.toThrow("down");
    expect([breaker.isOpen(), breaker.lastFailure()]).toEqual([false, undefined]);
  });

  it("lets the number of consecutive failures decide how long it stays open", async () => {
    const { breaker, clock } = createClockedBreaker({
      failuresToOpen: 1,
      openMs: (_failure, consecutive) => 100 * consecutive,
    });
    const waits: number[] = [];
    for (let i = 0; i < 3; i++) {
      await expect(breaker.run(fail)).rejects.toThrow("down");
      waits.push(breaker.waitMs());
      clock.now += breaker.waitMs();
    }
    expect(waits).toEqual([100, 200, 300]);
  });
});
