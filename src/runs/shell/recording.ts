/** A stage of a command line (such as one part of a pipeline) that reports its exit code. */
export interface RecordedStage {
  readonly id: number;
  /** The shell text of the stage. */
  readonly command: string;
  /** The shell text after the stage, which hides its failure (such as `| tail` or `|| true`). */
  readonly behind: string;
  /** True if a failure of the stage makes the run fail; otherwise it is only mentioned. */
  readonly counts: boolean;
  /** Nonzero exit codes that are a normal result and not a failure, such as 1 of `grep`. */
  readonly answers: readonly number[];
  /** True if a filter that has read enough may end the stage early, as in `git log | head`. */
  readonly mayBeCut: boolean;
  /** The ids of the stages inside this one. If one of them failed, it explains the failure better. */
  readonly inner: readonly number[];
  /** True if the output of the stage is recorded on its way to the next stage. */
  readonly isCopied: boolean;
  /** True if the exit code of the command line is that of a filter after the stage. */
  readonly isShownLast: boolean;
}

/** What the scripts of one command line share while they are rewritten, the nested ones included. */
export interface Recording {
  readonly stages: RecordedStage[];
  /** True if some stage sends its output to a place where it is not recorded. */
  isPartial: boolean;
  newId(): number;
  /** Returns the path of a new temporary file for output that the command would send to /dev/null. */
  newFile(): string;
}
