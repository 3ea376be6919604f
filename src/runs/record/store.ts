import type { LogSource } from "../../logs/log-source.ts";
import type { LogTotals, Run, RunEnd, RunFindings } from "../../model/run.ts";

/** Which server works on a run; see processIdentity. */
export interface RunOwner {
  readonly pid: number;
  readonly identity: string;
}

export interface NewRun {
  /** One that is free in a larger store; left out, the store finds one. */
  readonly id?: string;
  readonly workspace: string;
  readonly command: string;
  readonly tool?: string;
  readonly cwd: string;
  /** The same for the same command in the same folder: what runs are compared by. */
  readonly key: string;
  readonly startedAt: number;
  readonly owner: RunOwner;
}

/** A run as it is kept. Findings are read only where they are asked for: they may be large. */
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

/** How much of a workspace's completed runs is kept. */
export interface Retention {
  readonly count: number;
  readonly maxAgeMs: number;
  readonly maxBytes: number;
}

/** Where runs are kept. Safe for several servers at once. */
export interface RunStore {
  /** Keeps a new run under an id of its own. */
  add(run: NewRun): Promise<StoredRun>;
  /** Notes that another process works on the run from now on; a run that is not there, as in a new file, is added. */
  adopt(run: StoredRun, owner: RunOwner): Promise<void>;
  /** Notes that somebody wants the run to end: whoever works on it looks for this, in whatever process. */
  askToStop(id: string): Promise<void>;
  /** Whether somebody wants, or wanted, the run to end. */
  stopAsked(id: string): Promise<boolean>;
  /** Notes how a run ended; a run that has ended already stays as it is. */
  finish(id: string, ending: RunEnding): Promise<void>;
  /** With its findings. */
  get(id: string): Promise<StoredRun | undefined>;
  /** The newest first, without findings. */
  list(workspace: string, limit: number): Promise<StoredRun[]>;
  /** Runs of all workspaces that have not ended. */
  running(): Promise<StoredRun[]>;
  /** The newest run with this key before the given one that came to an end by itself, with its findings. */
  previous(run: StoredRun): Promise<StoredRun | undefined>;
  /** Removes the records and logs of runs beyond the limits, oldest first; never one that is running. */
  retain(workspace: string, limits: Retention): Promise<void>;
  /** Whether a run of this id was once kept here. */
  wasRemoved(id: string): Promise<boolean>;
  /** The damaged files that a new store took the place of, the oldest first. */
  setAside(): readonly string[];
  /** Those among them that nobody was told of. */
  takeSetAside(): readonly string[];
  /** The path of the run's log files without their ends. */
  logBase(run: Pick<StoredRun, "id" | "workspace">): string;
  /** The run's log, wherever it is kept; undefined for one that is gone. */
  openLog(run: StoredRun): Promise<LogSource | undefined>;
  close(): Promise<void>;
}
