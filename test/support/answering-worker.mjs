import { parentPort } from "node:worker_threads";

// Gives an answer at once, says so in the memory that the asker shares with it, and ends afterwards if it is told to.
parentPort.on("message", ({ answer, given, ends }) => {
  parentPort.postMessage({ answer, isSpent: false });
  if (ends) process.on("exit", () => Atomics.store(given, 0, 1));
  else Atomics.store(given, 0, 1);
  if (ends) setImmediate(() => process.exit());
});
