import type { EndCause } from "./run.ts";

/** What became of a test in one run. `unknown`: the run did not reach it, or its runner does not say. */
export type TestOutcome = "passed" | "failed" | "unknown";

/** One run in the history of its command. */
export interface PastRun {
  readonly id: string;
  readonly startedAt: number;
  readonly durationMs: number;
  readonly cause: EndCause;
  readonly exitCode?: number;
  readonly errors: number;
  readonly warnings: number;
  readonly failedTests: number;
}

/** A test that failed in at least one of the runs. */
export interface TestHistory {
  readonly name: string;
  readonly file?: string;
  /** The outcome in each run of the command, in the order of its runs. */
  readonly outcomes: readonly TestOutcome[];
  readonly failures: number;
  /** True if it passed and failed without a change of the files in between. */
  readonly isFlaky: boolean;
}

/** The ended runs of one command in one folder, the oldest first. */
export interface CommandHistory {
  readonly command: string;
  readonly cwd: string;
  readonly runs: readonly PastRun[];
  /** The tests that failed, the most frequent failures first. */
  readonly tests: readonly TestHistory[];
}

/** A file with problems in the latest runs. */
export interface FileHistory {
  readonly file: string;
  /** The number of runs in which a test of it failed, or an error was in it. */
  readonly runs: number;
  readonly failures: number;
  readonly errors: number;
  readonly lastRun: string;
}

/** How the commands of a workspace fared in its latest runs. */
export interface RunHistory {
  readonly commands: readonly CommandHistory[];
  readonly files: readonly FileHistory[];
}
