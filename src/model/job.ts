import type { RunEnd, StreamName } from "./run.ts";

/** `queued`: no worker has it; `running`: one holds its lease; `ended`: it has its one result. */
export type JobState = "queued" | "running" | "ended";

/**
 * How one try to run a job came out. `lost`: the worker's lease ended and it was not heard of again; `stalled`: its
 * lease ended, but it came back later; `released`: the worker gave the job back before it was done.
 */
export type AttemptOutcome = "won" | "lost" | "stalled" | "released";

/** One try to run a job. Its number is the fencing token: only the newest one of a job may write. */
export interface JobAttempt {
  readonly token: number;
  readonly worker: string;
  readonly startedAt: number;
  readonly endedAt?: number;
  /** Absent while it runs. */
  readonly outcome?: AttemptOutcome;
  /** What was known of it when it ended without a result. */
  readonly seen?: string;
  readonly lines: number;
}

/** A command in the pool; its id is the id of its run. */
export interface Job {
  readonly id: string;
  readonly workspace: string;
  readonly command: string;
  readonly submitter: string;
  /** What a worker must have to take it. */
  readonly labels: readonly string[];
  readonly state: JobState;
  readonly submittedAt: number;
  readonly startedAt?: number;
  readonly endedAt?: number;
  /** Who has it, or had it last. */
  readonly worker?: string;
  /** The newest attempt's; 0 before the first. */
  readonly token: number;
  readonly cancelRequested: boolean;
  readonly end?: RunEnd;
}

/** Where a queued job stands. */
export interface QueuePosition {
  /** Jobs that are taken before it. */
  readonly ahead: number;
  /** Connected workers that have its labels. */
  readonly fitting: number;
  /** Connected workers in all. */
  readonly workers: number;
}

/** A worker as the pool sees it. */
export interface PoolWorker {
  readonly id: string;
  readonly slots: number;
  readonly labels: readonly string[];
  readonly active: number;
  readonly connectedSince: number;
  readonly lastSeen: number;
  /** Finishes what it has and takes nothing new. */
  readonly draining: boolean;
}

/** The pool as a whole. */
export interface PoolStatus {
  readonly workers: readonly PoolWorker[];
  readonly queued: number;
  readonly running: number;
  /** No worker is connected: servers run their own jobs. */
  readonly localFallback: boolean;
}

/** A piece of an attempt's output: whole lines of one stream, but for lines that are too long for one piece. */
export interface LogChunk {
  /** From 0, without gaps. */
  readonly seq: number;
  readonly stream: StreamName;
  readonly bytes: Buffer;
  /** How many lines end in it. */
  readonly lines: number;
  /** Whole lines of each stream before it. */
  readonly stdoutBefore: number;
  readonly stderrBefore: number;
  /** Bytes of both streams before it. */
  readonly bytesBefore: number;
  /** Where to begin to read, to have all lines whole that end in it or later: itself, unless a long line is unfinished. */
  readonly firstLineIn: number;
}
