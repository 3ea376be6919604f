import type { CiOutcome, FailedStep } from "../../model/ci-outcome.ts";
import type { LogLine } from "../../model/run.ts";
import { asLogLine } from "../engine/recent-lines.ts";
import type { RecentLines } from "../engine/recent-lines.ts";
import type { Line } from "../tool.ts";
import { readVerdict } from "./verdict-lines.ts";
import type { CiSystem, VerdictLine } from "./verdict-lines.ts";

/** How many of the last lines of a failed step are kept. */
const TAIL_LINES = 20;
/** A log that names more failed steps than this repeats itself. */
const MAX_STEPS = 50;

/** Texts with which CI systems open a step. */
export const STEP_SIGNATURES: readonly string[] = [
  "##[group]Run ",
  "##[section]Starting: ",
  "travis_time:start:",
  "section_start:",
];

/**
 * Follows the steps of a CI job through its log. A job's own verdict decides over its steps, since a step may be allowed to fail; where the
 * system prints none, or the log ends before it, one failed step makes the job red.
 */
export class JobLog {
  readonly #recent: RecentLines;
  readonly #countReasons: () => number;
  #linesBeforeStep = 0;
  #reasonsBeforeStep = 0;
  #failedSteps: FailedStep[] = [];
  /** Steps before a green verdict of their job. */
  #allowedSteps: FailedStep[] = [];
  readonly #redFinals = new Map<CiSystem, LogLine>();
  #lastFinal: LogLine | undefined;

  /** `countReasons` counts the errors and failed tests that were found so far. */
  constructor(recent: RecentLines, countReasons: () => number) {
    this.#recent = recent;
    this.#countReasons = countReasons;
  }

  /** A line that holds one of `STEP_SIGNATURES`, before it is among the recent ones. */
  startStep(): void {
    this.#linesBeforeStep = this.#recent.count;
    this.#reasonsBeforeStep = this.#countReasons();
  }

  /** A command that the system or a package manager is about to run (`$ npm test`): what stands above it is not its output. */
  startCommand(): void {
    this.#linesBeforeStep = this.#recent.count;
  }

  /** Reads a line that holds one of `VERDICT_SIGNATURES`, after the parsers have and before it is among the recent ones. */
  judge(line: Line): void {
    const verdict = readVerdict(line);
    if (verdict === undefined) return;
    this.#take(verdict, asLogLine(line));
    this.startStep();
    // The verdict itself is no output of the next step.
    this.#linesBeforeStep++;
  }

  /** What is said of the job, if a CI system says anything. `foundLate` counts reasons that parsers gave when the log had ended. */
  outcome(foundLate: number): CiOutcome | undefined {
    const failedSteps = [...this.#allowedSteps, ...this.#failedSteps].map((step) => ({
      ...step,
      isExplained: step.isExplained || foundLate > 0,
    }));
    const [redFinal] = this.#redFinals.values();
    const red = redFinal ?? this.#failedSteps[0]?.verdict;
    if (red !== undefined) return { outcome: "failed", decidedBy: red, failedSteps };
    const green = this.#lastFinal;
    return green === undefined ? undefined : { outcome: "passed", decidedBy: green, failedSteps };
  }

  #take({ system, failed, isFinal }: VerdictLine, verdict: LogLine): void {
    if (isFinal) this.#lastFinal = verdict;
    if (failed && isFinal && !this.#redFinals.has(system)) this.#redFinals.set(system, verdict);
    // A red verdict of the job where no step is blamed: a timeout, a machine that was lost.
    if (failed && (!isFinal || this.#failedSteps.length === 0)) this.#failStep(verdict);
    if (!failed && isFinal) this.#forgive(system);
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

  /** A green verdict of the job covers the steps before it, and the logs of other systems that a step printed. */
  #forgive(system: CiSystem): void {
    this.#allowedSteps.push(...this.#failedSteps);
    this.#failedSteps = [];
    for (const other of this.#redFinals.keys()) if (other !== system) this.#redFinals.delete(other);
  }
}
