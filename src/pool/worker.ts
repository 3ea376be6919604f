import { setTimeout as delay } from "node:timers/promises";
import { toPithError } from "../kernel/errors.ts";
import type { RunEnd } from "../model/run.ts";
import { HeldJob, type WorkMeans } from "./held-job.ts";
import { isAway, untilBack } from "./patience.ts";
import type { JobQueue, Renewal, WorkerEntry } from "./queue.ts";

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
  readonly means: WorkMeans;
  readonly heartbeatMs: number;
  readonly maxAttempts: number;
  /** Only these jobs, and only while no worker could take them. */
  readonly only?: ReadonlySet<string>;
  readonly onEvent: (event: WorkerEvent) => void;
}

/** Takes jobs that fit, as many at once as it has slots, until it is told to stop. */
export class Worker {
  readonly #options: WorkerOptions;
  readonly #held = new Map<string, HeldJob>();
  readonly #ended = new AbortController();
  #stopListening: (() => Promise<void>) | undefined;
  #claiming: Promise<void> | undefined;
  #claimAgain = false;
  #beating: Promise<void> | undefined;
  #draining = false;
  #isAway = false;
  /** A claim failed: whether it was granted is not known. */
  #unsure = false;

  constructor(options: WorkerOptions) {
    this.#options = options;
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
    await untilBack(() => queue.register(entry, this.#options.maxAttempts), {
      signal,
      onAway: (error) => this.#away(error),
    });
    this.#back();
    onEvent({ kind: "registered" });
    this.#stopListening = await queue.listen((news) => {
      if (news.kind === "queued") this.poke();
      else if (news.kind === "cancel") this.#held.get(news.id)?.cancel();
    });
    this.#beating = this.#beat();
    this.poke();
  }

  /** Looks for jobs now. */
  poke(): void {
    this.#claimAgain = true;
    this.#claiming ??= this.#claimAll().finally(() => (this.#claiming = undefined));
  }

  /** Takes nothing new, finishes what it has, and leaves. */
  async drain(): Promise<void> {
    if (this.#draining) return;
    this.#draining = true;
    this.#options.onEvent({ kind: "draining" });
    await this.#renew().catch(() => undefined);
    await this.#claiming;
    while (this.#held.size > 0 && !this.#ended.signal.aborted)
      await Promise.race([...this.#held.values()].map((job) => settled(job)));
    await this.#leave();
  }

  /** Gives back what it has and leaves. */
  async stop(): Promise<void> {
    this.#draining = true;
    for (const job of this.#held.values()) job.giveBack();
    await this.#claiming;
    for (const job of this.#held.values()) job.giveBack();
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

  async #claimAll(): Promise<void> {
    const { queue, entry, only } = this.#options;
    while (this.#claimAgain && !this.#draining) {
      this.#claimAgain = false;
      const free = entry.slots - this.#held.size;
      if (free <= 0) return;
      try {
        const claims = await queue.claim({
          worker: entry,
          count: free,
          ...(only === undefined ? {} : { only: [...only] }),
        });
        for (const claim of claims) this.#take(new HeldJob(claim, this.#options.means));
      } catch (error) {
        // The next heartbeat looks again.
        this.#unsure = true;
        return this.#away(error);
      }
    }
  }

  #take(job: HeldJob): void {
    const { id, token, order } = job.claim;
    const { onEvent } = this.#options;
    const begun = Date.now();
    this.#held.set(id, job);
    onEvent({ kind: "started", id, command: order.command, attempt: token });
    void this.#await(job, begun);
  }

  async #await(job: HeldJob, begun: number): Promise<void> {
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
      this.poke();
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
        this.poke();
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
    if (this.#unsure && this.#claiming === undefined) {
      this.#unsure = false;
      await queue.disown(entry, [...this.#held.keys()]);
    }
    if (renewal.registration === "unknown") await queue.register(entry, this.#options.maxAttempts);
    if (renewal.registration === "replaced") await this.#giveWay();
  }

  #follow(jobs: readonly HeldJob[], { held }: Renewal): void {
    const known = new Map(held.map((one) => [one.id, one]));
    for (const job of jobs) {
      const state = known.get(job.claim.id);
      // One that has just ended is no longer held either; for it this changes nothing.
      if (state === undefined) job.lose();
      else if (state.cancelRequested) job.cancel();
    }
  }

  /** Another worker has this one's name: its jobs were given to others by that. */
  async #giveWay(): Promise<void> {
    this.#options.onEvent({ kind: "replaced" });
    this.#draining = true;
    for (const job of this.#held.values()) job.lose();
    await Promise.all([...this.#held.values()].map((job) => settled(job)));
    this.#ended.abort();
    await this.#stopListening?.();
  }

  #away(error: unknown): void {
    const reason = error instanceof Error ? error.message : String(error);
    if (!isAway(error)) this.#options.onEvent({ kind: "failed", id: "", reason });
    else if (!this.#isAway) {
      this.#isAway = true;
      this.#options.onEvent({ kind: "away", reason });
    }
  }

  #back(): void {
    if (this.#isAway) this.#options.onEvent({ kind: "back" });
    this.#isAway = false;
  }
}

async function settled(job: HeldJob): Promise<void> {
  await Promise.allSettled([job.done]);
}
