import { setImmediate as nextTurn } from "node:timers/promises";
import { expect, it, onTestFinished } from "vitest";
import { startDeadline } from "../../src/languages/deadline.ts";
import { createWorkerPool } from "../../src/languages/worker-pool.ts";

const PATIENCE_MS = 100;

interface Ask {
  readonly answer: string;
  readonly given: Int32Array;
  readonly ends?: boolean;
}

function oneWorker() {
  const pool = createWorkerPool<Ask, string>({
    script: "../test/support/answering-worker.mjs",
    size: 1,
    patienceMs: PATIENCE_MS,
    weigh: () => 1,
  });
  onTestFinished(() => pool.close());
  return pool;
}

function ask(answer: string): Ask {
  return { answer, given: new Int32Array(new SharedArrayBuffer(4)) };
}

it("gives every ask its own answer, also when this thread was away for longer than its patience", async () => {
  const { ask: put } = oneWorker();
  expect(await put(ask("first"))).toBe("first");
  // At the end of a turn: the next one begins with the timers, and only then come messages.
  await nextTurn();
  const second = ask("second");
  const answers = Promise.all([put(second), put(ask("third")), put(ask("fourth"))]);
  const isOver = startDeadline(PATIENCE_MS * 2);
  // The answer has come and the patience has ended before this thread can see either.
  while (Atomics.load(second.given, 0) === 0 || !isOver());
  expect(await answers).toEqual(["second", "third", "fourth"]);
});

it("starts another worker for one that ended while it had nothing to do", async () => {
  const { ask: put } = oneWorker();
  const last = { ...ask("last"), ends: true };
  expect(await put(last)).toBe("last");
  while (Atomics.load(last.given, 0) === 0) await nextTurn();
  for (let turn = 0; turn < 100; turn++) await nextTurn();
  expect(await put(ask("next"))).toBe("next");
});
