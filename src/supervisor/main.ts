import { existsSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { execute } from "../exec/execute.ts";
import { notStarted, type RunOrder, startRun } from "../runs/record/active-run.ts";
import { EndingKeeper } from "../runs/record/unsaved-results.ts";
import { ownIdentity } from "../runs/record/recovery.ts";
import { writeEnding } from "../runs/record/supervised-run.ts";
import { openRunStore } from "../storage/sqlite/run-store.ts";

/** How long an end that the store does not take is offered to it, and how often. */
const PATIENCE_MS = 10 * 60_000;
const RETRY_MS = 1_000;

/**
 * A process that carries out one run and ends. It is started in the folder of the run store and reads its order from
 * stdin, which only a server of ours writes; everything goes into the store, and how the run ended to that server too:
 * the store may not take it. SIGTERM stops the run.
 */
const folder = process.cwd();
const owner = await ownIdentity();
// Started ahead of time, it has time: all that a run needs is loaded while it waits.
await import("../runs/record/findings.ts");

const chunks: Buffer[] = [];
for await (const chunk of process.stdin) chunks.push(chunk as Buffer);
// The server that wanted it is gone or has no use for it.
if (chunks.length === 0) process.exit(0);
const order = JSON.parse(Buffer.concat(chunks).toString("utf8")) as RunOrder;
let stop = (): void => process.exit(0);
for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"] as const) process.on(signal, () => stop());
// The server may be gone by the time there is something to tell it.
process.stdout.on("error", () => undefined);

try {
  await carryOut();
} catch (error) {
  process.stdout.write(writeEnding(notStarted(order.run, error)));
}
// Pipes that background children still hold must not keep this process.
process.exit(0);

async function carryOut(): Promise<void> {
  // Not before: one that waits in vain touches nothing.
  const store = new EndingKeeper(await openRunStore(folder));
  await store.adopt(order.run, owner);
  const active = await startRun(order, { store, execute });
  stop = () => active.stop();
  process.stdout.write(writeEnding(await active.done));
  stop = () => process.exit(0);
  // As long as this process lives, nobody takes the run for one that was killed.
  const deadline = Date.now() + PATIENCE_MS;
  while (store.unstored(order.run.id) !== undefined && Date.now() < deadline && hasStore()) {
    await delay(RETRY_MS);
    await store.retry();
  }
  await store.close();
}

/** A folder that was removed meanwhile wants no more of it. */
function hasStore(): boolean {
  return existsSync(join(folder, "runs.db"));
}
