import type { Claim, HandOut, JobQueue, WorkerEntry } from "./queue.ts";

interface OwnJobsOptions {
  readonly queue: Pick<JobQueue, "takeOwn" | "disown">;
  readonly worker: WorkerEntry;
  readonly ids: ReadonlySet<string>;
  /** What runs here at the moment. */
  readonly held: ReadonlyMap<string, unknown>;
  readonly take: (claim: Claim) => void;
  readonly onTrouble: (error: unknown) => void;
}

/** Jobs of this server's own that it runs itself while no worker could; see JobQueue.takeOwn. */
export class OwnJobs implements HandOut {
  readonly #options: OwnJobsOptions;
  #looking: Promise<void> | undefined;
  #again = false;
  #stopped = false;
  /** A look failed: what it took is not known. */
  #unsure = false;

  constructor(options: OwnJobsOptions) {
    this.#options = options;
  }

  /** Looks for jobs now. */
  poke(): void {
    this.#again = true;
    this.#looking ??= this.#look().finally(() => (this.#looking = undefined));
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    await this.#looking;
  }

  async #look(): Promise<void> {
    const { queue, worker, ids, held, take, onTrouble } = this.#options;
    while (this.#again && !this.#stopped) {
      this.#again = false;
      try {
        if (this.#unsure) await queue.disown(worker, [...held.keys()]);
        this.#unsure = false;
        const count = worker.slots - held.size;
        if (count <= 0) return;
        this.#unsure = true;
        for (const claim of await queue.takeOwn({ worker, count, ids: [...ids] })) take(claim);
        this.#unsure = false;
      } catch (error) {
        // The next heartbeat looks again.
        return onTrouble(error);
      }
    }
  }
}
