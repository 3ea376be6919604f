import { isStoreUnavailable } from "../../kernel/errors.ts";
import type { JobQueue } from "../queue.ts";

/** How often a server that waits for jobs polls the database; notifications usually arrive sooner. */
const POLL_MS = 1_000;
/**
 * A server that has waited for no job for this long stops listening, because the database wakes all listeners for every
 * job of the team, and most servers wait for none most of the time.
 */
const MAX_IDLE_MS = 30_000;

interface WatchOptions {
  readonly maxAttempts: number;
  readonly onTrouble: (error: unknown) => void;
}

/** Waits for the ends of many jobs with one shared poll. */
export class JobWatch {
  readonly #queue: JobQueue;
  readonly #options: WatchOptions;
  readonly #waiting = new Map<string, () => void>();
  #stopListening: Promise<() => Promise<void>> | undefined;
  #timer: NodeJS.Timeout | undefined;
  #idleTimer: NodeJS.Timeout | undefined;
  #isClosed = false;

  constructor(queue: JobQueue, options: WatchOptions) {
    this.#queue = queue;
    this.#options = options;
  }

  /** Starts listening for notifications. Call it before a job is submitted, so that its end is not missed. */
  async open(): Promise<void> {
    this.#stopListening ??= this.#queue.listen((news) => {
      if (news.kind === "ended") this.#wake(news.id);
    });
    await this.#stopListening;
    this.#restart();
  }

  /** Resolves when the job has ended, or when the watch is closed. */
  ended(id: string): Promise<void> {
    const ended = new Promise<void>((resolve) => this.#waiting.set(id, resolve));
    this.#look();
    return ended;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    for (const id of this.#waiting.keys()) this.#wake(id);
    clearTimeout(this.#idleTimer);
    await this.#unlisten();
  }

  async #unlisten(): Promise<void> {
    const stopping = this.#stopListening;
    this.#stopListening = undefined;
    await (
      await stopping
    )?.();
  }

  /** Counts the idle time from now. */
  #restart(): void {
    clearTimeout(this.#idleTimer);
    this.#idleTimer = setTimeout(() => {
      // A connection that could not even be opened needs no closing.
      if (this.#waiting.size === 0) void this.#unlisten().catch(() => undefined);
    }, MAX_IDLE_MS).unref();
  }

  #wake(id: string): void {
    this.#waiting.get(id)?.();
    if (this.#waiting.delete(id)) this.#restart();
  }

  #look(): void {
    this.#timer ??= setTimeout(() => void this.#lookNow(), POLL_MS).unref();
  }

  async #lookNow(): Promise<void> {
    try {
      for (const id of await this.#queue.ended([...this.#waiting.keys()])) this.#wake(id);
      // Expired leases are detected here too, because nobody else would do it if all workers have died.
      await this.#queue.reap(this.#options.maxAttempts);
    } catch (error) {
      // The callers keep waiting after this error: the database may come back, or a server with more privileges may
      // finish the job.
      // A look that was under way when the watch was closed finds the connections closed too.
      if (!this.#isClosed && !isStoreUnavailable(error)) this.#options.onTrouble(error);
    } finally {
      this.#timer = undefined;
      if (this.#waiting.size > 0) this.#look();
    }
  }
}
