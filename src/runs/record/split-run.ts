import type { LogSource } from "../../logs/log-source.ts";
import type { CommandPlan } from "../plan/plan.ts";
import { type ActiveRun, type Executor, type RunOrder, startRun } from "./active-run.ts";
import { mergedEnd, mergedFindings } from "./merge-parts.ts";
import type { RunEnding, RunStore, StoredRun } from "./store.ts";

interface SplitRun {
  readonly order: RunOrder;
  readonly plans: readonly CommandPlan[];
  readonly store: RunStore;
  /** Starts a part as a run of its own. */
  readonly startPart: (plan: CommandPlan) => Promise<ActiveRun>;
  readonly find: (id: string) => Promise<StoredRun>;
  readonly openLog: (id: string) => Promise<LogSource>;
}

/**
 * Runs a command in parts that run at the same time, each as a run of its own. The log of the whole has those of the
 * parts one after the other, and its result is what they found together.
 */
export async function startSplitRun(split: SplitRun): Promise<ActiveRun> {
  const { store, order } = split;
  const ended: StoredRun[] = [];
  const merged = {
    logBase: store.logBase.bind(store),
    stopAsked: store.stopAsked.bind(store),
    finish: (id: string, ending: RunEnding) => {
      const findings = ending.findings && mergedFindings(ending.findings, ended);
      return store.finish(id, { ...ending, ...(findings && { findings }) });
    },
  };
  return startRun(order, { store: merged, execute: partsExecutor(split, ended) });
}

/** Executes all parts; `ended` receives their records in the order of the parts. */
function partsExecutor({ plans, startPart, find, openLog }: SplitRun, ended: StoredRun[]): Executor {
  return async (_command, { onOutput, signal }) => {
    const active: ActiveRun[] = [];
    const stop = (): void => active.forEach((part) => part.stop());
    signal?.addEventListener("abort", stop, { once: true });
    let written = Promise.resolve();
    const append = async (part: ActiveRun, at: number): Promise<void> => {
      const { id } = part.run;
      await onOutput("stdout", Buffer.from(`--- part ${at + 1} of ${plans.length}, run ${id}\n`));
      const log = await openLog(id);
      try {
        for await (const { stream, bytes } of log.bytes("both", 1)) await onOutput(stream, bytes);
      } finally {
        await log.close();
      }
    };
    try {
      for (const plan of plans) if (signal?.aborted !== true) active.push(await startPart(plan));
      if (signal?.aborted === true) stop();
      await Promise.all(
        active.map(async (part, at) => {
          await Promise.allSettled([part.done]);
          written = written.then(() => append(part, at));
          await written;
        }),
      );
    } catch (error) {
      stop();
      throw error;
    } finally {
      signal?.removeEventListener("abort", stop);
    }
    for (const part of active) ended.push(await find(part.run.id));
    if (signal?.aborted === true) return { cause: "cancelled" };
    return mergedEnd(ended);
  };
}
