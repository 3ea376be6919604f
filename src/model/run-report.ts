import type { DiagnosticGroup } from "./diagnostic-group.ts";
import type { Diagnostic } from "./diagnostic.ts";
import type { Disagreement } from "./disagreement.ts";
import type { EarlierAttempts, Excerpt, HiddenStage, LogLine, Run, StreamName } from "./run.ts";
import type { TestChoice } from "./test-choice.ts";
import type { TestFailure } from "./test-summary.ts";
import type { Waiting } from "./waiting.ts";

export type Verbosity = "minimal" | "normal" | "full";

/**
 * How many of the last lines of stdout each verbosity level shows; `minimal` shows them only if nothing else explains a
 * failure.
 */
export const STDOUT_LINES = { minimal: 20, normal: 50 } as const;

/** The report about a run of a command that has ended or still runs. */
export interface RunReport {
  readonly run: Run;
  readonly verbosity: Verbosity;
  /**
   * True if the caller did not choose a verbosity: many failures are then summarized by their causes, as at the level
   * `minimal`.
   */
  readonly showsCauses?: boolean;
  /** Present if the command was not run again, because this earlier run read exactly what it would read now. */
  readonly reused?: { readonly ageMs: number };
  /** Which test files were chosen for the changes of the working tree, if the run is of those. */
  readonly choice?: TestChoice;
  /** Why the run has not started, if it waits in a queue. */
  readonly waiting?: Waiting;
  /** The worker of the pool that runs or ran the command. */
  readonly place?: RunPlace;
  /** True if the command succeeded. It is false also if the exit code is 0 but tests did not pass. */
  readonly success: boolean;
  /** True if all evidence (exit code, tests, printed errors) agrees that the command succeeded. */
  readonly passed: boolean;
  /** Contradictions between the exit code and the output of the run, the most important first. */
  readonly disagreements: readonly Disagreement[];
  /** Failures in stages of a pipeline that the exit code of the whole command line hides. */
  readonly hidden?: readonly HiddenFact[];
  /** Problems with storing this run or reading earlier ones, one sentence each. */
  readonly notices?: readonly string[];
  /**
   * The comparison with the previous run of the same command; absent if there was no previous run or nothing to
   * compare.
   */
  readonly delta?: RunDelta;
  /** Tests that passed and failed in runs of the same command on the same tree. */
  readonly flaky?: readonly FlakyTest[];
  /** For a red run in a git repository: the last green run of the same command and what changed since, or recent commits. */
  readonly sinceGreen?: SinceGreen;
  /**
   * All diagnostics of the run in groups with a common message: those that the previous run did not have, and the
   * others.
   */
  readonly groups: {
    readonly fresh: readonly DiagnosticGroup[];
    readonly others: readonly DiagnosticGroup[];
  };
  /** Set if the report is reduced to the diagnostics and failed tests that match a regular expression. */
  readonly selection?: {
    readonly pattern: string;
    readonly diagnostics: Selected;
    readonly failures: Selected;
  };
  /**
   * Excerpts of the output: what the verbosity requests of each stream, and the end of the output if nothing else shows
   * what happened.
   */
  readonly output: Partial<Readonly<Record<StreamName | "both", Excerpt>>>;
  /** What the filters of the command line (such as `| tail`) let through; absent if there are no filters. */
  readonly view?: RunReport["output"];
  /**
   * The whole output, present if it is short: it can then replace a longer report, because a reply must never be larger
   * than the output itself.
   */
  readonly raw?: readonly LogLine[];
}

/** How many findings of one kind a reduced report has, of how many. */
interface Selected {
  readonly shown: number;
  readonly total: number;
}

/** A fact about a command line that neither its exit code nor its output shows. */
export type HiddenFact =
  | { readonly kind: "stage"; readonly stage: HiddenStage }
  /** A part of the command line could not be parsed, so the exit codes of the commands in it are unknown. */
  | { readonly kind: "unread"; readonly text: string }
  /** The command was expected to run tests, but their results are not in the recorded part of the output. */
  | { readonly kind: "unrecorded_tests" };

/** The worker of the pool on which a command ran. */
export interface RunPlace {
  readonly worker: string;
  /** True if the server itself ran the command because no worker could take it. */
  readonly isLocalFallback: boolean;
  /** The labels that the job required, by which the worker was chosen; empty if any worker could take it. */
  readonly needs: readonly string[];
  /** True if the worker had run jobs of this repository or with the same packages before, for which it is preferred. */
  readonly isWarm: boolean;
  /** How long the job waited for the worker. */
  readonly queuedMs: number;
  /** Present if earlier workers lost the job. */
  readonly earlier?: EarlierAttempts;
  /** How long the worker had the job, including what it installed. */
  readonly workedMs: number;
  /** Files that the failed command missed, which exist here but were not sent because git ignores them. */
  readonly notSent: readonly string[];
}

/**
 * The comparison of a run with the previous one. The previous run's problems are those in `fixed`, `gone`, `notRun` and
 * `unchanged` together; this run's problems are those in `fresh` and `unchanged`.
 */
export interface RunDelta {
  readonly previousRun: string;
  /** Problems that were fixed: the test ran and passed, or the file was checked and no longer has the problem. */
  readonly fixed: DeltaPart;
  /** Problems that are gone because the test or its file no longer exists. */
  readonly gone: DeltaPart;
  /** Earlier problems whose state is unknown, because this run did not get that far or did not check them. */
  readonly notRun: DeltaPart;
  readonly fresh: DeltaPart;
  readonly unchanged: DeltaPart;
}

export interface DeltaPart {
  readonly diagnostics: readonly Diagnostic[];
  readonly failures: readonly TestFailure[];
}

/** A test that passed and failed on the same tree. */
export interface FlakyTest {
  readonly name: string;
  readonly file?: string;
  /** The number of runs on this tree in which it failed, and in which it ran. */
  readonly failed: number;
  readonly runs: number;
}

/** What may have turned a run red. Everything named here is a suspect, because nobody tried what happens without it. */
export type SinceGreen =
  /** The last green run of the same command, and the files that changed since, the likeliest first. */
  | {
      readonly kind: "changed";
      readonly green: GreenRun;
      readonly suspects: readonly SuspectFile[];
      /** The number of further files that changed. */
      readonly others: number;
      /** True if untracked files were too many to compare, so that new files are missing here. */
      readonly isOpen?: true;
    }
  /** The last green run saw the same files. */
  | { readonly kind: "same"; readonly green: GreenRun }
  /** No green run is known; uncommitted files of the failures, and recent commits that changed them. */
  | {
      readonly kind: "commits";
      readonly edits: readonly string[];
      readonly suspects: readonly SuspectCommit[];
      readonly others: number;
    };

/** The last green run of the same command in the same folder. */
export interface GreenRun {
  readonly id: string;
  /** The time between the ends of the two runs. */
  readonly earlierMs: number;
  readonly commit: string;
  /** The number of files that differed from the commit at that time. */
  readonly uncommitted: number;
}

/** A file that changed since the last green run. The path is relative to the folder of the run. */
export interface SuspectFile {
  readonly path: string;
  readonly change: "modified" | "new" | "deleted";
  /** The changed lines; empty if they are not known. */
  readonly lines: readonly ChangedLines[];
  /** The newest commit that changed it, and the number of further ones; absent if only uncommitted edits did. */
  readonly commit?: CommitName & { readonly others: number };
  /** True if the change, or a part of it, is not committed. */
  readonly isUncommitted: boolean;
  /** True if the green run had uncommitted edits of it that are gone. */
  readonly isUndone?: true;
}

/** Lines of the newer text. Where lines were only removed, both are the line before the gap. */
export interface ChangedLines {
  readonly start: number;
  readonly end: number;
}

export interface CommitName {
  readonly id: string;
  readonly subject: string;
}

/** A commit that changed files of the failures. */
export interface SuspectCommit extends CommitName {
  /** The time between the commit and the end of the run. */
  readonly earlierMs: number;
  /** The files that it shares with the failures, relative to the folder of the run, the nearest first. */
  readonly files: readonly string[];
  /** The number of other files that it changed. */
  readonly otherFiles: number;
}

/** A range of lines of a run's log. */
export interface LogSlice {
  readonly run: Run;
  /** Why the run has not started yet, so that its log is empty. */
  readonly waiting?: Waiting;
  readonly stream: StreamName | "both" | "view";
  readonly lines: readonly LogLine[];
  /** The numbers of the first and last line that were examined; if no line was, the last is less than the first. */
  readonly startLine: number;
  readonly endLine: number;
  readonly totalLines: number;
  /** True if more lines follow these, up to the last requested line number or else to the end of the log. */
  readonly hasMore: boolean;
  /** True if the end of the log was requested: if not all lines fit into a reply, the last ones matter most. */
  readonly isTail?: boolean;
  /** The last line that was requested, if the request gave line numbers. */
  readonly wantedEnd?: number;
  /** The total number of matching lines in the log, if the log was searched. */
  readonly matches?: number;
  readonly grep?: string;
}
