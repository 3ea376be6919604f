import type { LogChunk } from "../model/job.ts";
import type { LogTotals, StreamName } from "../model/run.ts";
import { ChunkWriter } from "./chunk-writer.ts";
import { retryUntilAvailable } from "../runs/record/retry-until-available.ts";
import type { Claim, JobQueue } from "./queue.ts";

/** Output is sent to the database after this delay, so that readers on other machines see it well within a second. */
const SEND_MS = 100;
/** Once this much output is pending, it is sent without waiting for the delay. */
const SEND_BYTES = 512 * 1024;
/** The command is paused while more than this much output is unsent, as happens when the database is unavailable. */
const MAX_UNSENT_BYTES = 8 * 1024 * 1024;

/** Sends the output of an attempt at a job to the database as it comes, in order, one batch at a time. */
export class OutputSender {
  readonly #writer = new ChunkWriter();
  readonly #queue: Pick<JobQueue, "append">;
  readonly #claim: Pick<Claim, "id" | "token">;
  readonly #signal: AbortSignal;
  readonly #onLost: () => void;
  #timer: NodeJS.Timeout | undefined;
  #sending: Promise<void> | undefined;
  #unsent: LogChunk[] = [];
  #failure: { readonly error: unknown } | undefined;

  constructor(
    queue: Pick<JobQueue, "append">,
    claim: Pick<Claim, "id" | "token">,
    options: { readonly onLost: () => void; readonly signal: AbortSignal },
  ) {
    this.#queue = queue;
    this.#claim = claim;
    this.#onLost = options.onLost;
    this.#signal = options.signal;
  }

  write(stream: StreamName, bytes: Buffer): void {
    this.#writer.write(stream, bytes);
    if (this.#writer.pendingBytes >= SEND_BYTES) this.#send();
    else this.#timer ??= setTimeout(() => this.#send(), SEND_MS);
  }

  /** Returns a promise to wait for if so much output is unsent that the command must be paused; otherwise undefined. */
  pressure(): Promise<void> | undefined {
    return this.#writer.pendingBytes > MAX_UNSENT_BYTES ? this.#sending : undefined;
  }

  /** Ends the output and returns the chunks that were not sent yet. */
  async end(): Promise<{ readonly chunks: readonly LogChunk[]; readonly totals: LogTotals }> {
    clearTimeout(this.#timer);
    this.#writer.end();
    await this.#sending;
    if (this.#failure !== undefined) throw this.#failure.error;
    return { chunks: [...this.#unsent, ...this.#writer.take()], totals: this.#writer.totals };
  }

  #send(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#sending ??= this.#sendAll().finally(() => (this.#sending = undefined));
  }

  async #sendAll(): Promise<void> {
    for (let chunks = this.#writer.take(); chunks.length > 0; chunks = this.#writer.take()) {
      this.#unsent = chunks;
      const batch = chunks;
      try {
        const kept = await retryUntilAvailable(() => this.#queue.append(this.#claim, batch), {
          signal: this.#signal,
        });
        this.#unsent = [];
        if (!kept) return this.#onLost();
      } catch (error) {
        // If the attempt ended while the database was unavailable, this is no error: the unsent rest goes with the
        // result, or the lease is lost.
        if (!this.#signal.aborted) this.#failure = { error };
        return;
      }
    }
  }
}
