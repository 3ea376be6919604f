import { toPithError } from "../kernel/errors.ts";
import type { Logger } from "../kernel/logger.ts";
import type { RemoteRuns } from "../runs/record/remote.ts";
import { readWorkerFacts } from "./choice/machine-facts.ts";
import type { PackStore } from "./packs.ts";
import type { JobQueue } from "./queue.ts";
import { PoolRuns } from "./submit/remote-runs.ts";
import type { PoolSettings } from "./settings.ts";
import { type RunningWorker, setUpWorker } from "./start-worker.ts";

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

interface Fallback {
  /** Runs the job locally if no worker can take it. */
  take(id: string): void;
  forget(id: string): void;
  /** Returns whether this process runs its own jobs under the given worker name. */
  isOwn(worker: string): boolean;
  close(): Promise<void>;
}

/** Creates a worker in this process for this server's own jobs; it is started only when the first job waits. */
function createLazyFallback(options: PoolOptions): Fallback {
  const { logger } = options;
  const own = new Set<string>();
  let running: Promise<RunningWorker> | undefined;
  const names = new Set<string>();
  const open = async (): Promise<RunningWorker> => {
    const worker = await setUpWorker({
      ...options,
      only: own,
      onEvent: ({ kind, ...facts }) => logger.event(`pool.fallback_${kind}`, facts),
    });
    names.add(worker.worker.entry.id);
    await worker.start();
    return worker;
  };
  return {
    take(id) {
      own.add(id);
      running ??= open();
      running.then(
        ({ worker }) => worker.poll(),
        (error: unknown) => {
          running = undefined;
          logger.event("pool.fallback_failed", { message: toPithError(error).message }, "warn");
        },
      );
    },
    forget: (id) => void own.delete(id),
    isOwn: (worker) => names.has(worker),
    async close() {
      const opened = await running?.catch(() => undefined);
      await opened?.worker.stop();
      await opened?.close();
    },
  };
}
