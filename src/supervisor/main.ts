import { execute } from "../exec/execute.ts";
import { type RunOrder, startRun } from "../runs/active-run.ts";
import { ownIdentity } from "../runs/recovery.ts";
import { openRunStore } from "../storage/sqlite/run-store.ts";

/**
 * A process that carries out one run and ends. It is started in the folder of the run store and reads its order from
 * stdin, which only a server of ours writes; everything else goes into the store. SIGTERM stops the run.
 */
const folder = process.cwd();
const owner = await ownIdentity();
// Started ahead of time, it has time: all that a run needs is loaded while it waits.
await import("../runs/findings.ts");

const chunks: Buffer[] = [];
for await (const chunk of process.stdin) chunks.push(chunk as Buffer);
// The server that wanted it is gone or has no use for it.
if (chunks.length === 0) process.exit(0);
const order = JSON.parse(Buffer.concat(chunks).toString("utf8")) as RunOrder;
let stop = (): void => process.exit(0);
for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"] as const) process.on(signal, () => stop());

// Not before: one that waits in vain touches nothing.
const store = await openRunStore(folder);
await store.adopt(order.run.id, owner);
const active = await startRun(order, { store, execute });
stop = () => active.stop();
await active.done;
await store.close();
// Pipes that background children still hold must not keep this process.
process.exit(0);
