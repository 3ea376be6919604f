import type { Diagnostic, Severity } from "../model/diagnostic.ts";
import type { OutputFormat } from "./formats/output-format.ts";
import type { RanFile, TestFailure, TestSummary } from "../model/test-summary.ts";

export type Ecosystem =
  | "js"
  | "python"
  | "rust"
  | "go"
  | "java"
  | "dotnet"
  | "c-cpp"
  | "ruby"
  | "php"
  | "swift"
  | "infra"
  | "general";

/** One line of output, cleaned for parsers: terminal escapes, carriage returns and prefixes of task runners are removed. */
export interface Line {
  readonly text: string;
  /** Line number in the run's log, counted from 1. */
  readonly number: number;
  readonly stream: Stream;
  /** Severity that a CI system gave the line (`##[error]…`); the marker itself is removed from the text. */
  readonly level?: Severity;
}

/**
 * The maximum length of a line; the rest is cut off before the parsers see it. JSON lines (`{…`) are exempt, because
 * the engine limits them when it reads the input.
 */
export const MAX_LINE = 32 * 1024;

export type Stream = "stdout" | "stderr";

/** A diagnostic as a parser reports it. The engine adds the tool's id unless the parser names another one (`clippy` in `cargo`). */
export type Found = Omit<Diagnostic, "tool"> & { readonly tool?: string };

/** A failed test as a parser reports it. Its runner is the tool's id unless the parser names another one. */
export type FoundFailure = TestFailure & { readonly runner?: string };

/** A test that passed or was skipped. Its name is written in the same form as the name of a failed test. */
export interface FoundOutcome {
  readonly name: string;
  readonly result: "passed" | "skipped";
  /** The test's file, if the runner prints it. */
  readonly file?: string;
  readonly runner?: string;
}

/** Receives what a parser finds. The engine drops exact repeats, so a parser need not check for them. */
export interface Sink {
  diagnostic(found: Found): void;
  /** Reports a failed test, a suite that did not load, or an error outside any test. */
  failure(found: FoundFailure): void;
  /** Reports the runner's closing counts. The engine adds up several summaries, such as those of the packages of a monorepo. */
  summary(counts: TestCounts): void;
  /** Reports a hint of the tool about the whole run, such as how many problems it can fix automatically. */
  advice(text: string): void;
  /** Reports a test that passed or was skipped, if the runner prints its name. */
  outcome(found: FoundOutcome): void;
  /** Reports a file, package or class whose tests ran to completion. */
  ranFile(found: RanFile & { readonly runner?: string }): void;
  /**
   * Removes the most recent diagnostic and returns it, if this tool reported it. A parser calls this when the diagnostic turns out to be the cause
   * of a test failure that it reports next, such as a crash that ended a test file.
   */
  retractLast(tool: string): Found | undefined;
  /** Returns the id of the tool that a rule belongs to, if the rule's name identifies it (`BuildTool.ruleNames`). Reports that many tools write often name only the rule. */
  readonly toolOfRule: (rule: string | undefined) => string | undefined;
}

/**
 * The counts that a runner prints; those it does not print are absent. The engine computes a missing total, and uses the tool's id as the runner's
 * name unless one is given.
 */
export type TestCounts = Partial<Omit<TestSummary, "failures" | "outcomes">>;

/**
 * Reads the output of one tool line by line. A parser accepts any text, never throws, and takes time linear in the
 * line's length. The parser that accepted a line is offered the next line of the same stream first, so it always sees
 * where its own block of lines ends: on another tool's line it reports what is pending and returns false. Each channel
 * (the output of one package, service or job) has its own parser, so the interleaved output of two packages
 * (`web:build: …`, `api:build: …`) goes to two parsers.
 */
export interface LineParser {
  /**
   * Offers a line to the parser. It returns true for lines that certainly belong to its tool, even if they say nothing
   * of interest; no other parser sees those.
   */
  take(line: Line): boolean;
  /** Signals the end of the output; the parser reports what is still pending. */
  end(): void;
}

/** Reads a report that is one document (SARIF, JUnit XML, a JSON array), alone or embedded in other output. */
export interface DocumentParser {
  /**
   * Returns whether a document with this beginning may be a report of this tool. The beginning has at most 2,000 characters and starts with `{`,
   * `[` or `<`; check for keys that only this tool writes.
   */
  matches(start: string): boolean;
  /** Returns false if the text is not such a document; the parser must not have reported anything in that case. */
  parse(text: string, sink: Sink): boolean;
}

/** Everything that Pith knows about one compiler, linter, test runner or package manager. */
export interface BuildTool {
  readonly id: string;
  readonly title: string;
  readonly url: string;
  readonly ecosystem: Ecosystem;
  /** The kinds of work that the tool does, such as building or testing. */
  readonly kinds: readonly ("build" | "test" | "lint" | "format" | "install" | "run")[];
  /** Names of the programs that write this tool's output; default: the id. Other tools may name the same program (`node` and `node-test`). */
  readonly programs?: readonly string[];
  /** Further names by which users may call the tool. */
  readonly aliases?: readonly string[];
  /**
   * Literal, case-sensitive texts without line breaks; every output that the parser understands contains at least one of them. The parser is
   * created when one is found and reads from up to 256 KB before it, so choose texts that occur near every finding and not only in a closing line.
   */
  readonly signatures: readonly string[];
  /**
   * Order in which tools are offered a line: higher first, default 0. Formats that identify their tool exactly get a positive number; formats whose
   * shape other tools share get a negative one.
   */
  readonly priority?: number;
  /** Table of the line formats in which the tool prints its diagnostics. A tool that a table cannot describe has a `parser` instead. */
  readonly format?: OutputFormat;
  parser?(sink: Sink): LineParser;
  readonly document?: DocumentParser;
  /**
   * Matches unindented lines that always start something new. Another tool's parser must not take them for a
   * continuation of a message that it is still reading.
   */
  readonly opens?: RegExp;
  /**
   * Matches indented lines that belong to this tool and to no other. Another tool's parser must not take them for a
   * continuation of what it is still reading, such as a diff.
   */
  readonly ownsIndented?: RegExp;
  /** Lines with which the tool announces the commands that it starts. */
  readonly announces?: Announcements;
  /** Matches the names of rules that only this tool has. */
  readonly ruleNames?: RegExp;
  /**
   * Set if test results in this format repeat what a runner prints itself: in a report that any runner may write, or in annotations that runners
   * write for a CI system in addition to their normal output.
   */
  readonly repeats?: "report" | "annotations";
  /** Returns the stage that the compiler had reached when it reported a diagnostic, if known. */
  stageOf?(diagnostic: Diagnostic): CompileStage | undefined;
  /** The named commands that the `build` tool can run, such as `npm.build` and `cargo.test`. */
  readonly commands?: readonly ToolCommand[];
  /** Names or globs of the files that make a folder a project of this tool. */
  readonly manifests?: readonly string[];
  /** The file in which projects name commands of their own for this tool, such as a Makefile. */
  readonly targets?: TargetFile;
  /** The words with which a command line runs only some of the tests. */
  readonly selectTests?: TestSelection;
  /**
   * How to run one failed test again: a text that is put before the `rerun` text that the parser reports for the
   * failure, or a function that builds the whole command from it. If this field is absent, the `rerun` text is itself
   * the whole command.
   */
  readonly rerun?: string | ((selector: string, failure: TestFailure) => string);
  /**
   * Returns the paths at which the file of a failed test may be, relative to the working directory and likeliest first. Only for runners that print
   * a file without its folder.
   */
  filesOf?(failure: TestFailure): readonly string[];
  /** Set for package managers that run the scripts of a package.json. */
  readonly packageManager?: PackageManager;
  /**
   * Set for type checkers, linters and formatters that only check: with the same files, the same command gives the same
   * answer and changes nothing. Such a run is answered from the last one while nothing has changed.
   */
  readonly pureCheck?: PureCheck;
}

/** Describes which command lines of a tool only check, and what they read apart from the files of the repository. */
export interface PureCheck {
  /** The first word after the program must be one of these, if the tool has subcommands. */
  readonly subcommands?: readonly string[];
  /** Must match the words after the program, for tools that write without it (`prettier --check`). */
  readonly requires?: RegExp;
  /** Matches the names of the options that change nothing but the answer. A command with any other option is run. */
  readonly options: RegExp;
  /** The exit codes with which the tool ends after it has checked everything; default: 0 and 1. */
  readonly exitCodes?: readonly number[];
  /** Matches the paths of the tool's own caches in the repository. */
  readonly caches?: RegExp;
  /** Matches the names of settings that the tool also looks for in parent folders and in the user's home folder. */
  readonly settings?: RegExp;
  /** True if the tool is one program file that may be anywhere; others must be installed inside of the repository. */
  readonly isOneFile?: true;
}

/**
 * Patterns for lines with which a tool announces the commands that it starts. Paths that those commands print are
 * relative to the folder or package that the capture group `folder` or `package` names.
 */
export interface Announcements {
  /** Matches the announcement of a script, which ends everything that earlier commands left open. */
  readonly script?: RegExp;
  /** Matches a line that names the package, or its folder, of the following commands. */
  readonly package?: RegExp;
  /** Matches a line that names the folder of the following commands, until a line matches `leaves`. */
  readonly enters?: RegExp;
  readonly leaves?: RegExp;
}

/** One phase of a compiler. Diagnostics of a later stage show that the earlier ones found no error. */
export interface CompileStage {
  readonly order: number;
  /** True if the stage reports all its diagnostics before the compiler stops. */
  readonly isReportedCompletely: boolean;
}

/** A folder whose tests are to be run as a whole. */
export interface TestFolder {
  /** All files of the folder that git does not ignore, relative to it. */
  readonly paths: readonly string[];
  /** The words of the command after its runner. */
  readonly words: readonly { readonly text: string; readonly expands: boolean }[];
  readonly folder: FolderFacts;
  /** Returns the text of a file of the folder. */
  readonly read: (path: string) => string;
}

/** What a runner of compiled tests needs before it can run the tests of some files. */
export interface CompiledTests {
  /** Returns those of the files that are part of a test. */
  readonly known: (paths: readonly string[], folder: FolderFacts) => readonly string[];
  /** The command that makes the other files known: it configures the build folder. */
  readonly configure: (folder: FolderFacts) => readonly string[];
  /** The command that compiles the tests, if the runner does not; without it the tests of older sources would run. */
  readonly build?: (folder: FolderFacts) => readonly string[];
}

/** The words with which a command line selects tests. A selection that the tool does not support is absent. */
export interface TestSelection {
  /** Selects tests by name. */
  filter?(text: string): readonly string[];
  /** Selects a package of a monorepo. */
  package?(name: string): readonly string[];
  /**
   * Returns the command line that runs only the tests of these files, whose paths are relative to the folder of the
   * command. `argv` is the command that runs all tests, without files.
   */
  readonly files?: (
    argv: readonly string[],
    paths: readonly string[],
    folder: FolderFacts,
  ) => readonly string[];
  /**
   * Returns true if the tests of a package below the folder are run from this folder, because it is the root of a
   * workspace or of a build of several modules. `part` is the folder of the package, relative to this one. `files` then
   * takes paths of several packages.
   */
  readonly isRootOf?: (folder: FolderFacts, part: string) => boolean;
  /** Says what else `files` runs if the runner takes no single files; undefined if nothing. */
  readonly runsBesides?: (paths: readonly string[], folder: FolderFacts) => string | undefined;
  /** For runners of compiled tests, which know only what their build folder was configured with. */
  readonly compiled?: CompiledTests;
  /**
   * The words that exclude the tests of these files, in addition to what the settings of the project exclude; undefined
   * if the project may not follow them.
   */
  readonly without?: (paths: readonly string[], folder: FolderFacts) => readonly string[] | undefined;
  /** How the runner finds its test files, so that they can be split before they have ever run. */
  readonly conventions?: {
    /** Chooses files that the runner certainly runs; it may run others too. Empty if that is not certain. */
    readonly files: (found: TestFolder) => readonly string[];
    /** Matches the text of a file that has tests, because a part without any fails. */
    readonly test: RegExp;
  };
  /** The words that run one of several equal parts of the tests, counted from 1, and accept a part without tests. */
  readonly part?: (number: number, count: number) => readonly string[];
  /** True if options must stand before the paths of the command line; behind them they are paths or arguments of the tests. */
  readonly takesOptionsFirst?: true;
}

export interface TargetFile {
  /** The words that a user types before the name of a build target, such as `make`. */
  readonly command: string;
  /** Names that the file may have; the first that exists in the folder is used. */
  readonly files: readonly string[];
  /** True if the program also looks for the file in parent folders. */
  readonly above: boolean;
  /** Returns the names of the build targets that the file's text defines. */
  readonly names: (text: string) => Iterable<string>;
}

export interface PackageManager {
  readonly lockFiles: readonly string[];
  /**
   * If a folder has the lock files of several package managers, the one with the highest rank is used; if it has none,
   * the one with the lowest rank is used.
   */
  readonly rank: number;
  /**
   * Returns the words that select a workspace of a monorepo; they directly follow the package manager's name on the
   * command line.
   */
  workspace(name: string): readonly string[];
  /** Subcommands of the package manager that interpret options themselves; options for the script must follow `--`. */
  readonly optionsAfterDashes?: readonly string[];
  /**
   * The command that runs a script such as `pretest` as the package manager itself does around the test script; undefined
   * if it does not. Absent if that depends on its version and settings.
   */
  readonly runHook?: (name: string, folder: FolderFacts) => readonly string[] | undefined;
}

/** Declares a build tool. It returns its argument unchanged; it exists for type inference and so that every declaration can be found by name. */
export function defineBuildTool(tool: BuildTool): BuildTool {
  return tool;
}

export interface ToolCommand {
  readonly name: string;
  readonly description: string;
  /** Returns why the command fits the folder ("package.json has a build script"), or undefined if it does not fit. */
  detect(folder: FolderFacts): string | undefined;
  argv(folder: FolderFacts): readonly string[];
  /**
   * Returns the same command extended so that it also writes a machine-readable report to `file`, or undefined if that would replace flags or a
   * reporter that the user chose.
   */
  report?(argv: readonly string[], file: string, folder: FolderFacts): ReportPlan | undefined;
}

export interface ReportPlan {
  readonly argv: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}

/** The files in a command's working directory and in its parent folders up to the workspace root. */
export interface FolderFacts {
  /** Returns whether the folder has a file of this name, also a glob such as `*.csproj` or a path such as `src/lib.rs`. */
  has(name: string): boolean;
  /** Returns the text of the nearest file of this name, in this folder or a parent. */
  nearest(name: string): string | undefined;
  /** Returns the names in a folder below this one; `.` is this folder. */
  names(path: string): readonly string[];
  /** Returns the text of a file at a relative path below the folder; undefined if there is none. */
  read(path: string): string | undefined;
  /** The contents of the nearest package.json, in this folder or a parent. */
  readonly packageJson: PackageFacts | undefined;
}

export interface PackageFacts {
  readonly scripts: Readonly<Record<string, string>>;
  /** Version ranges by package name, merged over all dependency groups. */
  readonly dependencies: Readonly<Record<string, string>>;
  /** Id of the package manager: the one that package.json names, or the one with the nearest lock file. */
  readonly packageManager: string;
}
