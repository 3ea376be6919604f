import { isStoreUnavailable } from "../kernel/errors.ts";
import type { JobQueue } from "./queue.ts";

/** How often a waiting server looks by itself; news come sooner. */
const LOOK_MS = 1_000;

interface WatchOptions {
  readonly maxAttempts: number;
  readonly onTrouble: (error: unknown) => void;
}

/** Waits for the ends of many jobs with one look at a time. */
export class JobWatch {
  readonly #queue: JobQueue;
  readonly #options: WatchOptions;
  readonly #waiting = new Map<string, () => void>();
  #stopListening: Promise<() => Promise<void>> | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(queue: JobQueue, options: WatchOptions) {
    this.#queue = queue;
    this.#options = options;
  }

  /** Begins to listen: before a job is submitted, so that no end is missed. */
  async open(): Promise<void> {
    this.#stopListening ??= this.#queue.listen((news) => {
      if (news.kind === "ended") this.#wake(news.id);
    });
    await this.#stopListening;
  }

  /** Resolves when the job has ended, or when the watch is closed. */
  ended(id: string): Promise<void> {
    const ended = new Promise<void>((resolve) => this.#waiting.set(id, resolve));
    this.#look();
    return ended;
  }

  async close(): Promise<void> {
    clearTimeout(this.#timer);
    for (const id of this.#waiting.keys()) this.#wake(id);
    await (
      await this.#stopListening
    )?.();
  }

  #wake(id: string): void {
    this.#waiting.get(id)?.();
    this.#waiting.delete(id);
  }

  #look(): void {
    this.#timer ??= setTimeout(() => void this.#lookNow(), LOOK_MS).unref();
  }

  async #lookNow(): Promise<void> {
    try {
      for (const id of await this.#queue.ended([...this.#waiting.keys()])) this.#wake(id);
      // Where all workers have died, nobody else is left to see it.
      await this.#queue.reap(this.#options.maxAttempts);
    } catch (error) {
      // Those who wait go on waiting: for a database that comes back, or for others who may do what this role may not.
      if (!isStoreUnavailable(error)) this.#options.onTrouble(error);
    } finally {
      this.#timer = undefined;
      if (this.#waiting.size > 0) this.#look();
    }
  }
}
