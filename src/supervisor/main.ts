import { execute } from "../exec/execute.ts";
import { startRun } from "../runs/active-run.ts";
import { ownIdentity } from "../runs/recovery.ts";
import type { SupervisedOrder } from "../runs/supervised-run.ts";
import { openRunStore } from "../storage/sqlite/run-store.ts";

/**
 * A process that carries out one run and ends. It reads its order from stdin, which only a server of ours writes, and
 * leaves everything else in the run store. SIGTERM stops the run.
 */
const chunks: Buffer[] = [];
for await (const chunk of process.stdin) chunks.push(chunk as Buffer);
const order = JSON.parse(Buffer.concat(chunks).toString("utf8")) as SupervisedOrder;
let stop = (): void => process.exit(0);
for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"] as const) process.on(signal, () => stop());

const store = await openRunStore(order.folder);
await store.adopt(order.run.id, await ownIdentity());
const active = await startRun(order, { store, execute });
stop = () => active.stop();
await active.done;
store.close();
// Pipes that background children still hold must not keep this process.
process.exit(0);
