import { isStoreUnavailable, toPithError } from "../kernel/errors.ts";
import type { Logger } from "../kernel/logger.ts";
import { type RunningWorker, setUpWorker, type WorkerSetup } from "./start-worker.ts";

interface FallbackOptions extends Omit<WorkerSetup, "id" | "only" | "onEvent"> {
  readonly logger: Logger;
}

/** A worker inside a server, for this server's own jobs while no other worker can take them. */
interface Fallback {
  /** Runs the job locally if no worker can take it. */
  take(id: string): void;
  forget(id: string): void;
  /** Returns whether this process runs its own jobs under the given worker name. */
  isOwn(worker: string): boolean;
  close(): Promise<void>;
}

/** How often a server whose jobs have not ended looks whether there is still a worker for them. */
const LOOK_MS = 1_000;

/**
 * Creates the fallback without starting it: a worker asks every toolchain for its version, needs a process and a
 * connection of its own, and most servers never need one.
 */
export function createLazyFallback(options: FallbackOptions): Fallback {
  const { logger } = options;
  const own = new Set<string>();
  const names = new Set<string>();
  /** The worker before and after it has registered. */
  let setUp: Promise<RunningWorker> | undefined;
  let running: Promise<RunningWorker> | undefined;
  let timer: NodeJS.Timeout | undefined;
  let isClosed = false;
  const open = async (): Promise<RunningWorker> => {
    setUp = setUpWorker({
      ...options,
      only: own,
      onEvent: ({ kind, ...facts }) => logger.event(`pool.fallback_${kind}`, facts),
    });
    const worker = await setUp;
    names.add(worker.worker.entry.id);
    await worker.start();
    return worker;
  };
  const start = (): void => {
    if (isClosed) return;
    running ??= open();
    running.then(
      ({ worker }) => worker.poll(),
      (error: unknown) => {
        if (isClosed) return;
        running = undefined;
        lookLater();
        logger.event("pool.fallback_failed", { message: toPithError(error).message }, "warn");
      },
    );
  };
  const look = async (): Promise<void> => {
    for (const id of own)
      if (running === undefined && (await isWithoutWorker(id, options, () => isClosed))) start();
    if (own.size > 0 && running === undefined) lookLater();
  };
  const lookLater = (): void => {
    if (isClosed) return;
    timer ??= setTimeout(() => {
      timer = undefined;
      void look();
    }, LOOK_MS).unref();
  };
  return {
    take(id) {
      own.add(id);
      if (running !== undefined) return start();
      void look();
    },
    forget: (id) => void own.delete(id),
    isOwn: (worker) => names.has(worker),
    async close() {
      isClosed = true;
      clearTimeout(timer);
      await end(setUp, running);
    },
  };
}

/** Stops the worker before waiting for its start, because a start waits for the database as long as it is unavailable. */
async function end(
  setUp: Promise<RunningWorker> | undefined,
  running: Promise<RunningWorker> | undefined,
): Promise<void> {
  const opened = await setUp?.catch(() => undefined);
  await opened?.worker.stop();
  await running?.catch(() => undefined);
  await opened?.close();
}

async function isWithoutWorker(
  id: string,
  { queue, logger }: FallbackOptions,
  isClosed: () => boolean,
): Promise<boolean> {
  try {
    return (await queue.position(id))?.fitting === 0;
  } catch (error) {
    // An unavailable database is asked again; nothing could be claimed from it meanwhile. A look that was under way when
    // this server was closed finds the connections closed too.
    if (!isClosed() && !isStoreUnavailable(error))
      logger.event("pool.look_failed", { message: toPithError(error).message }, "warn");
    return false;
  }
}
