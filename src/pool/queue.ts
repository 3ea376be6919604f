import type { LogTotals, RunEnd, RunFindings } from "../model/run.ts";
import type { Job, JobAttempt, JobState, LogChunk, PoolStatus, QueuePosition } from "../model/job.ts";
import type { LogStream } from "../logs/log-source.ts";
import type { MachineFacts, Need } from "./choice/needs.ts";
import type { JobSpec } from "./job-spec.ts";

export interface NewJob {
  /** The id of the job, which is that of its run. */
  readonly id: string;
  readonly workspace: string;
  /** Submitter name, `user@machine`, used for fair scheduling. */
  readonly submitter: string;
  readonly labels: readonly string[];
  /** The facts that the worker's machine must have. */
  readonly needs?: readonly Need[];
  /** 0 if absent. */
  readonly priority?: JobPriority;
  /** Names of what the job would use of what earlier jobs have installed; a worker that has it is preferred. */
  readonly caches?: readonly string[];
  readonly spec: JobSpec;
}

/** How urgent a job is: jobs with a higher number are started first, whoever submits them. */
export type JobPriority = -1 | 0 | 1;

/** A worker as it registers itself in the database. */
export interface WorkerEntry {
  readonly id: string;
  /** A random id that distinguishes a worker from an earlier one with the same name. */
  readonly session: string;
  /** A `fallback` is a server that runs its own jobs while no worker can; it does not count as a worker. */
  readonly kind: "worker" | "fallback";
  readonly slots: number;
  readonly labels: readonly string[];
  /** What the worker found out about its machine. */
  readonly facts?: MachineFacts;
  readonly leaseMs: number;
}

/** A worker's request for jobs. */
export interface ClaimRequest {
  readonly worker: WorkerEntry;
  readonly count: number;
  /** Jobs that are not claimed, because an earlier attempt at them is still being cleaned up on this worker. */
  readonly except: readonly string[];
  /** If set, only these jobs are claimed, and among them only those that no connected worker could take. */
  readonly only?: readonly string[];
}

/** A leased job: its command, and the token of the attempt, which every write must present. */
export interface Claim {
  readonly id: string;
  readonly token: number;
  readonly workspace: string;
  readonly spec: JobSpec;
}

/** The answer to a heartbeat: the jobs that the worker still holds. */
export interface Renewal {
  /**
   * `own`: the worker is registered; `replaced`: another worker has registered under its name since; `unknown`: no
   * worker is registered under that name.
   */
  readonly registration: "own" | "replaced" | "unknown";
  readonly held: readonly { readonly id: string; readonly cancelRequested: boolean }[];
}

export interface JobResult {
  readonly end: RunEnd;
  readonly log: LogTotals;
  readonly findings?: RunFindings;
}

/** A job with its attempts and its result. */
export interface JobRecord extends Job {
  readonly attempts: readonly JobAttempt[];
  readonly result?: JobResult;
}

export interface ChunkQuery {
  readonly id: string;
  readonly token: number;
  readonly stream: LogStream;
  /** The number of the line at which to start, counted within the requested stream, or over both streams. */
  readonly fromLine: number;
}

/** The answer of a check that others may get too. */
export interface NewAnswer {
  /** Identifies everything that decides the answer. */
  readonly key: string;
  readonly exitCode: number;
  readonly bytes: Buffer;
}

/** The answer of a check that ran before. */
export interface FoundAnswer {
  /** The run that gave it, its submitter, and when it ended. */
  readonly run: string;
  readonly by: string;
  readonly endedAt: number;
  readonly bytes: Buffer;
}

/** A notification that the pool sends to all connected machines. */
export type PoolNews =
  | {
      readonly kind: "queued";
      /** The free workers that are to look for the job first; absent if all are. */
      readonly for?: readonly string[];
    }
  | { readonly kind: "cancel" | "ended"; readonly id: string };

/**
 * The jobs of a pool. Every change is one atomic step of the store, and only the store's clock decides when a lease
 * expires; a worker that lost its lease cannot change a later attempt. Leases and heartbeats may be as short as a second
 * (`[pool] lease_ms`, `heartbeat_ms`); the jobs of a dead worker start elsewhere after that time.
 */
export interface JobQueue {
  submit(job: NewJob): Promise<void>;
  get(id: string): Promise<JobRecord | undefined>;
  /** Returns those of the given jobs that have ended or do not exist. */
  ended(ids: readonly string[]): Promise<string[]>;
  /** Lists the jobs of one workspace or of all, the newest first. */
  list(filter: {
    readonly workspace?: string;
    readonly state?: JobState;
    readonly limit: number;
  }): Promise<Job[]>;
  /** Returns the job's position in the queue; undefined if it is not queued. */
  position(id: string): Promise<QueuePosition | undefined>;
  /** Returns the labels and facts of all connected workers. */
  machines(): Promise<Required<Pick<WorkerEntry, "labels" | "facts">>[]>;
  /** Ends a queued job, or asks the worker of a running job to end it. */
  cancel(id: string): Promise<void>;

  /** Registers a worker. Jobs that an earlier worker with the same name still held count as lost. */
  register(worker: WorkerEntry, maxAttempts: number): Promise<void>;
  /** Unregisters a worker and returns the jobs that it still holds to the queue. */
  unregister(worker: WorkerEntry): Promise<void>;
  /** Leases the next jobs that fit the worker's labels, taking turns between submitters. */
  claim(request: ClaimRequest): Promise<Claim[]>;
  /** Sends a heartbeat and renews the leases of these jobs. */
  renew(
    worker: WorkerEntry,
    held: readonly Pick<Claim, "id" | "token">[],
    draining: boolean,
  ): Promise<Renewal>;
  /** Stores output. Returns false and stores nothing if the lease is lost. Repeating a call changes nothing. */
  append(claim: Pick<Claim, "id" | "token">, chunks: readonly LogChunk[]): Promise<boolean>;
  /** Finds the answer of a check that the job with this lease would repeat. */
  answer(claim: Pick<Claim, "id" | "token">, key: string): Promise<FoundAnswer | undefined>;
  /**
   * Stores the result with the rest of the output, and the answer for others. Returns false and stores nothing if the
   * lease is lost.
   */
  finish(
    claim: Pick<Claim, "id" | "token">,
    result: JobResult,
    chunks: readonly LogChunk[],
    answer?: NewAnswer,
  ): Promise<boolean>;
  /** Returns an unfinished job from its worker to the queue. */
  release(claim: Pick<Claim, "id" | "token">, seen: string): Promise<void>;
  /**
   * Returns to the queue the jobs that this worker claimed without receiving the answer, for example because the
   * connection broke.
   */
  disown(worker: WorkerEntry, held: readonly string[]): Promise<void>;
  /** Returns jobs with an expired lease to the queue, and ends those that were lost too often. */
  reap(maxAttempts: number): Promise<void>;

  /** Returns how much output an attempt wrote, by default the newest attempt. */
  totals(id: string, token?: number): Promise<(LogTotals & { readonly token: number }) | undefined>;
  /** Yields the chunks of output in order; they are read a few megabytes at a time. */
  chunks(query: ChunkQuery): AsyncGenerator<LogChunk>;

  status(): Promise<PoolStatus>;
  /** Subscribes to notifications from all machines while the connection holds; the returned function unsubscribes. */
  listen(onNews: (news: PoolNews) => void): Promise<() => Promise<void>>;
  close(): Promise<void>;
}
