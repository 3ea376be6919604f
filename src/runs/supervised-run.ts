import { startDetached } from "../exec/detached-process.ts";
import { LogReader } from "../exec/log-reader.ts";
import type { ActiveRun, RunOrder } from "./active-run.ts";
import { recoverRun } from "./recovery.ts";
import type { RunStore } from "./store.ts";

export interface Supervision {
  /** The script that carries out an order which it reads from its stdin. */
  readonly script: string;
  /** Where the run store lies. */
  readonly folder: string;
}

/** What the script reads. */
export interface SupervisedOrder extends RunOrder {
  readonly folder: string;
}

/**
 * Carries out a run in a process of its own, which goes on when this server ends: clients end their servers without
 * asking, and a build of ten minutes must not die with them.
 */
export function superviseRun(order: RunOrder, store: RunStore, supervision: Supervision): ActiveRun {
  const { run } = order;
  const input: SupervisedOrder = { ...order, folder: supervision.folder };
  const supervisor = startDetached(supervision.script, JSON.stringify(input), supervision.folder);
  let stopped = false;
  const done = supervisor.exited.then(async () => {
    const now = await store.get(run.id);
    // Without an ending it was killed itself, or told to stop before it could begin.
    if (now === undefined || now.end !== undefined) return now;
    if (stopped)
      await store.finish(run.id, { endedAt: Date.now(), end: { cause: "cancelled" }, log: now.log });
    return stopped ? store.get(run.id) : recoverRun(now, store, { ownerIsGone: true });
  });
  done.catch(() => undefined);
  return {
    run,
    outlives: true,
    done,
    stop() {
      stopped = true;
      supervisor.stop();
    },
    async lines() {
      const reader = await LogReader.open(store.logBase(run));
      const totals = await reader?.totals();
      await reader?.close();
      return totals?.lines ?? 0;
    },
  };
}
