import { describe, expect, it } from "vitest";
import { EmbeddingFailure } from "../../src/semantic/failure.ts";
import { createGate } from "../../src/semantic/gate.ts";
import { createPace } from "../../src/semantic/pace.ts";

describe("a provider that fails", () => {
  it("is left alone ever longer, as long as it says, and not at all once it answers", async () => {
    let now = 0;
    const gate = createGate({ firstMs: 100, mostMs: 1_000 }, () => now);
    const fail = async (options: ConstructorParameters<typeof EmbeddingFailure>[2] = {}) => {
      const failure = new EmbeddingFailure("server_error", "broken", options);
      await expect(gate.run(() => Promise.reject(failure))).rejects.toBe(failure);
      const wait = gate.waitMs();
      now += wait;
      return wait;
    };
    expect(gate.waitMs()).toBe(0);
    expect([await fail(), await fail(), await fail()]).toEqual([100, 200, 400]);
    expect([await fail(), await fail()]).toEqual([800, 1_000]);
    expect(await fail({ retryAfterMs: 7_000 })).toBe(7_000);
    expect(gate.failure()).toMatchObject({ message: "broken" });
    await gate.run(() => Promise.resolve(1));
    expect([gate.failure(), await fail()]).toEqual([undefined, 100]);
  });

  it("is not to blame for a text, nor for a caller who gave up", async () => {
    const gate = createGate({ firstMs: 100, mostMs: 1_000 });
    const refused = new EmbeddingFailure("rejected_input", "too long", { blamesInput: true });
    await expect(gate.run(() => Promise.reject(refused))).rejects.toBe(refused);
    const aborted = AbortSignal.abort();
    await expect(gate.run(() => Promise.reject(new Error("aborted")), aborted)).rejects.toThrow("aborted");
    expect([gate.waitMs(), gate.failure()]).toEqual([0, undefined]);
  });
});

describe("a limit of calls a minute", () => {
  it("spreads them evenly, and saves none up", () => {
    let now = 0;
    const pace = createPace(60, () => now);
    expect([pace.next(), pace.next(), pace.next()]).toEqual([0, 1_000, 2_000]);
    now = 60_000;
    expect([pace.next(), pace.next()]).toEqual([0, 1_000]);
    const free = createPace(0, () => now);
    expect([free.next(), free.next()]).toEqual([0, 0]);
  });
});
