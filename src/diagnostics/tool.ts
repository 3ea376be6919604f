import type { Diagnostic, Severity } from "../model/diagnostic.ts";
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

/** One line of output, ready to be read: escapes, carriage returns and wrappers' prefixes are gone. */
export interface Line {
  readonly text: string;
  /** 1-based, in the run's log. */
  readonly number: number;
  readonly stream: Stream;
  /** What a CI system marked the line as (`##[error]…`); the mark itself is gone. */
  readonly level?: Severity;
}

export type Stream = "stdout" | "stderr";

/** A diagnostic as a parser gives it. The engine adds the tool's id, unless the parser knows better (`clippy` in `cargo`). */
export type Found = Omit<Diagnostic, "tool"> & { readonly tool?: string };

/** A failure as a parser gives it. The runner is the tool, unless the parser knows better. */
export type FoundFailure = TestFailure & { readonly runner?: string };

/** A test that did not fail. Its name is written as that of a failure would be. */
export interface FoundOutcome {
  readonly name: string;
  readonly result: "passed" | "skipped";
  /** The file that the runner names it by, where it names one. */
  readonly file?: string;
  readonly runner?: string;
}

/** Where a parser puts what it finds. Exact repeats are dropped by the engine, so a parser need not watch for them. */
export interface Sink {
  diagnostic(found: Found): void;
  /** A failed test, a suite that would not load, an error outside any test. */
  failure(found: FoundFailure): void;
  /** The runner's closing counts. May come more than once (workspaces): the engine adds them up. */
  summary(counts: TestCounts): void;
  /** What the tool says of the run as a whole that helps to go on: how many of its complaints it can fix itself. */
  advice(text: string): void;
  /** A test that passed or was skipped, where the runner prints its name. */
  outcome(found: FoundOutcome): void;
  /** A file, package or class whose tests ran to their end. */
  ranFile(found: RanFile & { readonly runner?: string }): void;
  /**
   * The diagnostic that came last, where this tool gave it: it is no longer one of its own, but the reason for what is told next (a file
   * of tests whose process crashed).
   */
  takeBack(tool: string): Found | undefined;
}

/**
 * The counts a runner prints; what it does not print is absent. The engine fills in an absent total with the sum. The
 * runner's name is the tool's id unless given.
 */
export type TestCounts = Partial<Omit<TestSummary, "failures" | "outcomes">>;

/**
 * Reads the output of one tool line by line. Total: any text, no exception, time linear in the line's length.
 *
 * The parser that took a line is the first to be offered the next one of the same stream, so it always sees where its
 * own block ends: on a line that is not its own it closes what is pending and answers false. One parser reads one
 * channel: the interleaved output of two packages (`web:build: …`, `api:build: …`) goes to two parsers.
 */
export interface LineParser {
  /** Offers a line; true means "mine": no other parser sees it. Take what is surely yours, noise included, and no more. */
  take(line: Line): boolean;
  /** The output ended: give what is still pending. */
  end(): void;
}

/** A report that is one document (SARIF, JUnit XML, a JSON array), alone or inside other output. */
export interface DocumentParser {
  /**
   * Whether a document that begins like this (at most its first 2,000 characters, from `{`, `[` or `<`) may be one of
   * this tool's. Look for keys that only this tool writes.
   */
  matches(start: string): boolean;
  /** False when the text turned out not to be such a document; nothing may have been reported then. */
  parse(text: string, sink: Sink): boolean;
}

/** What Pith knows of one compiler, linter, test runner or package manager. */
export interface BuildTool {
  readonly id: string;
  readonly title: string;
  readonly url: string;
  readonly ecosystem: Ecosystem;
  /** The kinds of work it does. */
  readonly kinds: readonly ("build" | "test" | "lint" | "format" | "install" | "run")[];
  /**
   * Literal texts (case matters, no line breaks) of which at least one stands in every output that the parser
   * understands. The parser is created where one is found, for the lines from 256 KB before it on: choose texts
   * that stand near each thing to be found, not only in a closing line.
   */
  readonly signatures: readonly string[];
  /**
   * Who is asked first when several tools could take a line: higher first, 0 where absent. Give more to a format that
   * is exact about its owner, less (negative) to one that reads a shape which others share.
   */
  readonly priority?: number;
  parser?(sink: Sink): LineParser;
  readonly document?: DocumentParser;
  /** The named commands of `build`: `npm.build`, `cargo.test`. */
  readonly commands?: readonly ToolCommand[];
}

/** Declares a build tool; the identity function, for inference and for finding every declaration by name. */
export function defineBuildTool(tool: BuildTool): BuildTool {
  return tool;
}

export interface ToolCommand {
  readonly name: string;
  readonly description: string;
  /** Why this command fits the folder ("package.json has a build script"), or undefined where it does not. */
  detect(folder: FolderFacts): string | undefined;
  argv(folder: FolderFacts): readonly string[];
  /**
   * The same command with a machine-readable report written beside what the user sees; undefined where the user's own
   * flags or reporter would be replaced. `file` is a path that the tool may write.
   */
  report?(argv: readonly string[], file: string, folder: FolderFacts): ReportPlan | undefined;
}

export interface ReportPlan {
  readonly argv: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}

/** What is in the folder a command runs in, and in the folders above it up to the workspace root. */
export interface FolderFacts {
  /** Whether the folder has a file of this name; `*.csproj` style globs match names. */
  has(name: string): boolean;
  /** The nearest file of this name here or above, as text. */
  nearest(name: string): string | undefined;
  /** package.json of the nearest folder that has one. */
  readonly packageJson: PackageFacts | undefined;
}

export interface PackageFacts {
  readonly scripts: Readonly<Record<string, string>>;
  /** All dependency groups together: name to range. */
  readonly dependencies: Readonly<Record<string, string>>;
  readonly packageManager: "npm" | "pnpm" | "yarn" | "bun";
}
