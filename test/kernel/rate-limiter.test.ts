import { expect, it } from "vitest";
import { createRateLimiter } from "../../src/kernel/rate-limiter.ts";

it("a rate limiter spreads calls evenly and saves up no unused time", () => {
  let now = 0;
  const limiter = createRateLimiter(60, () => now);
  expect([limiter.reserve(), limiter.reserve(), limiter.reserve()]).toEqual([0, 1_000, 2_000]);
  now = 60_000;
  expect([limiter.reserve(), limiter.reserve()]).toEqual([0, 1_000]);
});

it("a rate limiter of 0 calls per minute never waits", () => {
  const limiter = createRateLimiter(0, () => 0);
  expect([limiter.reserve(), limiter.reserve()]).toEqual([0, 0]);
});
