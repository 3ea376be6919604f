import type { RunEnd, StreamName } from "./run.ts";

/**
 * The state of a job. `queued`: no worker has the job; `running`: a worker holds its lease; `ended`: the job has its
 * one result.
 */
export type JobState = "queued" | "running" | "ended";

/**
 * The outcome of one attempt to run a job. `won`: the attempt gave the result; `lost`: the worker's lease expired and
 * it never came back; `stalled`: the lease expired, but the worker came back later; `released`: the worker returned the
 * job unfinished.
 */
export type AttemptOutcome = "won" | "lost" | "stalled" | "released";

/**
 * One attempt to run a job. The number of the attempt is its fencing token: only the newest attempt of a job may write.
 */
export interface JobAttempt {
  readonly token: number;
  readonly worker: string;
  readonly startedAt: number;
  readonly endedAt?: number;
  /** How the attempt ended; absent while it runs. */
  readonly outcome?: AttemptOutcome;
  /** What was last known of an attempt that ended without a result, such as its output so far. */
  readonly seen?: string;
  readonly lines: number;
}

/** A command submitted to the worker pool; the job's id is also the id of its run. */
export interface Job {
  readonly id: string;
  readonly workspace: string;
  readonly command: string;
  readonly submitter: string;
  /** Labels that a worker must have to take the job. */
  readonly labels: readonly string[];
  /** Facts that the worker's machine must have, such as `node >=20 (package.json)`. */
  readonly needs: readonly string[];
  /** How many of the job's caches the worker had when it took the job. */
  readonly warm: number;
  readonly state: JobState;
  readonly submittedAt: number;
  readonly startedAt?: number;
  readonly endedAt?: number;
  /** The worker that holds the job, or held it last. */
  readonly worker?: string;
  /** The fencing token of the newest attempt; 0 before the first one. */
  readonly token: number;
  readonly cancelRequested: boolean;
  readonly end?: RunEnd;
}

/** The position of a job in the queue. */
export interface QueuePosition {
  /** The number of jobs that will be started before this one. */
  readonly ahead: number;
  /** The number of connected workers that have the labels this job requires. */
  readonly fitting: number;
  /** The number of all connected workers. */
  readonly workers: number;
  /** What the job requires and no connected worker has; empty if some worker fits, or none is connected. */
  readonly lacking: readonly string[];
}

/** A worker as the pool reports it. */
export interface PoolWorker {
  readonly id: string;
  readonly slots: number;
  /** The worker's labels, and the facts of its machine in the same form. */
  readonly labels: readonly string[];
  readonly active: number;
  readonly connectedSince: number;
  readonly lastSeen: number;
  /** True if the worker finishes its jobs but accepts no new ones. */
  readonly draining: boolean;
}

/** The state of the whole pool. */
export interface PoolStatus {
  readonly workers: readonly PoolWorker[];
  readonly queued: number;
  readonly running: number;
  /** True if no worker is connected, so that servers run their own jobs. */
  readonly localFallback: boolean;
}

/** A chunk of an attempt's output: whole lines of one stream, except for lines that are longer than a chunk. */
export interface LogChunk {
  /** The sequence number of the chunk; starts at 0 and has no gaps. */
  readonly seq: number;
  readonly stream: StreamName;
  readonly bytes: Buffer;
  /** The number of lines that end in this chunk of output. */
  readonly lines: number;
  /** The number of whole lines of each stream before this chunk. */
  readonly stdoutBefore: number;
  readonly stderrBefore: number;
  /** The number of bytes of both streams before this chunk. */
  readonly bytesBefore: number;
  /**
   * The number of the chunk from which to read to get whole every line that ends in this chunk or later; it is an
   * earlier one if a long line began there.
   */
  readonly firstLineIn: number;
}
