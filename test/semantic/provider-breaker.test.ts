import { describe, expect, it } from "vitest";
import { EmbeddingFailure } from "../../src/semantic/failure.ts";
import { createProviderBreaker } from "../../src/semantic/provider-breaker.ts";

describe("the circuit breaker of an embedding provider", () => {
  it("doubles the wait with each failure, obeys Retry-After and resets after a success", async () => {
    let now = 0;
    const breaker = createProviderBreaker({ firstMs: 100, maxMs: 1_000 }, () => now);
    const fail = async (options: ConstructorParameters<typeof EmbeddingFailure>[2] = {}) => {
      const failure = new EmbeddingFailure("server_error", "broken", options);
      await expect(breaker.run(() => Promise.reject(failure))).rejects.toBe(failure);
      const wait = breaker.waitMs();
      now += wait;
      return wait;
    };
    expect(breaker.waitMs()).toBe(0);
    expect([await fail(), await fail(), await fail()]).toEqual([100, 200, 400]);
    expect([await fail(), await fail()]).toEqual([800, 1_000]);
    expect(await fail({ retryAfterMs: 7_000 })).toBe(7_000);
    expect(breaker.lastFailure()).toMatchObject({ message: "broken" });
    await breaker.run(() => Promise.resolve(1));
    expect([breaker.lastFailure(), await fail()]).toEqual([undefined, 100]);
  });

  it("counts neither rejected texts nor aborted calls as failures", async () => {
    const breaker = createProviderBreaker({ firstMs: 100, maxMs: 1_000 });
    const refused = new EmbeddingFailure("rejected_input", "too long", { blamesInput: true });
    await expect(breaker.run(() => Promise.reject(refused))).rejects.toBe(refused);
    const aborted = AbortSignal.abort();
    await expect(breaker.run(() => Promise.reject(new Error("aborted")), aborted)).rejects.toThrow("aborted");
    expect([breaker.waitMs(), breaker.lastFailure()]).toEqual([0, undefined]);
  });
});
