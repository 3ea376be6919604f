import { parentPort } from "node:worker_threads";

// Answers at once, sets a flag in shared memory, and exits afterwards if the message asks for it.
parentPort.on("message", ({ answer, given, ends }) => {
  parentPort.postMessage({ answer, isSpent: false });
  if (ends) process.on("exit", () => Atomics.store(given, 0, 1));
  else Atomics.store(given, 0, 1);
  if (ends) setImmediate(() => process.exit());
});
