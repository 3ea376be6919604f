import type { DiagnosticGroup } from "./diagnostic-group.ts";
import type { Diagnostic } from "./diagnostic.ts";
import type { Excerpt, LogLine, Run, StreamName } from "./run.ts";
import type { TestFailure } from "./test-summary.ts";

export type Verbosity = "minimal" | "normal" | "full";

/** How many of the last lines of stdout a level shows: `minimal` only where nothing else explains a failure. */
export const STDOUT_LINES = { minimal: 20, normal: 50 } as const;

/** What is said of a run that has ended, or of one that still goes on. */
export interface RunReport {
  readonly run: Run;
  readonly verbosity: Verbosity;
  /** Why it has not begun, where it waits in a queue. */
  readonly waiting?: string;
  /** Where it ran, or runs, in a pool. */
  readonly place?: RunPlace;
  /** False also for tests that did not pass although the exit code is 0. */
  readonly success: boolean;
  /** All evidence agrees on success. */
  readonly passed: boolean;
  /** What does not fit together, one clause each. */
  readonly disagreements: readonly string[];
  /** What the command line itself does not show of its stages, one clause each. */
  readonly hidden?: readonly string[];
  /** What befell the record of the run or the store of runs, one sentence each. */
  readonly notices?: readonly string[];
  /** Against the previous run of the same command; absent where there was none or nothing to compare. */
  readonly delta?: RunDelta;
  /** All diagnostics, grouped: those that the previous run did not have, and the others. */
  readonly groups: {
    readonly fresh: readonly DiagnosticGroup[];
    readonly others: readonly DiagnosticGroup[];
  };
  /** The same in as few groups as can be, where there are many. */
  readonly closeGroups?: RunReport["groups"];
  /** The streams as far as the verbosity asks for them, and the end of the output where it is the only evidence. */
  readonly output: Partial<Readonly<Record<StreamName | "both", Excerpt>>>;
  /** The same of what the filters in the command line printed; absent where there are none. */
  readonly view?: RunReport["output"];
  /** The whole output, where it is short: no reply may be larger than it. */
  readonly raw?: readonly LogLine[];
}

/** A worker of the pool. */
export interface RunPlace {
  readonly worker: string;
  /** It is this server itself, which runs its own jobs while no worker can take them. */
  readonly isLocalFallback: boolean;
}

/**
 * Against the previous run: its errors, warnings and failures are those fixed, gone, not run and unchanged together; those of this run are the
 * fresh and the unchanged ones.
 */
export interface RunDelta {
  readonly previousRun: string;
  /** The test ran and passed; the file was checked and has no such complaint. */
  readonly fixed: DeltaPart;
  /** The test or its file is no longer there. */
  readonly gone: DeltaPart;
  /** It is not known: this run did not come that far, or did not look. */
  readonly notRun: DeltaPart;
  readonly fresh: DeltaPart;
  readonly unchanged: DeltaPart;
}

export interface DeltaPart {
  readonly diagnostics: readonly Diagnostic[];
  readonly failures: readonly TestFailure[];
}

/** A piece of a run's log. */
export interface LogSlice {
  readonly run: Run;
  readonly stream: StreamName | "both" | "view";
  readonly lines: readonly LogLine[];
  /** The first and last line looked at; the last is before the first where there was none. */
  readonly startLine: number;
  readonly endLine: number;
  readonly totalLines: number;
  /** Whether lines follow: up to the last one that was asked for by its number, or else in the log. */
  readonly hasMore: boolean;
  /** The last line that was asked for by its number. */
  readonly wantedEnd?: number;
  /** With a search: how many lines match in all. */
  readonly matches?: number;
  readonly grep?: string;
}
