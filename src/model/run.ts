import type { Diagnostic, Severity } from "./diagnostic.ts";
import type { Masked } from "./masked.ts";
import type { TestSummary } from "./test-summary.ts";

export type StreamName = "stdout" | "stderr";

/** Output belongs to the record of a run, to the view that the filters in its command line produce, or to both. */
export type OutputPart = "record" | "view" | "both";

/** The cause that ended a run. The first of several causes counts: a run that timed out and then crashed is `timed_out`. */
export type EndCause =
  | "exit"
  | "signal"
  | "timed_out"
  | "cancelled"
  | "output_limit"
  | "not_found"
  | "not_executable"
  | "spawn_failed"
  /** The server that ran the command died; what the command did afterwards is unknown. */
  | "interrupted"
  /** Several workers in a row died while running it. */
  | "worker_lost";

export interface RunEnd {
  readonly cause: EndCause;
  /** The command's own exit code; absent if it did not exit by itself. */
  readonly exitCode?: number;
  readonly signal?: string;
  /** Why the command did not start, or what it left behind. */
  readonly detail?: string;
  /** The exit code of the whole command line in the shell, if the exit code that counts is that of one stage. */
  readonly lineExitCode?: number;
  /** Stages whose outcome the exit code of the line and its filters hide. */
  readonly hidden?: readonly HiddenStage[];
  /** Why the exit codes of the stages are unknown: the part of the command line that could not be parsed. */
  readonly unread?: string;
  /** True if some output of the stages is missing from the log. */
  readonly isPartial?: boolean;
}

/** A stage of a command line whose outcome the exit code of the line hides or contradicts. */
export interface HiddenStage {
  readonly kind:
    /** The stage failed; the exit code is its own. */
    | "failed"
    /** The stage failed, but is not a build tool: `cat missing | head`. */
    | "mentioned"
    /** A filter that had read enough terminated the stage. */
    | "cut"
    /** The stage did not run, because an earlier one failed or decided against it. */
    | "not_run"
    /** The filter after the stage ended with a different exit code. */
    | "filter";
  /** The stage's text in the command line, if there is more than one stage. */
  readonly command?: string;
  readonly exitCode?: number;
  /** The text that follows the stage in the command line. */
  readonly behind: string;
  /** True if the next stage ended first and closed this stage's output. */
  readonly isCut?: boolean;
}

/** The size of a log. Lines are counted over both streams in the order in which they were completed. */
export interface LogTotals {
  readonly lines: number;
  readonly stdoutLines: number;
  readonly stderrLines: number;
  readonly bytes: number;
}

/** One executed command. */
export interface Run {
  /** A short id, unique in its data folder. */
  readonly id: string;
  /** The root folder of the run's workspace. */
  readonly workspace: string;
  /** The command as one would type it. */
  readonly command: string;
  /** The name of the `build` tool by which the command was called, if any. */
  readonly tool?: string;
  readonly cwd: string;
  /** The machine on which it ran, if it is another one. */
  readonly host?: string;
  readonly startedAt: number;
  /** Absent while the command runs. */
  readonly endedAt?: number;
  readonly end?: RunEnd;
  /** Why the result is known only to this process: the store could not save it. */
  readonly unstored?: string;
  readonly log: LogTotals;
  /** Present once the run has ended and its output was parsed. */
  readonly findings?: RunFindings;
}

/** The facts parsed from a run's output. */
export interface RunFindings {
  readonly diagnostics: readonly Diagnostic[];
  readonly tests: readonly TestSummary[];
  /** Counts of all problems found, including those that were too many to keep. */
  readonly counts: Readonly<Record<Severity, number>>;
  /** The number of problems found but not kept. */
  readonly notKept: { readonly diagnostics: number; readonly failures: number };
  /** True if the command was meant to run tests. */
  readonly testsExpected: boolean;
  /** General advice that the tools printed; absent in runs stored by older versions. */
  readonly advice?: readonly string[];
  /** Files named in the diagnostics that did not exist where the command ran, so their later absence means nothing. */
  readonly unresolvedFiles?: readonly string[];
  /** Scripts that a package manager announced, with the command lines they stand for. */
  readonly scripts?: readonly ScriptLine[];
  /** The lines of each stream that no parser recognized. */
  readonly unclaimed: Readonly<Record<StreamName, Excerpt>>;
  /** The first unrecognized lines that look like errors. */
  readonly suspects: readonly LogLine[];
  /** The output of the filters in the command line; absent if there are none or if it is too long. */
  readonly view?: readonly ViewLine[];
  /** The secrets masked in the log and in parsed reports, by line. */
  readonly masked?: Masked;
}

/** A package script and the command line it stands for. */
export interface ScriptLine {
  readonly name: string;
  readonly line: string;
}

/** A whole line that the command line printed. */
export type ViewLine = Pick<LogLine, "stream" | "text">;

/** A text of a run that is read by lines: one of its streams, or the output of the filters in its command line. */
export type LogName = StreamName | "view";

/** The first and last lines of a text, with a count of those between. Line numbers are those of the whole log. */
export interface Excerpt {
  readonly total: number;
  readonly first: readonly LogLine[];
  readonly last: readonly LogLine[];
}

/** One log line as shown, without escape sequences and truncated if it is long. */
export interface LogLine {
  /** The 1-based line number, in the requested stream or over both. */
  readonly number: number;
  readonly stream: StreamName;
  readonly text: string;
  /** The 1-based character at which `text` begins; absent if it begins at the start of the line. */
  readonly column?: number;
  /** The part of the line after `text` that is not shown. */
  readonly hidden?: HiddenText;
}

/** The part at the end of a line that was left out. */
export interface HiddenText {
  readonly characters: number;
  /** Present if the number is only a bound, because the rest was not read or contains control characters. */
  readonly bound?: "most" | "least";
  /** True if the text shown was produced by a parser, so that only the whole line contains the rest. */
  readonly isOfParsedText?: true;
}
