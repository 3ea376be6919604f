import { setTimeout as delay } from "node:timers/promises";
import { isStoreUnavailable, PithError, toPithError } from "../kernel/errors.ts";
import type { RunEnd } from "../model/run.ts";
import { LeasedJob, type WorkDependencies } from "./leased-job.ts";
import { JobClaimer } from "./job-claimer.ts";
import { retryUntilAvailable } from "./retry-until-available.ts";
import type { Claim, JobQueue, Renewal, WorkerEntry } from "./queue.ts";

/** What a worker tells of itself. */
export type WorkerEvent =
  | { readonly kind: "registered" }
  | { readonly kind: "draining" }
  | { readonly kind: "stopped" }
  | { readonly kind: "replaced" }
  | { readonly kind: "back" }
  | { readonly kind: "away"; readonly reason: string }
  | { readonly kind: "started"; readonly id: string; readonly command: string; readonly attempt: number }
  | { readonly kind: "ended"; readonly id: string; readonly end: RunEnd; readonly ms: number }
  | { readonly kind: "lost"; readonly id: string; readonly reason: string }
  | { readonly kind: "failed"; readonly id: string; readonly reason: string };

export interface WorkerOptions {
  readonly entry: WorkerEntry;
  readonly queue: JobQueue;
  readonly dependencies: WorkDependencies;
  readonly heartbeatMs: number;
  readonly maxAttempts: number;
  /** Only these jobs, and only while no worker could take them. */
  readonly only?: ReadonlySet<string>;
  readonly onEvent: (event: WorkerEvent) => void;
}

/** Takes jobs that fit, as many at once as it has slots, until it is told to stop. */
export class Worker {
  readonly #options: WorkerOptions;
  readonly #held = new Map<string, LeasedJob>();
  readonly #ended = new AbortController();
  #stopListening: (() => Promise<void>) | undefined;
  readonly #claimer: JobClaimer;
  #beating: Promise<void> | undefined;
  #draining = false;
  /** What comes now is given back. */
  #stopping = false;
  #isAway = false;

  constructor(options: WorkerOptions) {
    this.#options = options;
    const { queue, entry, only } = options;
    this.#claimer = new JobClaimer({
      queue,
      worker: entry,
      ...(only === undefined ? {} : { only }),
      held: this.#held,
      start: (claim) => this.#take(claim),
      onError: (error) => this.#away(error),
    });
  }

  get entry(): WorkerEntry {
    return this.#options.entry;
  }

  /** Aborts when the worker has ended, by request or because another took its name. */
  get ended(): AbortSignal {
    return this.#ended.signal;
  }

  /** Registers, waiting for the database where it must, and begins to take jobs. */
  async start(): Promise<void> {
    const { queue, entry, onEvent } = this.#options;
    const { signal } = this.#ended;
    await retryUntilAvailable(() => queue.register(entry, this.#options.maxAttempts), {
      signal,
      onUnavailable: (error) => this.#away(error),
    });
    this.#back();
    onEvent({ kind: "registered" });
    this.#stopListening = await queue.listen((news) => {
      if (news.kind === "queued") this.poll();
      else if (news.kind === "cancel") this.#held.get(news.id)?.cancel();
    });
    this.#beating = this.#beat();
    this.poll();
  }

  /** Looks for jobs now. */
  poll(): void {
    if (!this.#draining) this.#claimer.poll();
  }

  /** Takes nothing new, finishes what it has, and leaves. */
  async drain(): Promise<void> {
    if (this.#draining) return;
    this.#draining = true;
    this.#options.onEvent({ kind: "draining" });
    await this.#renew().catch(() => undefined);
    await this.#claimer.stop();
    while (this.#held.size > 0 && !this.#ended.signal.aborted)
      await Promise.race([...this.#held.values()].map((job) => settled(job)));
    await this.#leave();
  }

  /** Gives back what it has and leaves. */
  async stop(): Promise<void> {
    this.#draining = true;
    this.#stopping = true;
    for (const job of this.#held.values()) job.release();
    await this.#claimer.stop();
    await Promise.all([...this.#held.values()].map((job) => settled(job)));
    await this.#leave();
  }

  async #leave(): Promise<void> {
    if (this.#ended.signal.aborted) return;
    this.#ended.abort();
    await this.#stopListening?.();
    await this.#beating;
    // With the database away the lease ends by itself.
    await this.#options.queue.unregister(this.#options.entry).catch(() => undefined);
    this.#options.onEvent({ kind: "stopped" });
  }

  #take(claim: Claim): void {
    const { id, token, order } = claim;
    const { onEvent, dependencies } = this.#options;
    const begun = Date.now();
    const job = new LeasedJob(claim, dependencies);
    this.#held.set(id, job);
    onEvent({ kind: "started", id, command: order.command, attempt: token });
    if (this.#stopping) job.release();
    void this.#await(job, begun);
  }

  async #await(job: LeasedJob, begun: number): Promise<void> {
    const { id } = job.claim;
    const { onEvent } = this.#options;
    try {
      const result = await job.done;
      if (result === undefined) onEvent({ kind: "lost", id, reason: "it is another worker's now" });
      else onEvent({ kind: "ended", id, end: result.end, ms: Date.now() - begun });
    } catch (error) {
      onEvent({ kind: "failed", id, reason: toPithError(error).message });
    } finally {
      if (this.#held.get(id) === job) this.#held.delete(id);
      this.poll();
    }
  }

  async #beat(): Promise<void> {
    const { heartbeatMs, queue, maxAttempts } = this.#options;
    const { signal } = this.#ended;
    while (!signal.aborted) {
      await delay(heartbeatMs, undefined, { signal }).catch(() => undefined);
      if (signal.aborted) return;
      try {
        await this.#renew();
        await queue.reap(maxAttempts);
        this.poll();
      } catch (error) {
        this.#away(error);
      }
    }
  }

  async #renew(): Promise<void> {
    const { queue, entry } = this.#options;
    const jobs = [...this.#held.values()];
    const renewal = await queue.renew(
      entry,
      jobs.map((job) => job.claim),
      this.#draining,
    );
    this.#back();
    this.#follow(jobs, renewal);
    if (renewal.registration === "unknown") await queue.register(entry, this.#options.maxAttempts);
    if (renewal.registration === "replaced") await this.#giveWay();
  }

  #follow(jobs: readonly LeasedJob[], { held }: Renewal): void {
    const known = new Map(held.map((one) => [one.id, one]));
    for (const job of jobs) {
      const state = known.get(job.claim.id);
      // One that has just ended is no longer held either; for it this changes nothing.
      if (state === undefined) job.abandon();
      else if (state.cancelRequested) job.cancel();
    }
  }

  /** Another worker has this one's name: its jobs were given to others by that. */
  async #giveWay(): Promise<void> {
    this.#options.onEvent({ kind: "replaced" });
    this.#draining = true;
    for (const job of this.#held.values()) job.abandon();
    await Promise.all([...this.#held.values()].map((job) => settled(job)));
    this.#ended.abort();
    await this.#stopListening?.();
    // Not awaited: the poll under way may be what noticed it.
    void this.#claimer.stop();
  }

  #away(error: unknown): void {
    const reason = error instanceof Error ? error.message : String(error);
    if (!isStoreUnavailable(error)) {
      this.#options.onEvent({ kind: "failed", id: "", reason });
      // The store belongs to a newer Pith now.
      if (error instanceof PithError && error.code === "index_incompatible") void this.drain();
    } else if (!this.#isAway) {
      this.#isAway = true;
      this.#options.onEvent({ kind: "away", reason });
    }
  }

  #back(): void {
    if (this.#isAway) this.#options.onEvent({ kind: "back" });
    this.#isAway = false;
  }
}

async function settled(job: LeasedJob): Promise<void> {
  await Promise.allSettled([job.done]);
}
