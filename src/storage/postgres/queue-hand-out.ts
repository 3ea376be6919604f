import { setTimeout as delay } from "node:timers/promises";
import type { TaskList, WorkerPool } from "graphile-worker";
import { untilBack } from "../../pool/patience.ts";
import type { HandOut, HandOutRequest } from "../../pool/queue.ts";
import type { Postgres } from "./database.ts";
import { patientPool, untilDone, type WhileAway } from "./patient-pool.ts";
import { begin, putBack } from "./queue-begin.ts";
import { JOB_TASK, lackedLabels, QUEUE_SCHEMA } from "./queue-entries.ts";
import { loadQueueLibrary } from "./queue-library.ts";
import { isQueueReady } from "./queue-schema.ts";

/** How often a free slot looks by itself; news of a job come sooner. */
const LOOK_MS = 5_000;
/** How old the knowledge may be which labels are asked for; a job with a newer one is put back when it comes. */
const LABELS_MS = 5_000;
const RESTART_MS = 1_000;

/**
 * Runs the queue library's runner, which keeps as many jobs going as the worker has slots. Whether a job is begun is
 * decided by the job's own row: an entry that comes twice, or too late, changes nothing.
 */
export async function handOut(store: Postgres, request: HandOutRequest): Promise<HandOut> {
  const { Logger, runTaskList } = await loadQueueLibrary();
  const stopped = new AbortController();
  const whileAway: WhileAway = { onTrouble: request.onTrouble, signal: stopped.signal };
  const labels = knownLabels(() => lackedLabels(store, request.worker.labels), whileAway);
  const tasks: TaskList = { [JOB_TASK]: taskOf(store, request, { labels, stopped: stopped.signal }) };
  const start = (): WorkerPool =>
    runTaskList(
      {
        schema: QUEUE_SCHEMA,
        concurrency: request.worker.slots,
        pollInterval: LOOK_MS,
        noHandleSignals: true,
        forbiddenFlags: () => labels.lacked(),
        logger: new Logger(() => () => undefined),
        // Without a delay, even of nothing, the library lets an error of these statements end the process.
        preset: { worker: { completeJobBatchDelay: 0, failJobBatchDelay: 0 } },
      },
      tasks,
      patientPool(store, { ...whileAway, onListening: () => look() }),
    );
  let runner = start();
  const look = (): void => {
    if (!stopped.signal.aborted) runner.nudge(request.worker.slots);
  };
  const running = (async () => {
    while (!stopped.signal.aborted) {
      await runner.promise.catch(request.onTrouble);
      await delay(RESTART_MS, undefined, { signal: stopped.signal }).catch(() => undefined);
      if (stopped.signal.aborted) return;
      // The library stops by itself when somebody brings its tables to a version that it must not work with.
      await isQueueReady(store, store).then(() => (runner = start()), request.onTrouble);
    }
  })();
  return {
    async stop() {
      stopped.abort();
      // It ends by itself where something had gone wrong, and says so by its promise.
      await Promise.allSettled([runner.gracefulShutdown(), running]);
    },
  };
}

interface KnownLabels {
  lacked(): Promise<string[]>;
  /** Looks again before the next job is taken. */
  forget(): void;
}

function knownLabels(look: () => Promise<string[]>, whileAway: WhileAway): KnownLabels {
  let known: { readonly at: number; readonly labels: Promise<string[]> } | undefined;
  return {
    lacked() {
      if (known === undefined || Date.now() - known.at > LABELS_MS)
        known = { at: Date.now(), labels: untilDone(look, { ...whileAway, instead: [] }) };
      return known.labels;
    },
    forget: () => (known = undefined),
  };
}

/** What is done with each entry. How the job ends is none of the library's business: it sees no failure of it. */
function taskOf(
  store: Postgres,
  { worker, take, onTrouble, onUnregistered }: HandOutRequest,
  { labels, stopped }: { readonly labels: KnownLabels; readonly stopped: AbortSignal },
): TaskList[string] {
  const busy = new Map<string, Promise<void>>();
  const beginPatiently = async (id: string) => {
    let again = false;
    return untilBack(() => begin(store, worker, { id, again }), {
      signal: stopped,
      onAway(error) {
        again = true;
        onTrouble(error);
      },
    });
  };
  const handle = async (id: string): Promise<void> => {
    const begun = stopped.aborted ? undefined : await beginPatiently(id);
    if (begun === undefined) return putBack(store, id);
    if (typeof begun === "object") return take(begun);
    if (begun === "unfit") labels.forget();
    if (begun === "unregistered") await onUnregistered();
  };
  return async (payload) => {
    const { id } = payload as { readonly id: string };
    // The same job comes again while its lost attempt is still being cleared up here.
    while (busy.has(id)) await busy.get(id);
    const handled = handle(id);
    busy.set(
      id,
      handled.then(
        () => undefined,
        () => undefined,
      ),
    );
    try {
      await handled;
    } catch (error) {
      // What fails while the database is there is tried again by the library, later each time.
      if (!stopped.aborted) throw error;
    } finally {
      busy.delete(id);
    }
  };
}
