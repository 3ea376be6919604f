import type { TestFailure } from "../../model/test-summary.ts";

/** State of a file compared with its state at the earlier run. */
export type FileState = "missing" | "changed" | "same";

/** `skipped` means that the test is still declared but marked so that it does not run. */
export type TestState = "there" | "missing" | "skipped";

/** The state of the user's files when the later run started, compared with the earlier run. A result of undefined means unknown. */
export interface SourceFacts {
  fileState(path: string): FileState | undefined;
  testState(failure: TestFailure): TestState | undefined;
}

/** Why a finding of the earlier run is missing in the later one. */
export type Resolution = "fixed" | "gone" | "notRun";
