import { setTimeout as delay } from "node:timers/promises";
import { isStoreUnavailable, PithError, toPithError } from "../kernel/errors.ts";
import type { RunEnd } from "../model/run.ts";
import { LeasedJob, type WorkDependencies } from "./leased-job.ts";
import { JobClaimer } from "./job-claimer.ts";
import { retryUntilAvailable } from "../runs/record/retry-until-available.ts";
import type { Claim, JobQueue, Renewal, WorkerEntry } from "./queue.ts";

/** An event in the life of a worker, for its log. */
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
  /** If set, the worker runs only these jobs, and only while no other worker can take them. */
  readonly only?: ReadonlySet<string>;
  readonly onEvent: (event: WorkerEvent) => void;
}

/** Runs jobs that fit its labels, as many at once as it has slots, until it is stopped. */
export class Worker {
  readonly #options: WorkerOptions;
  readonly #held = new Map<string, LeasedJob>();
  readonly #ended = new AbortController();
  #stopListening: (() => Promise<void>) | undefined;
  readonly #claimer: JobClaimer;
  #heartbeats: Promise<void> | undefined;
  #draining = false;
  /** True while the worker is stopping; newly claimed jobs are then returned at once. */
  #stopping = false;
  #isUnavailable = false;

  constructor(options: WorkerOptions) {
    this.#options = options;
    const { queue, entry, only } = options;
    this.#claimer = new JobClaimer({
      queue,
      worker: entry,
      ...(only === undefined ? {} : { only }),
      held: this.#held,
      start: (claim) => this.#startJob(claim),
      onError: (error) => this.#reportError(error),
    });
  }

  get entry(): WorkerEntry {
    return this.#options.entry;
  }

  /** Aborts when the worker has ended, either on request or because another worker took its name. */
  get ended(): AbortSignal {
    return this.#ended.signal;
  }

  /** Registers the worker, waiting for the database if necessary, and starts to take jobs. */
  async start(): Promise<void> {
    const { queue, entry, onEvent } = this.#options;
    const { signal } = this.#ended;
    await retryUntilAvailable(() => queue.register(entry, this.#options.maxAttempts), {
      signal,
      onUnavailable: (error) => this.#reportError(error),
    });
    this.#reportAvailable();
    onEvent({ kind: "registered" });
    this.#stopListening = await queue.listen((news) => {
      if (news.kind === "queued" && !this.#draining) this.#claimer.hear(news.for);
      else if (news.kind === "cancel") this.#held.get(news.id)?.cancel();
    });
    // It may have been stopped meanwhile, when there was nothing to stop listening to.
    if (signal.aborted) return this.#stopListening();
    this.#heartbeats = this.#sendHeartbeats();
    this.poll();
  }

  /** Looks for jobs to claim now. */
  poll(): void {
    if (!this.#draining) this.#claimer.poll();
  }

  /** Finishes the current jobs without taking new ones, and unregisters. */
  async drain(): Promise<void> {
    if (this.#draining) return;
    this.#draining = true;
    this.#options.onEvent({ kind: "draining" });
    await this.#renew().catch(() => undefined);
    await this.#claimer.stop();
    while (this.#held.size > 0 && !this.#ended.signal.aborted)
      await Promise.race([...this.#held.values()].map((job) => waitUntilDone(job)));
    await this.#unregister();
  }

  /** Returns the current jobs to the queue and unregisters the worker. */
  async stop(): Promise<void> {
    this.#draining = true;
    this.#stopping = true;
    for (const job of this.#held.values()) job.release();
    await this.#claimer.stop();
    await Promise.all([...this.#held.values()].map((job) => waitUntilDone(job)));
    await this.#unregister();
  }

  async #unregister(): Promise<void> {
    if (this.#ended.signal.aborted) return;
    this.#ended.abort();
    await this.#stopListening?.();
    await this.#heartbeats;
    // The registration needs no removal if the database is unavailable, because it expires by itself.
    await this.#options.queue.unregister(this.#options.entry).catch(() => undefined);
    this.#options.onEvent({ kind: "stopped" });
  }

  #startJob(claim: Claim): void {
    const { id, token, spec } = claim;
    const { onEvent, dependencies } = this.#options;
    const begun = Date.now();
    const job = new LeasedJob(claim, dependencies);
    this.#held.set(id, job);
    onEvent({ kind: "started", id, command: spec.command, attempt: token });
    if (this.#stopping) job.release();
    void this.#awaitJob(job, begun);
  }

  async #awaitJob(job: LeasedJob, begun: number): Promise<void> {
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

  async #sendHeartbeats(): Promise<void> {
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
        this.#reportError(error);
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
    this.#reportAvailable();
    this.#applyRenewal(jobs, renewal);
    if (renewal.registration === "unknown") await queue.register(entry, this.#options.maxAttempts);
    if (renewal.registration === "replaced") await this.#yieldToReplacement();
  }

  #applyRenewal(jobs: readonly LeasedJob[], { held }: Renewal): void {
    const known = new Map(held.map((one) => [one.id, one]));
    for (const job of jobs) {
      const state = known.get(job.claim.id);
      // A job that has just ended is missing from the renewed leases too; abandoning it does no harm.
      if (state === undefined) job.abandon();
      else if (state.cancelRequested) job.cancel();
    }
  }

  /** Ends this worker because another one has taken its name, and with the name its jobs. */
  async #yieldToReplacement(): Promise<void> {
    this.#options.onEvent({ kind: "replaced" });
    this.#draining = true;
    for (const job of this.#held.values()) job.abandon();
    await Promise.all([...this.#held.values()].map((job) => waitUntilDone(job)));
    this.#ended.abort();
    await this.#stopListening?.();
    // The end of the claimer is not awaited, because this function may be called from its running search.
    void this.#claimer.stop();
  }

  #reportError(error: unknown): void {
    const reason = error instanceof Error ? error.message : String(error);
    if (!isStoreUnavailable(error)) {
      this.#options.onEvent({ kind: "failed", id: "", reason });
      // This error means that a newer version of Pith has migrated the database, so this worker takes no more jobs.
      if (error instanceof PithError && error.code === "index_incompatible") void this.drain();
    } else if (!this.#isUnavailable) {
      this.#isUnavailable = true;
      this.#options.onEvent({ kind: "away", reason });
    }
  }

  #reportAvailable(): void {
    if (this.#isUnavailable) this.#options.onEvent({ kind: "back" });
    this.#isUnavailable = false;
  }
}

async function waitUntilDone(job: LeasedJob): Promise<void> {
  await Promise.allSettled([job.done]);
}
