import type { CheckInputs } from "../../model/run.ts";
import type { CheckLine } from "./check-line.ts";

/** A check as it is sent to the process that runs it. */
export interface PlannedCheck extends CheckLine {
  readonly top: string;
  readonly variables: string;
  /** What decides the answer, as it was before the command started. */
  readonly before: Pick<CheckInputs, "outside" | "strict">;
  /** How long it took to look at it. */
  readonly costMs: number;
  /** Upper bound on looking at it again after the command. */
  readonly timeoutMs: number;
}
