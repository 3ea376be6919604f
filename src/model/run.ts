import type { Diagnostic, Severity } from "./diagnostic.ts";
import type { Masked } from "./masked.ts";
import type { TestSummary } from "./test-summary.ts";

export type StreamName = "stdout" | "stderr";

/**
 * Which part of a run a piece of output belongs to: the record (the output of the command itself), the view (what the
 * filters in the command line let through), or both.
 */
export type OutputPart = "record" | "view" | "both";

/** What ended a run. Of several causes the first one counts: a run that timed out and then crashed is `timed_out`. */
export type EndCause =
  | "exit"
  | "signal"
  | "timed_out"
  | "cancelled"
  | "output_limit"
  /** The command used more memory, processes or disk than the worker allows. */
  | "resource_limit"
  | "not_found"
  | "not_executable"
  | "spawn_failed"
  /** The Pith server that ran the command died; what the command did afterwards is unknown. */
  | "interrupted"
  /** Several workers in a row died while they ran the command. */
  | "worker_lost";

export interface RunEnd {
  readonly cause: EndCause;
  /** The command's own exit code; absent if it did not exit by itself. */
  readonly exitCode?: number;
  readonly signal?: string;
  /** Why the command did not start, or which processes it left behind. */
  readonly detail?: string;
  /**
   * The exit code of the whole command line in the shell; present if the exit code that counts is that of one stage of
   * it.
   */
  readonly lineExitCode?: number;
  /** Stages of the command line whose outcome is hidden by the exit code of the whole line or by filters. */
  readonly hidden?: readonly HiddenStage[];
  /**
   * The part of the command line that could not be parsed, because of which the exit codes of its stages are unknown.
   */
  readonly unread?: string;
  /** True if some output of the command line's stages is missing from the log. */
  readonly isPartial?: boolean;
  /** The pool worker that ran the command, or was the last to do so. */
  readonly worker?: string;
  /** How long the job waited in the pool's queue; absent if only the worker's own account of the end is known. */
  readonly queuedMs?: number;
  /** How long the worker had the job, including what it installed. */
  readonly workedMs?: number;
  /** Present if earlier workers of the pool lost the job. */
  readonly earlier?: EarlierAttempts;
  /** The labels of that worker. */
  readonly workerLabels?: readonly string[];
  /** Present if a worker of the pool did not run the command, because this earlier run had checked the same files. */
  readonly reused?: { readonly run: string; readonly by: string; readonly endedAt: number };
  /** What a worker of the pool installed before the command; absent if there was nothing to install. */
  readonly prepared?: readonly PreparedEnvironment[];
  /** The working tree when the command had ended; absent if the command is no check, or outside of git. */
  readonly tree?: TreeState;
  /**
   * What decided the answer of a command that only checks; present if it ended with an answer and nothing changed while
   * it ran. A later command with equal inputs has the same answer.
   */
  readonly inputs?: CheckInputs;
}

/** The attempts at a job of the pool whose workers lost it. */
export interface EarlierAttempts {
  /** The number of the attempt that ended the job. */
  readonly attempt: number;
  /** How long the earlier ones had the job. */
  readonly ms: number;
}

/** What a package manager installed for a job before its command. */
export interface PreparedEnvironment {
  /** The package manager. */
  readonly name: string;
  /** The folder of its lock file below the top folder; empty for the top folder. */
  readonly folder: string;
  /**
   * `hit`: an earlier job with the same files had installed it; `made`: this job has; `skipped`: the package manager is
   * not there; `failed`: it failed, and the job ran without it if it can.
   */
  readonly outcome: "hit" | "made" | "skipped" | "failed";
  readonly ms: number;
  /** How much of that time went by while another job installed the same; absent if there was none. */
  readonly waitedMs?: number;
  /** Why it was skipped or failed, or why what it has made cannot be used again. */
  readonly detail?: string;
  /** A command of the project itself that failed after the packages were installed; the job ran without it. */
  readonly failedScript?: string;
}

/** Hashes of everything that decides the answer of a check. */
export interface CheckInputs {
  /** The environment, the programs, and the settings outside of the repository. */
  readonly outside: string;
  /** All files of the repository by their size and times, without the caches of the tools that ran. */
  readonly strict: string;
  /** The caches of the tools that ran. */
  readonly caches: string;
  /** The same files as in `strict`, but by their content where git does not ignore them. */
  readonly content: string;
  /** How long it took to compute them, before and after the command. */
  readonly costMs: number;
}

/** The state of a git working tree: a commit, and the files that differ from it. Paths are relative to the top folder. */
export interface TreeState {
  readonly commit: string;
  /** The folder of the run below the top folder: empty, or with a slash at its end. */
  readonly prefix: string;
  readonly files: readonly TreeFile[];
  /** The number of untracked files, if they are too many to list. */
  readonly untracked?: number;
}

/** A file that differs from the commit. */
export interface TreeFile {
  readonly path: string;
  /** Identifies the content; absent if the file is deleted. */
  readonly blob?: string;
  /** True if the commit does not have it. */
  readonly isNew?: true;
}

/**
 * A stage of a command line (such as `a` in `a | b`) whose outcome the exit code of the whole line hides or
 * contradicts.
 */
export interface HiddenStage {
  readonly kind:
    /** The stage failed, and the exit code is that of the stage. */
    | "failed"
    /** The stage failed, but it is not a build tool, as in `cat missing | head`. */
    | "mentioned"
    /** The stage was terminated because the filter after it had read enough. */
    | "cut"
    /** The stage did not run, because an earlier stage failed or made it unnecessary. */
    | "not_run"
    /** The filter after the stage ended with an exit code that differs from the stage's. */
    | "filter";
  /** The text of the stage in the command line; present if there is more than one stage. */
  readonly command?: string;
  readonly exitCode?: number;
  /** The text that follows the stage in the command line, such as `| head`. */
  readonly behind: string;
  /** True if the next stage ended first and thereby closed this stage's output. */
  readonly isCut?: boolean;
}

/** The size of a run's log. Lines are counted over both streams, in the order in which they were completed. */
export interface LogTotals {
  readonly lines: number;
  readonly stdoutLines: number;
  readonly stderrLines: number;
  readonly bytes: number;
}

/** A run: one executed command. */
export interface Run {
  /** A short id of the run, unique in its data folder. */
  readonly id: string;
  /** The root folder of the run's workspace. */
  readonly workspace: string;
  /** The command as one would type it in a shell. */
  readonly command: string;
  /** The name of the build tool (such as `npm.test`) by which the command was requested, if any. */
  readonly tool?: string;
  readonly cwd: string;
  /** The name of the machine on which the command ran, if it is not this one. */
  readonly host?: string;
  readonly startedAt: number;
  /** When the command ended; absent while it runs. */
  readonly endedAt?: number;
  readonly end?: RunEnd;
  /** Why the result of the run could not be stored; it is then known only to this process. */
  readonly unstored?: string;
  readonly log: LogTotals;
  /** What was parsed from the output; present once the run has ended. */
  readonly findings?: RunFindings;
}

/** The facts parsed from a run's output. */
export interface RunFindings {
  readonly diagnostics: readonly Diagnostic[];
  readonly tests: readonly TestSummary[];
  /** The number of problems found, by severity, including those that were too many to keep. */
  readonly counts: Readonly<Record<Severity, number>>;
  /** The numbers of problems that were found but are not listed, because there were too many. */
  readonly notKept: { readonly diagnostics: number; readonly failures: number };
  /** True if the command was meant to run tests. */
  readonly testsExpected: boolean;
  /** General advice that the build tools printed; absent in runs stored by older versions of Pith. */
  readonly advice?: readonly string[];
  /** Parts of a split command that ended with 0, although they were meant to run tests and reported none. */
  readonly silentParts?: readonly SilentPart[];
  /**
   * Files named in the diagnostics that did not exist where the command ran. If such a file is missing later, that is
   * no change.
   */
  readonly unresolvedFiles?: readonly string[];
  /** Package scripts that a package manager announced, with the command lines they stand for. */
  readonly scripts?: readonly ScriptLine[];
  /** An excerpt of the lines of each stream that no parser recognized. */
  readonly unclaimed: Readonly<Record<StreamName, Excerpt>>;
  /** The first unrecognized lines that look like errors. */
  readonly suspects: readonly LogLine[];
  /**
   * What the filters of the command line (such as `| tail`) let through; absent if there are none or if it is too long.
   */
  readonly view?: readonly ViewLine[];
  /** The secrets masked in the log and in parsed reports, by line. */
  readonly masked?: Masked;
}

/** A part of a split test run without the result of any test. */
export interface SilentPart {
  readonly number: number;
  /** The number of all parts. */
  readonly count: number;
  readonly run: string;
}

/** A package script and the command line it stands for. */
export interface ScriptLine {
  readonly name: string;
  readonly line: string;
}

/** A whole line that a command line printed after its filters. */
export type ViewLine = Pick<LogLine, "stream" | "text">;

/**
 * Names a text of a run that can be read by lines: one of its streams, or the output of the filters in its command
 * line.
 */
export type LogName = StreamName | "view";

/** The first and last lines of a text, with a count of those between. Line numbers are those of the whole log. */
export interface Excerpt {
  readonly total: number;
  readonly first: readonly LogLine[];
  readonly last: readonly LogLine[];
}

/** One log line as shown, without escape sequences and truncated if it is long. */
export interface LogLine {
  /** The line's number, counted from 1 in the requested stream or over both streams. */
  readonly number: number;
  readonly stream: StreamName;
  readonly text: string;
  /** The 1-based character at which `text` begins; absent if it begins at the start of the line. */
  readonly column?: number;
  /** The part of the line after `text` that is not shown. */
  readonly hidden?: HiddenText;
}

/** The part of a line that was left out at its end. */
export interface HiddenText {
  readonly characters: number;
  /**
   * Present if the number of characters is only an upper or lower bound, because the rest was not read or contains
   * control characters.
   */
  readonly bound?: "most" | "least";
  /**
   * True if the shown text is only a part that was parsed out of the line, so that reading on must start with the whole
   * line.
   */
  readonly isOfParsedText?: true;
}
