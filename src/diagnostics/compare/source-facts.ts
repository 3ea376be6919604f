import type { TestFailure } from "../../model/test-summary.ts";

/** State of a file compared with its state at the earlier run. */
export type FileState = "missing" | "changed" | "same";

/** Whether a test is still declared in its file; `skipped` means that it is, but marked so that it does not run. */
export type TestState = "there" | "missing" | "skipped";

/**
 * Tells how the user's files differed from the earlier run when the later run started. A result of undefined means that
 * this is unknown.
 */
export interface SourceFacts {
  fileState(path: string): FileState | undefined;
  testState(failure: TestFailure): TestState | undefined;
}

/** Why a finding of the earlier run is missing in the later one. */
export type Resolution = "fixed" | "gone" | "notRun";
