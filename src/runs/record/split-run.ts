import type { LogSource } from "../../logs/log-source.ts";
import { isStoreUnavailable } from "../../kernel/errors.ts";
import { retryUntilAvailable } from "./retry-until-available.ts";
import type { CommandPlan } from "../plan/plan.ts";
import { type ActiveRun, type Executor, type RunOrder, startRun } from "./active-run.ts";
import { mergedEnd, mergedFindings } from "./merge-parts.ts";
import type { RunEnding, RunStore, StoredRun } from "./store.ts";

interface SplitRun {
  readonly order: RunOrder;
  readonly plans: readonly CommandPlan[];
  readonly store: RunStore;
  /** Records a part as a run of its own, and submits it to the pool. Submitting it again changes nothing. */
  readonly addPart: (plan: CommandPlan) => Promise<StoredRun>;
  readonly submitPart: (part: StoredRun, plan: CommandPlan) => Promise<ActiveRun>;
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

/**
 * Executes all parts; `ended` receives their records in the order of the parts. While the database is unavailable the
 * workers go on, so this only waits.
 */
function partsExecutor(
  { plans, addPart, submitPart, find, openLog }: SplitRun,
  ended: StoredRun[],
): Executor {
  return async (_command, { onOutput, signal = new AbortController().signal }) => {
    const active: ActiveRun[] = [];
    const stop = (): void => active.forEach((part) => part.stop());
    signal.addEventListener("abort", stop, { once: true });
    // A run that is being stopped does not wait for the database any longer.
    const patiently = <T>(step: () => Promise<T>): Promise<T> =>
      signal.aborted
        ? step()
        : retryUntilAvailable(step, { signal }).catch((error: unknown) => {
            if (signal.aborted) return step();
            throw error;
          });
    let turn = Promise.resolve();
    const append = async (part: ActiveRun, at: number): Promise<void> => {
      const { id } = part.run;
      await onOutput("stdout", Buffer.from(`--- part ${at + 1} of ${plans.length}, run ${id}\n`));
      let written = 0;
      await patiently(async () => {
        const log = await openLog(id);
        try {
          let seen = 0;
          for await (const { stream, bytes } of log.bytes("both", 1)) {
            const fresh = bytes.subarray(Math.min(bytes.length, Math.max(0, written - seen)));
            seen += bytes.length;
            if (fresh.length > 0) await onOutput(stream, fresh);
            written = Math.max(written, seen);
          }
        } finally {
          await log.close();
        }
      });
    };
    try {
      for (const plan of plans) {
        if (signal.aborted) break;
        const part = await addPart(plan);
        active.push(await patiently(() => submitPart(part, plan)));
      }
      if (signal.aborted) stop();
      await Promise.all(
        active.map(async (part, at) => {
          await Promise.allSettled([part.done]);
          turn = turn.then(() => append(part, at));
          await turn;
        }),
      );
    } catch (error) {
      stop();
      if (signal.aborted && isStoreUnavailable(error)) return { cause: "cancelled" };
      throw error;
    } finally {
      signal.removeEventListener("abort", stop);
    }
    for (const part of active) ended.push(await patiently(() => find(part.run.id)));
    return signal.aborted ? { cause: "cancelled" } : mergedEnd(ended);
  };
}
