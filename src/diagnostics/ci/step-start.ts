/** What a line that starts a step of a CI job, or a command in it, says about it. */
export interface StepStart {
  readonly name?: string;
  readonly command?: string;
  /** True if the line starts only another command of the same step. */
  readonly isCommand?: true;
  /** True if the next line shows the command. */
  readonly isAbove?: true;
  /** True if the line says that the step is left out because an earlier one failed. */
  readonly isSkipped?: true;
  /**
   * Present if the step runs whatever the outcome of the others, so that their verdict comes only after it; `harmless` if it cannot make
   * the job fail.
   */
  readonly cleanup?: "harmless" | "decisive";
  /** The name of the step that ends with this line. */
  readonly ends?: string;
}
