import type { Diagnostic } from "../model/diagnostic.ts";
import type { TestFailure, TestSummary } from "../model/test-summary.ts";

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
}

/** Where a parser puts what it finds; the engine adds the tool's id. */
export interface Sink {
  diagnostic(found: Omit<Diagnostic, "tool">): void;
  /** A failed test, a suite that would not load, an error outside any test. */
  failure(found: TestFailure): void;
  /** The runner's closing counts. May come more than once (workspaces): the engine adds them up. */
  summary(counts: TestCounts): void;
}

/** The counts a runner prints; what it does not print is absent. */
export type TestCounts = Partial<Omit<TestSummary, "runner" | "failures">>;

/**
 * Reads the output of one tool line by line. Total: any text, no exception, time linear in the line's length.
 */
export interface LineParser {
  /** Offers a line; true means "mine": no other parser sees it. Lines of other tools may stand between. */
  take(line: Line): boolean;
  /** The output ended: give what is still pending. */
  end(): void;
}

/** A report that is one document (SARIF, JUnit XML, a JSON array), alone or inside other output. */
export interface DocumentParser {
  /** Whether a document that begins like this (its first 2,000 characters) is one of this tool's. */
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
   * Literal texts of which at least one stands in every output that the parser understands. The parser is not even
   * created for output that has none: this is what keeps many registered tools fast.
   */
  readonly signatures: readonly string[];
  parser?(sink: Sink): LineParser;
  readonly document?: DocumentParser;
  /** The named commands of `build`: `npm.build`, `cargo.test`. */
  readonly commands?: readonly ToolCommand[];
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
