import type { Claim, JobQueue, WorkerEntry } from "./queue.ts";

interface JobClaimerOptions {
  readonly queue: Pick<JobQueue, "claim" | "disown">;
  readonly worker: WorkerEntry;
  /** Claims these jobs only, and only while no connected worker could take them; left out, any job that fits. */
  readonly only?: ReadonlySet<string>;
  /** The jobs that are running here, by id. */
  readonly held: ReadonlyMap<string, unknown>;
  readonly start: (claim: Claim) => void;
  readonly onError: (error: unknown) => void;
}

/** Keeps a worker's free slots filled: each poll claims as many jobs as there are slots. */
export class JobClaimer {
  readonly #options: JobClaimerOptions;
  #polling: Promise<void> | undefined;
  #pollAgain = false;
  #stopped = false;
  /** A claim failed, so the store may have granted jobs that this process never heard of. */
  #mayHoldUnknown = false;

  constructor(options: JobClaimerOptions) {
    this.#options = options;
  }

  /** Looks for jobs now. A poll that is under way is followed by another, so no notification is missed. */
  poll(): void {
    if (this.#stopped) return;
    this.#pollAgain = true;
    this.#polling ??= this.#pollAll().finally(() => (this.#polling = undefined));
  }

  /** Claims nothing more. Resolves when the poll under way has ended. */
  async stop(): Promise<void> {
    this.#stopped = true;
    await this.#polling;
  }

  async #pollAll(): Promise<void> {
    while (this.#pollAgain && !this.#stopped) {
      this.#pollAgain = false;
      try {
        await this.#claim();
      } catch (error) {
        // The next heartbeat or notification polls again.
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
    if (count <= 0) return;
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
