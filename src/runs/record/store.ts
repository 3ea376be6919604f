import type { LogSource } from "../../logs/log-source.ts";
import type { LogTotals, Run, RunEnd, RunFindings } from "../../model/run.ts";

/** The process that executes a run, by its process id and an identity that no later process with that id has. */
export interface RunOwner {
  readonly pid: number;
  readonly identity: string;
}

export interface NewRun {
  /**
   * The id of the run, if it was already chosen so that it is free in a shared store; by default the store chooses one.
   */
  readonly id?: string;
  /** True if the store chooses an id that cannot be guessed, because others can reach the server that shows the run. */
  readonly hasLongId?: boolean;
  readonly workspace: string;
  readonly command: string;
  readonly tool?: string;
  readonly cwd: string;
  /** A key that is equal for runs of the same command in the same folder. Such runs are compared with each other. */
  readonly key: string;
  readonly startedAt: number;
  readonly owner: RunOwner;
}

/** The record of a run. Its findings (diagnostics and test results) may be large, so only some queries load them. */
export interface StoredRun extends Run {
  readonly key: string;
  readonly owner: RunOwner;
}

export interface RunEnding {
  readonly endedAt: number;
  readonly end: RunEnd;
  readonly log: LogTotals;
  readonly findings?: RunFindings;
}

/** Limits on the completed runs that are kept per workspace. */
export interface Retention {
  readonly count: number;
  readonly maxAgeMs: number;
  readonly maxBytes: number;
}

/** Stores the records of runs. Several Pith processes may use it at once. */
export interface RunStore {
  /** Adds a new run and gives it an id. */
  add(run: NewRun): Promise<StoredRun>;
  /**
   * Makes another process the owner of the run. If the store does not have the run, because its file is new, the run is
   * added.
   */
  adopt(run: StoredRun, owner: RunOwner): Promise<void>;
  /** Requests the end of a run; the process that executes it polls for such requests. */
  askToStop(id: string): Promise<void>;
  /** Returns whether the end of the run was requested. */
  stopAsked(id: string): Promise<boolean>;
  /** Stores the result of a run, unless it already has one. */
  finish(id: string, ending: RunEnding): Promise<void>;
  /** Loads a run with its findings (diagnostics and test results). */
  get(id: string): Promise<StoredRun | undefined>;
  /** Lists runs without their findings, the newest first. */
  list(workspace: string, limit: number): Promise<StoredRun[]>;
  /** The workspaces of this machine that have runs, the one with the newest run first. */
  workspaces(): Promise<string[]>;
  /** Lists the runs of all workspaces that have not ended. */
  running(): Promise<StoredRun[]>;
  /** Finds the newest earlier run with the same key that ended by itself, with its findings. */
  previous(run: StoredRun): Promise<StoredRun | undefined>;
  /** Removes the records and logs of runs beyond the limits, oldest first, but never a running one. */
  retain(workspace: string, limits: Retention): Promise<void>;
  /** Returns whether a run with this id was stored earlier and has been removed. */
  wasRemoved(id: string): Promise<boolean>;
  /** The paths of damaged store files that were moved away and replaced, the oldest first. */
  setAside(): readonly string[];
  /** The paths of damaged store files that were moved away and not reported yet; it marks them as reported. */
  takeSetAside(): readonly string[];
  /** The path of the run's log files without their suffixes. */
  logBase(run: Pick<StoredRun, "id" | "workspace">): string;
  /** Opens the run's log; undefined if it was removed. */
  openLog(run: StoredRun): Promise<LogSource | undefined>;
  close(): Promise<void>;
}
