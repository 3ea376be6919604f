import { setTimeout as delay } from "node:timers/promises";
import { expect, it } from "vitest";
import { startDeadline } from "../../src/languages/deadline.ts";

it("counts work, not the time that a busy machine gives to others", async () => {
  const isOver = startDeadline(500);
  await delay(600);
  expect(isOver()).toBe(false);
  // Ends because this is work.
  while (!isOver());
  expect(isOver()).toBe(true);
});
