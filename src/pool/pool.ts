import { toPithError } from "../kernel/errors.ts";
import type { Logger } from "../kernel/logger.ts";
import type { RemoteRuns } from "../runs/record/remote.ts";
import { readWorkerFacts } from "./choice/machine-facts.ts";
import { createLazyFallback } from "./local-fallback.ts";
import type { PackStore } from "./packs.ts";
import type { JobQueue } from "./queue.ts";
import { PoolRuns } from "./submit/remote-runs.ts";
import type { PoolSettings } from "./settings.ts";

/** The worker pool as a server uses it. */
export interface Pool {
  readonly queue: JobQueue;
  readonly runs: RemoteRuns;
  close(): Promise<void>;
}

export interface PoolOptions {
  readonly queue: JobQueue;
  readonly packs: PackStore;
  readonly settings: PoolSettings;
  /** The pool's folder inside the data folder. */
  readonly folder: string;
  readonly variables: Readonly<Record<string, string | undefined>>;
  readonly logger: Logger;
}

/**
 * Creates the access to the pool: it submits jobs, and runs them in this process while no worker can take them. Closing
 * it closes the queue.
 */
export function createPool(options: PoolOptions): Pool {
  const { queue, packs, settings, folder, variables } = options;
  const fallback = settings.fallback ? createLazyFallback(options) : undefined;
  const runs = new PoolRuns({
    queue,
    packs,
    submitter: settings.submitter,
    folder,
    variables,
    maxAttempts: settings.maxAttempts,
    labels: settings.requires,
    inferNeeds: settings.inferNeeds,
    priority: settings.priority,
    reuse: settings.reuse,
    ...(settings.fallback && {
      ownMachine: async () => ({
        labels: settings.labels,
        facts: await readWorkerFacts(settings, variables),
      }),
    }),
    prepare: settings.prepare,
    onWaiting: (id) => fallback?.take(id),
    onEnded: (id) => fallback?.forget(id),
    onRan: (id, { worker, token }, isLocalFallback) =>
      options.logger.event(
        "pool.job_ran",
        { run_id: id, worker, attempts: token, local_fallback: isLocalFallback },
        "notice",
      ),
    isOwn: (worker) => fallback?.isOwn(worker) ?? false,
    onClose: async () => fallback?.close(),
    onTrouble: (error) =>
      options.logger.event("pool.look_failed", { message: toPithError(error).message }, "warn"),
  });
  return { queue, runs, close: () => runs.close() };
}
