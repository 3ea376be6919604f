import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { createIdleGc } from "../../../src/index/live/idle-gc.ts";

const MB = 1024 * 1024;
let collected = 0;
let held = 0;

function idleGc(): ReturnType<typeof createIdleGc> {
  collected = 0;
  held = 300 * MB;
  return createIdleGc({
    collect: () => {
      collected++;
      held = Math.min(held, 200 * MB);
    },
    heldBytes: () => held,
  });
}

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

it("collects garbage once requests stop, and then not again", () => {
  const { schedule: request } = idleGc();
  for (let n = 0; n < 10; n++) {
    request();
    vi.advanceTimersByTime(1_000);
  }
  expect(collected).toBe(0);
  vi.advanceTimersByTime(60_000);
  expect(collected).toBe(2);
});

it("collects again only after requests that used much memory", () => {
  const { schedule: request } = idleGc();
  request();
  vi.advanceTimersByTime(60_000);
  held += 10 * MB;
  request();
  vi.advanceTimersByTime(60_000);
  expect(collected).toBe(2);
  held += 100 * MB;
  request();
  vi.advanceTimersByTime(60_000);
  expect(collected).toBe(4);
});

it("collects nothing after it was stopped", () => {
  const { schedule, stop } = idleGc();
  schedule();
  stop();
  vi.advanceTimersByTime(60_000);
  expect(collected).toBe(0);
});
