import type { LogSource } from "../../logs/log-source.ts";
import type { RunPlace } from "../../model/run-report.ts";
import type { ActiveRun } from "./active-run.ts";
import type { CommandPlan } from "../plan/plan.ts";
import type { RunEnding, RunOwner, RunStore, StoredRun } from "./store.ts";

/** Where the logs of runs are read. Undefined for a log that is gone. */
export interface RunLogs {
  open(run: StoredRun): Promise<LogSource | undefined>;
}

/** A run that no process of this machine answers for: it belongs to the pool. */
export const REMOTE_OWNER: RunOwner = { pid: 0, identity: "pool" };

export function isRemote({ owner }: Pick<StoredRun, "owner">): boolean {
  return owner.identity === REMOTE_OWNER.identity;
}

/** What is to be run elsewhere. */
export interface RemoteRequest {
  readonly workspace: string;
  readonly cwd: string;
  readonly plan: CommandPlan;
  /** The caller's own variables; everything else is the worker's. */
  readonly env: Readonly<Record<string, string>>;
  readonly timeoutMs: number;
  readonly maxOutputBytes: number;
  readonly reports: boolean;
  /** What the worker must have. */
  readonly labels: readonly string[];
  readonly signal?: AbortSignal;
}

/** A request whose files are on their way already; only the run's id is missing. */
export interface PreparedRun {
  submit(run: StoredRun, store: RunStore): Promise<ActiveRun>;
}

/** Runs commands on other machines, and answers for the runs that are there. */
export interface RemoteRuns {
  /** Takes the working tree as it is now. Throws store_unavailable where the pool is away. */
  prepare(request: RemoteRequest): Promise<PreparedRun>;
  openLog(run: StoredRun): Promise<LogSource | undefined>;
  /** How the run ended there; undefined while it goes on. */
  ending(run: StoredRun): Promise<RunEnding | undefined>;
  /** Why it does not run yet, for people; undefined once it does. */
  waiting(run: StoredRun): Promise<string | undefined>;
  /** Which worker has the run, or had it last; undefined where none has. */
  place(run: StoredRun): Promise<RunPlace | undefined>;
  /** Asks for its end and waits until it has come. */
  stop(run: StoredRun): Promise<void>;
}
