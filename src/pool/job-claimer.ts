import type { Claim, JobQueue, WorkerEntry } from "./queue.ts";

interface JobClaimerOptions {
  readonly queue: Pick<JobQueue, "claim" | "disown">;
  readonly worker: WorkerEntry;
  /**
   * If set, only these jobs are claimed, and only while no connected worker could take them; otherwise any job that
   * fits the worker.
   */
  readonly only?: ReadonlySet<string>;
  /** The jobs that are running on this worker, by id. */
  readonly held: ReadonlyMap<string, unknown>;
  readonly start: (claim: Claim) => void;
  readonly onError: (error: unknown) => void;
}

/**
 * A worker that is not among the first for a new job looks for it after this time, by which the store no longer leaves
 * it to a worker with more caches. Each waits a bit longer or shorter, so that they do not all come at once.
 */
const LATER_MS = 2_000;
const MAX_FURTHER_MS = 500;

/** Keeps a worker's slots filled: each search claims as many jobs as the worker has free slots. */
export class JobClaimer {
  readonly #options: JobClaimerOptions;
  #polling: Promise<void> | undefined;
  #pollAgain = false;
  #stopped = false;
  #later: NodeJS.Timeout | undefined;
  /** True after a claim failed: the database may have given this worker jobs that it never heard of. */
  #mayHoldUnknown = false;

  constructor(options: JobClaimerOptions) {
    this.#options = options;
  }

  /**
   * Looks for jobs now. If a search is already under way, another one follows it, so that no notification is missed.
   */
  poll(): void {
    if (this.#stopped) return;
    this.#pollAgain = true;
    this.#polling ??= this.#pollAll().finally(() => (this.#polling = undefined));
  }

  /**
   * Looks for a job that was queued: now, unless it is for others first, and a little later in case those did not take
   * it. If every worker asked for every job at once, most of the database's work would be to tell all but one of them
   * that it is gone.
   */
  hear(workers: readonly string[] | undefined): void {
    if (workers === undefined || workers.includes(this.#options.worker.id)) this.poll();
    if (this.#stopped || workers === undefined) return;
    this.#later ??= setTimeout(
      () => {
        this.#later = undefined;
        this.poll();
      },
      LATER_MS + Math.random() * MAX_FURTHER_MS,
    ).unref();
  }

  /** Stops claiming jobs. Resolves when the search under way has ended. */
  async stop(): Promise<void> {
    this.#stopped = true;
    clearTimeout(this.#later);
    await this.#polling;
  }

  async #pollAll(): Promise<void> {
    while (this.#pollAgain && !this.#stopped) {
      this.#pollAgain = false;
      try {
        await this.#claim();
      } catch (error) {
        // Nothing is retried here, because the next heartbeat or notification looks for jobs again.
        return this.#options.onError(error);
      }
    }
  }

  async #claim(): Promise<void> {
    const { queue, worker, only, held, start } = this.#options;
    const except = [...held.keys()];
    if (this.#mayHoldUnknown) await queue.disown(worker, except);
    this.#mayHoldUnknown = false;
    const count = worker.slots - held.size;
    if (count <= 0 || only?.size === 0) return;
    this.#mayHoldUnknown = true;
    const claims = await queue.claim({
      worker,
      count,
      except,
      ...(only === undefined ? {} : { only: [...only] }),
    });
    this.#mayHoldUnknown = false;
    for (const claim of claims) start(claim);
  }
}
