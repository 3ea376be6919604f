import { existsSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { execute } from "../exec/execute.ts";
import { notStarted, type RunOrder, startRun } from "../runs/record/active-run.ts";
import { preloadRun } from "../runs/preload.ts";
import { UnsavedResults } from "../runs/record/unsaved-results.ts";
import { writeEndingFile } from "../runs/record/ending-file.ts";
import { ownIdentity } from "../runs/record/recovery.ts";
import { writeEnding } from "../runs/record/supervised-run.ts";
import { loadDriver } from "../storage/sqlite/driver.ts";
import { openRunStore } from "../storage/sqlite/run-store.ts";

/** For how long, and at what interval, saving the result is retried while the disk refuses it. */
const SAVE_TIMEOUT_MS = 10 * 60_000;
const RETRY_MS = 1_000;

/**
 * The supervisor process executes one run and exits. It is started in the folder of the run database and reads what to
 * run from stdin, to which only Pith's server writes. Everything goes into the database; the result is also sent to the
 * server, in case the database refuses it. SIGTERM stops the run.
 */
const folder = process.cwd();
const owner = await ownIdentity();
// This process is started before it is needed, so it loads what a run needs while it waits for its input.
void Promise.allSettled([loadDriver(), preloadRun()]);

const chunks: Buffer[] = [];
for await (const chunk of process.stdin) chunks.push(chunk as Buffer);
// If no input comes, the server has exited or does not need this process.
if (chunks.length === 0) process.exit(0);
const order = JSON.parse(Buffer.concat(chunks).toString("utf8")) as RunOrder;
let stop = (): void => process.exit(0);
for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"] as const) process.on(signal, () => stop());
// Errors of stdout are ignored, because the server may have exited before the result is written to it.
process.stdout.on("error", () => undefined);

try {
  await executeRun();
} catch (error) {
  process.stdout.write(writeEnding(notStarted(order.run, error)));
}
// The process exits explicitly, because pipes that background children still hold open would keep it running.
process.exit(0);

async function executeRun(): Promise<void> {
  // The database is opened only now, so that a supervisor that was never used touches nothing.
  const store = new UnsavedResults(await openRunStore(folder));
  await store.adopt(order.run, owner);
  const active = await startRun(order, { store, execute });
  stop = () => active.stop();
  process.stdout.write(writeEnding(await active.done));
  stop = () => process.exit(0);
  await saveResult(store);
  await store.close();
}

/**
 * Saves a result that the database refuses next to the log, where the next reader of the run finds it. While the disk
 * is too full even for that, both are tried again: this process stays alive, because its end would mark the run as
 * killed.
 */
async function saveResult(store: UnsavedResults): Promise<void> {
  const deadline = Date.now() + SAVE_TIMEOUT_MS;
  for (;;) {
    const left = store.unsaved(order.run.id);
    if (left === undefined || Date.now() >= deadline || !hasStore()) return;
    if ((await writeEndingFile(store.logBase(order.run), left.ending)) !== "refused") return;
    await delay(RETRY_MS);
    await store.retry();
  }
}

/** Returns whether the database still exists; if its folder was removed meanwhile, there is nothing to save into. */
function hasStore(): boolean {
  return existsSync(join(folder, "runs.db"));
}
