import { setImmediate as nextTurn } from "node:timers/promises";
import { expect, it, onTestFinished } from "vitest";
import { startCpuDeadline } from "../../src/kernel/cpu-deadline.ts";
import { createWorkerPool } from "../../src/kernel/worker-pool.ts";

const TIMEOUT_MS = 100;

interface Message {
  readonly answer: string;
  readonly given: Int32Array;
  readonly ends?: boolean;
}

function oneWorker() {
  const pool = createWorkerPool<Message, string>({
    script: "../test/support/answering-worker.mjs",
    size: 1,
    timeoutMs: TIMEOUT_MS,
    sizeOf: () => 1,
  });
  onTestFinished(() => pool.close());
  return pool;
}

function message(answer: string): Message {
  return { answer, given: new Int32Array(new SharedArrayBuffer(4)) };
}

it("returns the right reply to every request, even if this thread was blocked beyond the timeout", async () => {
  const { request } = oneWorker();
  expect(await request(message("first"))).toBe("first");
  // The next event loop turn runs timers before it delivers messages.
  await nextTurn();
  const second = message("second");
  const answers = Promise.all([request(second), request(message("third")), request(message("fourth"))]);
  const isOver = startCpuDeadline(TIMEOUT_MS * 2);
  // The reply has arrived and the timeout has passed before this thread can notice either.
  while (Atomics.load(second.given, 0) === 0 || !isOver());
  expect(await answers).toEqual(["second", "third", "fourth"]);
});

it("replaces a worker that ended while it was idle", async () => {
  const { request } = oneWorker();
  const last = { ...message("last"), ends: true };
  expect(await request(last)).toBe("last");
  while (Atomics.load(last.given, 0) === 0) await nextTurn();
  for (let turn = 0; turn < 100; turn++) await nextTurn();
  expect(await request(message("next"))).toBe("next");
});
