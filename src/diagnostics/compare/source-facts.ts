import type { TestFailure } from "../../model/test-summary.ts";

/** `changed` and `same` are meant since the earlier run. */
export type FileState = "missing" | "changed" | "same";

/** `skipped`: it is still declared, with a mark that keeps it from running. */
export type TestState = "there" | "missing" | "skipped";

/** What the user's files say about an earlier run, as they were when the later one started; undefined: not known. */
export interface SourceFacts {
  fileState(path: string): FileState | undefined;
  testState(failure: TestFailure): TestState | undefined;
}

/** What became of something that an earlier run reported and the later one does not. */
export type Fate = "fixed" | "gone" | "notRun";
