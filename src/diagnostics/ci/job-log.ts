import type { CiOutcome, FailedStep } from "../../model/ci-outcome.ts";
import type { LogLine } from "../../model/run.ts";
import { asLogLine } from "../engine/recent-lines.ts";
import type { RecentLines } from "../engine/recent-lines.ts";
import type { Line } from "../tool.ts";
import { readVerdict } from "./verdict-lines.ts";
import type { CiSystem, VerdictLine } from "./verdict-lines.ts";

/** Number of lines that are kept from the end of a failed step's output. */
const TAIL_LINES = 20;
/** Upper bound on failed steps that are kept; a log that names more of them repeats itself. */
const MAX_STEPS = 50;

/** Texts with which CI systems start a step. */
export const STEP_SIGNATURES: readonly string[] = [
  "##[group]Run ",
  "##[section]Starting: ",
  "travis_time:start:",
  "section_start:",
];

/**
 * Follows the steps of a CI job through its log. The job's own verdict overrides its steps, because a step may be allowed to fail. If the log has
 * no such verdict, one failed step makes the job fail.
 */
export class JobLog {
  readonly #recent: RecentLines;
  readonly #countReasons: () => number;
  #linesBeforeStep = 0;
  #reasonsBeforeStep = 0;
  #failedSteps: FailedStep[] = [];
  /** Steps that failed although the CI system declared their job successful afterwards. */
  #allowedSteps: FailedStep[] = [];
  readonly #failedVerdicts = new Map<CiSystem, LogLine>();
  #lastFinal: LogLine | undefined;

  /** `countReasons` returns the number of errors and failed tests found so far. */
  constructor(recent: RecentLines, countReasons: () => number) {
    this.#recent = recent;
    this.#countReasons = countReasons;
  }

  /** Called for a line with one of `STEP_SIGNATURES`, before the line is added to the buffer of recent lines. */
  startStep(): void {
    this.#linesBeforeStep = this.#recent.count;
    this.#reasonsBeforeStep = this.#countReasons();
  }

  /** Called when the CI system or a package manager is about to run a command (`$ npm test`); earlier lines are not its output. */
  startCommand(): void {
    this.#linesBeforeStep = this.#recent.count;
  }

  /**
   * Reads a line with one of `VERDICT_SIGNATURES`, after the parsers have seen it and before it is added to the buffer
   * of recent lines.
   */
  judge(line: Line): void {
    const verdict = readVerdict(line);
    if (verdict === undefined) return;
    this.#take(verdict, asLogLine(line));
    this.startStep();
    // The next step's output starts after this verdict line.
    this.#linesBeforeStep++;
  }

  /**
   * Returns the outcome of the job, if a CI system reports one. `foundLate` counts the errors and failed tests that parsers reported only at the
   * end of the log.
   */
  outcome(foundLate: number): CiOutcome | undefined {
    const failedSteps = [...this.#allowedSteps, ...this.#failedSteps].map((step) => ({
      ...step,
      isExplained: step.isExplained || foundLate > 0,
    }));
    const [redFinal] = this.#failedVerdicts.values();
    const red = redFinal ?? this.#failedSteps[0]?.verdict;
    if (red !== undefined) return { outcome: "failed", decidedBy: red, failedSteps };
    const green = this.#lastFinal;
    return green === undefined ? undefined : { outcome: "passed", decidedBy: green, failedSteps };
  }

  #take({ system, failed, isFinal }: VerdictLine, verdict: LogLine): void {
    if (isFinal) this.#lastFinal = verdict;
    if (failed && isFinal && !this.#failedVerdicts.has(system)) this.#failedVerdicts.set(system, verdict);
    // A job that failed although none of its steps did (after a timeout, or because its machine was lost) counts as a
    // failed step.
    if (failed && (!isFinal || this.#failedSteps.length === 0)) this.#failStep(verdict);
    if (!failed && isFinal) this.#applyJobSuccess(system);
  }

  #failStep(verdict: LogLine): void {
    if (this.#failedSteps.length + this.#allowedSteps.length >= MAX_STEPS) return;
    const isExplained = this.#countReasons() > this.#reasonsBeforeStep;
    this.#failedSteps.push({
      verdict,
      isExplained,
      tail: this.#recent.last(TAIL_LINES, this.#linesBeforeStep),
    });
  }

  /** Applies a successful verdict of the job: it covers the steps before it and the logs of other CI systems that a step printed. */
  #applyJobSuccess(system: CiSystem): void {
    this.#allowedSteps.push(...this.#failedSteps);
    this.#failedSteps = [];
    for (const other of this.#failedVerdicts.keys()) if (other !== system) this.#failedVerdicts.delete(other);
  }
}
