import type { Diagnostic, Severity } from "./diagnostic.ts";
import type { Masked } from "./masked.ts";
import type { TestSummary } from "./test-summary.ts";

export type StreamName = "stdout" | "stderr";

/** Where output belongs: to the record of a run, to the view that filters in its command line give of it, or to both. */
export type OutputPart = "record" | "view" | "both";

/** What ended a run. Of several causes the first counts: a run that was timed out and then died is `timed_out`. */
export type EndCause =
  | "exit"
  | "signal"
  | "timed_out"
  | "cancelled"
  | "output_limit"
  | "not_found"
  | "not_executable"
  | "spawn_failed"
  /** The server that ran it died; what the command did after that is not known. */
  | "interrupted"
  /** Worker after worker died with it. */
  | "worker_lost";

export interface RunEnd {
  readonly cause: EndCause;
  /** The command's own; absent where it did not exit by itself. */
  readonly exitCode?: number;
  readonly signal?: string;
  /** Why it did not start, or what was left behind. */
  readonly detail?: string;
  /** What the shell returned for the whole line, where the exit code that counts is a stage's own. */
  readonly lineExitCode?: number;
  /** What the line's exit code and its filters do not show. */
  readonly hidden?: readonly HiddenStage[];
  /** Why the exit codes of its stages are not known: what in its command line could not be read. */
  readonly unread?: string;
  /** Not all that its stages printed is in the log. */
  readonly isPartial?: boolean;
}

/** A stage of a command line about which the line itself says something else, or nothing. */
export interface HiddenStage {
  readonly kind:
    /** It failed; the exit code is its own. */
    | "failed"
    /** It failed, but is no tool: `cat missing | head`. */
    | "mentioned"
    /** A filter that had read enough ended it. */
    | "cut"
    /** Something before it failed or decided otherwise. */
    | "not_run"
    /** The filter behind it ended with another exit code. */
    | "filter";
  /** As it stands in the line, where there is more than one. */
  readonly command?: string;
  readonly exitCode?: number;
  /** What stands behind it in the line. */
  readonly behind: string;
  /** What stands behind it ended first, and closed its output. */
  readonly isCut?: boolean;
}

/** How large a log is. Lines are counted over both streams in the order they were completed. */
export interface LogTotals {
  readonly lines: number;
  readonly stdoutLines: number;
  readonly stderrLines: number;
  readonly bytes: number;
}

/** One executed command. */
export interface Run {
  /** Short, and unique in its data folder. */
  readonly id: string;
  /** The root of the workspace it belongs to. */
  readonly workspace: string;
  /** As one would type it. */
  readonly command: string;
  /** The name of a `build` tool, where it was called by one. */
  readonly tool?: string;
  readonly cwd: string;
  /** The machine it ran on, where that is not this one. */
  readonly host?: string;
  readonly startedAt: number;
  /** Absent while it runs. */
  readonly endedAt?: number;
  readonly end?: RunEnd;
  /** Why its end is known to this process alone: the store did not take it. */
  readonly unstored?: string;
  readonly log: LogTotals;
  /** Present once it has ended and its output was read. */
  readonly findings?: RunFindings;
}

/** What was read out of a run's output. */
export interface RunFindings {
  readonly diagnostics: readonly Diagnostic[];
  readonly tests: readonly TestSummary[];
  /** All that were found, also those that were too many to keep. */
  readonly counts: Readonly<Record<Severity, number>>;
  /** How many were found but not kept. */
  readonly notKept: { readonly diagnostics: number; readonly failures: number };
  /** Whether the command was meant to run tests. */
  readonly testsExpected: boolean;
  /** What the tools say of the run as a whole that helps to go on; absent in runs that older versions stored. */
  readonly advice?: readonly string[];
  /** The files named above that were not found where the command ran: what later becomes of them says nothing. */
  readonly unresolvedFiles?: readonly string[];
  /** The scripts that a package manager announced, with the command lines behind their names. */
  readonly scripts?: readonly ScriptLine[];
  /** The lines of each stream that say nothing the above do not say. */
  readonly unclaimed: Readonly<Record<StreamName, Excerpt>>;
  /** Of these, the first ones that look like errors. */
  readonly suspects: readonly LogLine[];
  /** What the filters in its command line printed of the record; absent where there are none, or where it is too long. */
  readonly view?: readonly ViewLine[];
  /** The secrets that are masked in the log, by its lines, and in what was read from a report. */
  readonly masked?: Masked;
}

/** A script of a package, and the command line behind its name. */
export interface ScriptLine {
  readonly name: string;
  readonly line: string;
}

/** A whole line that a command line showed. */
export type ViewLine = Pick<LogLine, "stream" | "text">;

/** What of a run is read by lines: one of its streams, or what the filters of its command line printed. */
export type LogName = StreamName | "view";

/** The beginning and the end of some lines; what lies between is counted. Numbers are those of the whole log. */
export interface Excerpt {
  readonly total: number;
  readonly first: readonly LogLine[];
  readonly last: readonly LogLine[];
}

/** One line of a log as it is shown: escapes gone, a long one up to a limit. */
export interface LogLine {
  /** 1-based, in the stream that was asked for, or over both. */
  readonly number: number;
  readonly stream: StreamName;
  readonly text: string;
  /** The character of the line that `text` begins with; absent: its first. */
  readonly column?: number;
  /** What of the line follows `text`. */
  readonly hidden?: HiddenText;
}

/** The end of a line that is left out. */
export interface HiddenText {
  readonly characters: number;
  /** There are so many at most (some are control characters, or were not read), or at least. */
  readonly bound?: "most" | "least";
  /** What is shown is not the line's own text but what a parser made of it: only the whole line has the rest. */
  readonly isOfParsedText?: true;
}
