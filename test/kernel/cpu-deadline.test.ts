import { setTimeout as delay } from "node:timers/promises";
import { expect, it } from "vitest";
import { startCpuDeadline } from "../../src/kernel/cpu-deadline.ts";

it("a CPU deadline counts only processor time of this process", async () => {
  const isOver = startCpuDeadline(500);
  await delay(600);
  expect(isOver()).toBe(false);
  // This loop uses processor time, so the deadline expires.
  while (!isOver());
  expect(isOver()).toBe(true);
});
