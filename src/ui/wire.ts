import type { CommandHistory, FileHistory } from "../model/run-history.ts";
import type { RunDelta, RunReport } from "../model/run-report.ts";
import type { LogTotals, StreamName } from "../model/run.ts";
import type { Job, PoolStatus } from "../model/job.ts";
import type { ProjectStatus, ProjectSummary } from "../model/index-report.ts";
import type { UsagePage } from "../model/usage-page.ts";
import type { TestSummary } from "../model/test-summary.ts";
import type { WatchedCall } from "../model/watched-call.ts";

// The JSON that the page receives. The page imports these types and nothing else of the server.

/** What the page must know before it shows anything. */
export interface UiState {
  readonly version: string;
  /** The folder for which the server was started. */
  readonly home: string;
  readonly hasPool: boolean;
  /** False on a server that may change nothing: runs can then be neither stopped nor started. */
  readonly canRun: boolean;
}

/** The outcome of a run in one word; `unclear` if the evidence disagrees, `ended` if only an exit code of 0 is known. */
export type RunState = "running" | "ok" | "unclear" | "failed" | "stopped" | "ended";

/** A run in the list. */
export interface RunRow {
  readonly id: string;
  readonly workspace: string;
  readonly command: string;
  readonly tool?: string;
  readonly host?: string;
  readonly startedAt: number;
  readonly endedAt?: number;
  readonly state: RunState;
  /** How it ended in a few words, such as "exit 1". */
  readonly end: string;
  readonly log: LogTotals;
  /** What its findings say; absent while they are being read, and for runs without any. */
  readonly summary?: RunSummary;
}

export interface RunSummary {
  /** The first line of the report that an agent receives. */
  readonly verdict: string;
  readonly errors: number;
  readonly warnings: number;
  readonly tests?: Pick<TestSummary, "passed" | "failed" | "skipped" | "total">;
  readonly delta?: DeltaCounts;
}

/** The number of problems by what became of them since the previous run. */
export type DeltaCounts = Readonly<Record<Exclude<keyof RunDelta, "previousRun">, number>>;

export interface RunList {
  readonly workspaces: readonly string[];
  readonly runs: readonly RunRow[];
}

/** A run with everything that is known of it, except for its log. */
export interface RunPage {
  readonly row: RunRow;
  readonly cwd: string;
  readonly report: Omit<RunReport, "output" | "view" | "raw">;
  /** Other runs of the same command, the newest first. */
  readonly siblings: readonly RunRow[];
  /** What an agent is shown of this run, and how large the whole output is. */
  readonly shown: { readonly text: string; readonly tokens: number; readonly rawTokens: number };
}

/** A line of a log with its colour sequences. */
export interface WireLine {
  readonly number: number;
  readonly stream: StreamName;
  readonly text: string;
  /** The bytes of the line that are not in the text. */
  readonly hidden?: number;
}

export interface LogRange {
  readonly totals: LogTotals;
  readonly lines: readonly WireLine[];
  readonly isRunning: boolean;
}

export interface LogSearchResult {
  readonly numbers: readonly number[];
  /** True if the log has more matches than these. */
  readonly hasMore: boolean;
}

export interface SourceLines {
  readonly path: string;
  readonly startLine: number;
  readonly totalLines: number;
  readonly lines: readonly string[];
}

export interface HistoryPage {
  readonly workspace: string;
  readonly commands: readonly CommandHistory[];
  readonly files: readonly FileHistory[];
}

export type TokensPage = UsagePage;

/** The answer to a question about code: the text that an agent gets, and the places in it. */
export interface CodeAnswerPage {
  readonly text: string;
  readonly tokens: number;
  readonly isError: boolean;
  readonly places: readonly CodePlace[];
}

export interface CodePlace {
  readonly path: string;
  readonly line: number;
  readonly endLine?: number;
  readonly label: string;
  readonly note?: string;
}

export interface IndexPage {
  readonly current: ProjectStatus;
  readonly projects: readonly ProjectSummary[];
  /** The size of the index on disk, in bytes. */
  readonly bytes: number;
}

export interface PoolPage {
  readonly status: PoolStatus;
  readonly jobs: readonly Job[];
}

export interface CallsPage {
  readonly isOn: boolean;
  /** The number of running servers whose calls are shown. */
  readonly servers: number;
  readonly calls: readonly WatchedCall[];
}

/** What the server pushes while a page is open. */
export type UiEvent =
  | { readonly kind: "runs"; readonly runs: readonly RunRow[] }
  | { readonly kind: "log"; readonly id: string; readonly totals: LogTotals; readonly isRunning: boolean }
  | { readonly kind: "call"; readonly call: WatchedCall };

export type { RepositoryMap } from "../model/repository-map.ts";
