/** A stage of a command line that reports its exit code. */
export interface RecordedStage {
  readonly id: number;
  /** The text of the stage. */
  readonly command: string;
  /** The text after the stage, which hides its failure. */
  readonly behind: string;
  /** True if a failure of the stage makes the run fail; otherwise it is only mentioned. */
  readonly counts: boolean;
  /** Nonzero exit codes that are a result and not a failure. */
  readonly answers: readonly number[];
  /** True if a filter that has read enough may end the stage early, as in `git log | head`. */
  readonly mayBeCut: boolean;
  /** The ids of the stages inside this one, which explain a failure better. */
  readonly inner: readonly number[];
  /** True if its output is recorded on its way to the next stage. */
  readonly isCopied: boolean;
  /** True if the line's own exit code is that of a filter after the stage. */
  readonly isShownLast: boolean;
}

/** The state that all nested scripts of one command line share. */
export interface Recording {
  readonly stages: RecordedStage[];
  /** The output of some stage goes to a place where it is not recorded. */
  isPartial: boolean;
  newId(): number;
  /** Returns the path of a new file for output that would go to /dev/null. */
  newFile(): string;
}
