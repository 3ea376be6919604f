import type { LogTotals, RunEnd, RunFindings } from "../model/run.ts";
import type { Job, JobAttempt, JobState, LogChunk, PoolStatus, QueuePosition } from "../model/job.ts";
import type { LogStream } from "../logs/log-source.ts";
import type { JobSpec } from "./job-spec.ts";

export interface NewJob {
  /** The id of its run. */
  readonly id: string;
  readonly workspace: string;
  /** Who shares the pool with others: `user@machine`. */
  readonly submitter: string;
  readonly labels: readonly string[];
  readonly order: JobSpec;
}

/** A worker that says it is there. */
export interface WorkerEntry {
  readonly id: string;
  /** Tells a worker from an earlier one of the same id. */
  readonly session: string;
  /** A server that runs its own jobs while no worker is there is not counted as one. */
  readonly kind: "worker" | "fallback";
  readonly slots: number;
  readonly labels: readonly string[];
  readonly leaseMs: number;
}

/** How many jobs a worker asks for. */
export interface ClaimRequest {
  readonly worker: WorkerEntry;
  readonly count: number;
  /** Jobs of which an attempt is still being cleaned up here. */
  readonly except: readonly string[];
  /** Limits the claim to these jobs, and among them to those that no connected worker could take. */
  readonly only?: readonly string[];
}

/** A job that a worker holds: what to run, and the token without which nothing it writes counts. */
export interface Claim {
  readonly id: string;
  readonly token: number;
  readonly workspace: string;
  readonly order: JobSpec;
}

/** The jobs a worker still holds after renewing its leases. */
export interface Renewal {
  /** `replaced`: another worker has registered under the same id since; `unknown`: nobody has. */
  readonly registration: "own" | "replaced" | "unknown";
  readonly held: readonly { readonly id: string; readonly cancelRequested: boolean }[];
}

export interface JobResult {
  readonly end: RunEnd;
  readonly log: LogTotals;
  readonly findings?: RunFindings;
}

/** A job with all that is known of it. */
export interface JobRecord extends Job {
  readonly attempts: readonly JobAttempt[];
  readonly result?: JobResult;
}

export interface ChunkQuery {
  readonly id: string;
  readonly token: number;
  readonly stream: LogStream;
  /** The line that the first piece holds; counted in the stream, or over both. */
  readonly fromLine: number;
}

/** What can happen in the pool that somebody waits for. */
export type PoolNews =
  | { readonly kind: "queued" }
  | { readonly kind: "cancel" | "ended"; readonly id: string };

/**
 * The jobs of a pool. Every change is one atomic step of the store, whose clock alone decides when a lease is over;
 * a worker that lost its lease can change nothing that belongs to a later attempt. Leases and heartbeats may be as
 * short as a second (`[pool] lease_ms`, `heartbeat_ms`): then a stopped worker's jobs start elsewhere after that.
 */
export interface JobQueue {
  submit(job: NewJob): Promise<void>;
  get(id: string): Promise<JobRecord | undefined>;
  /** Which of these have ended, or are not there at all. */
  ended(ids: readonly string[]): Promise<string[]>;
  /** Of one workspace, or of all; the newest first. */
  list(filter: {
    readonly workspace?: string;
    readonly state?: JobState;
    readonly limit: number;
  }): Promise<Job[]>;
  /** Undefined for a job that is not queued. */
  position(id: string): Promise<QueuePosition | undefined>;
  /** Ends a queued job, and asks the worker of a running one to end it. */
  cancel(id: string): Promise<void>;

  /** Makes the worker known. What an earlier one of its id still held was lost with it; see reap. */
  register(worker: WorkerEntry, maxAttempts: number): Promise<void>;
  /** Takes it out; what it still holds goes back into the queue. */
  unregister(worker: WorkerEntry): Promise<void>;
  /** Gives a registered worker the next jobs that fit its labels, in turns between submitters. */
  claim(request: ClaimRequest): Promise<Claim[]>;
  /** Says that the worker is there and goes on with these jobs. */
  renew(
    worker: WorkerEntry,
    held: readonly Pick<Claim, "id" | "token">[],
    draining: boolean,
  ): Promise<Renewal>;
  /** Keeps output. False: the lease is lost and nothing was kept. Repeating a call changes nothing. */
  append(claim: Pick<Claim, "id" | "token">, chunks: readonly LogChunk[]): Promise<boolean>;
  /** Keeps the one result, with the last of the output. False: the lease is lost and nothing was kept. */
  finish(
    claim: Pick<Claim, "id" | "token">,
    result: JobResult,
    chunks: readonly LogChunk[],
  ): Promise<boolean>;
  /** Gives a job back before it is done. */
  release(claim: Pick<Claim, "id" | "token">, seen: string): Promise<void>;
  /** Gives back what was taken without hearing of it, as when the connection broke over the answer. */
  disown(worker: WorkerEntry, held: readonly string[]): Promise<void>;
  /** Puts jobs whose lease is over back into the queue, and ends those that were lost too often. */
  reap(maxAttempts: number): Promise<void>;

  /** How much output an attempt has; of the newest attempt where none is named. */
  totals(id: string, token?: number): Promise<(LogTotals & { readonly token: number }) | undefined>;
  /** Pieces of output in their order, a few megabytes at a time. */
  chunks(query: ChunkQuery): AsyncGenerator<LogChunk>;

  status(): Promise<PoolStatus>;
  /** Calls back when something happens, on any machine, as long as the connection holds. Ends it when called. */
  listen(onNews: (news: PoolNews) => void): Promise<() => Promise<void>>;
  close(): Promise<void>;
}
