import type { DiagnosticGroup } from "./diagnostic-group.ts";
import type { Diagnostic } from "./diagnostic.ts";
import type { Disagreement } from "./disagreement.ts";
import type { Excerpt, HiddenStage, LogLine, Run, StreamName } from "./run.ts";
import type { TestFailure } from "./test-summary.ts";
import type { Waiting } from "./waiting.ts";

export type Verbosity = "minimal" | "normal" | "full";

/** The number of last stdout lines that a level shows; `minimal` shows them only if nothing else explains a failure. */
export const STDOUT_LINES = { minimal: 20, normal: 50 } as const;

/** The report about a run that has ended or still runs. */
export interface RunReport {
  readonly run: Run;
  readonly verbosity: Verbosity;
  /** True if the caller left the verbosity to the tool: then many failures are answered with their causes, as at `minimal`. */
  readonly showsCauses?: boolean;
  /** Why the run has not started, if it waits in a queue. */
  readonly waiting?: Waiting;
  /** The worker of a pool that runs or ran it. */
  readonly place?: RunPlace;
  /** False also for tests that did not pass although the exit code is 0. */
  readonly success: boolean;
  /** True if all evidence agrees on success. */
  readonly passed: boolean;
  /** Contradictions in the evidence, the weightiest first. */
  readonly disagreements: readonly Disagreement[];
  /** Facts about stages that the command line's own exit code hides. */
  readonly hidden?: readonly HiddenFact[];
  /** Problems with the record of the run or the store of runs, one sentence each. */
  readonly notices?: readonly string[];
  /** The comparison with the previous run of the same command; absent if there was none or nothing to compare. */
  readonly delta?: RunDelta;
  /** All diagnostics in groups: those that the previous run did not have, and the others. */
  readonly groups: {
    readonly fresh: readonly DiagnosticGroup[];
    readonly others: readonly DiagnosticGroup[];
  };
  /** The same diagnostics in as few groups as possible, if there are many. */
  readonly closeGroups?: RunReport["groups"];
  /** The streams as far as the verbosity requests them, and the end of the output if it is the only evidence. */
  readonly output: Partial<Readonly<Record<StreamName | "both", Excerpt>>>;
  /** The output of the filters in the command line; absent if it has none. */
  readonly view?: RunReport["output"];
  /** The whole output if it is short, because a reply must never be larger than the output itself. */
  readonly raw?: readonly LogLine[];
}

/** Something that the exit code and the output of a command line do not show. */
export type HiddenFact =
  | { readonly kind: "stage"; readonly stage: HiddenStage }
  /** This part of the line could not be read, so the exit codes inside it are not known. */
  | { readonly kind: "unread"; readonly text: string }
  /** Tests were expected, but their results are not in the part of the output that was recorded. */
  | { readonly kind: "unrecorded_tests" };

/** A worker of the pool. */
export interface RunPlace {
  readonly worker: string;
  /** True if the server itself ran the job because no worker could take it. */
  readonly isLocalFallback: boolean;
}

/**
 * The comparison with the previous run. Its problems are the fixed, gone, not run and unchanged ones together; those of this run are the
 * fresh and unchanged ones.
 */
export interface RunDelta {
  readonly previousRun: string;
  /** The test ran and passed, or the file was checked and no longer has the problem. */
  readonly fixed: DeltaPart;
  /** The test or its file no longer exists. */
  readonly gone: DeltaPart;
  /** Unknown, because this run did not get that far or did not check. */
  readonly notRun: DeltaPart;
  readonly fresh: DeltaPart;
  readonly unchanged: DeltaPart;
}

export interface DeltaPart {
  readonly diagnostics: readonly Diagnostic[];
  readonly failures: readonly TestFailure[];
}

/** A range of lines of a run's log. */
export interface LogSlice {
  readonly run: Run;
  readonly stream: StreamName | "both" | "view";
  readonly lines: readonly LogLine[];
  /** The first and last line examined; if there was none, the last is less than the first. */
  readonly startLine: number;
  readonly endLine: number;
  readonly totalLines: number;
  /** True if more lines follow, up to the last requested line number or else to the end of the log. */
  readonly hasMore: boolean;
  /** The last line that was requested by number. */
  readonly wantedEnd?: number;
  /** The total number of matching lines, for a search. */
  readonly matches?: number;
  readonly grep?: string;
}
