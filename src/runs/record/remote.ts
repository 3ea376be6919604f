import type { Waiting } from "../../model/waiting.ts";
import type { LogSource } from "../../logs/log-source.ts";
import type { RunPlace } from "../../model/run-report.ts";
import type { ActiveRun } from "./active-run.ts";
import type { CommandPlan } from "../plan/plan.ts";
import type { RunEnding, RunOwner, RunStore, StoredRun } from "./store.ts";

/** Opens the logs of runs; the result is undefined if the log was removed. */
export interface RunLogs {
  open(run: StoredRun): Promise<LogSource | undefined>;
}

/** The owner that is stored for runs which the pool executes, and not a process of this machine. */
export const REMOTE_OWNER: RunOwner = { pid: 0, identity: "pool" };

export function isRemote({ owner }: Pick<StoredRun, "owner">): boolean {
  return owner.identity === REMOTE_OWNER.identity;
}

/** A request to run a command on a worker of the pool. */
export interface RemoteRequest {
  readonly workspace: string;
  readonly cwd: string;
  readonly plan: CommandPlan;
  /** The environment variables that the caller and the settings add; all others come from the worker's environment. */
  readonly env: Readonly<Record<string, string>>;
  readonly timeoutMs: number;
  /** The command ends if no connected worker can take it for this long; if absent, it waits for one. */
  readonly maxWaitMs?: number;
  readonly maxOutputBytes: number;
  readonly reports: boolean;
  /** The labels that the worker must have. */
  readonly labels: readonly string[];
  /** How urgent the command is; by default as the settings say. */
  readonly priority?: "low" | "normal" | "high";
  /** True if the command must run, even if its answer is known. */
  readonly isForced?: boolean;
  /** Said with the result. */
  readonly note?: string;
  /** See RunSettings. */
  readonly treeTimeoutMs?: number;
  readonly signal?: AbortSignal;
}

/** A request to the pool whose files are already uploaded. Only the id of the run is still missing. */
export interface PreparedRun {
  /** Submits the command, or another one on the same files. */
  submit(run: StoredRun, store: RunStore, plan?: CommandPlan): Promise<ActiveRun>;
}

/** Runs commands on the workers of a pool, and reports on the runs there. */
export interface RemoteRuns {
  /** Uploads a snapshot of the working tree. It throws `store_unavailable` if the pool is unavailable. */
  prepare(request: RemoteRequest): Promise<PreparedRun>;
  openLog(run: StoredRun): Promise<LogSource | undefined>;
  /** The result of the run; undefined while it goes on. */
  ending(run: StoredRun): Promise<RunEnding | undefined>;
  /** Explains why the run has not started yet; undefined once it has. */
  waiting(run: StoredRun): Promise<Waiting | undefined>;
  /** The worker that executes the run or was the last to do so; undefined if no worker has taken it. */
  place(run: StoredRun): Promise<RunPlace | undefined>;
  /** The number of jobs that the connected workers can run at the same time. */
  slots(): Promise<number>;
  /** Requests the end of the run and waits until it has ended. */
  stop(run: StoredRun): Promise<void>;
}
