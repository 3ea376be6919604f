import type { CiOutcome, FailedStep, PassedSpan, StepSpans } from "../../model/ci-outcome.ts";
import type { LogLine } from "../../model/run.ts";
import { asLogLine } from "../engine/recent-lines.ts";
import type { RecentLines } from "../engine/recent-lines.ts";
import type { JobStep } from "../clean/prefixes.ts";
import type { Line } from "../tool.ts";
import { isFrameLine, shortCommand } from "./step-lines.ts";
import type { StepStart } from "./step-start.ts";
import { allowsFailure, announcesRetry, readVerdict } from "./verdict-lines.ts";
import type { CiSystem, VerdictLine } from "./verdict-lines.ts";

/** Number of lines that are kept from the end of a failed step's output. */
const TAIL_LINES = 20;
/** Upper bound on failed steps that are kept; a log that names more of them repeats itself. */
const MAX_STEPS = 50;
/** Upper bound on the commands of one step whose lines are kept. */
const MAX_COMMANDS = 1_000;
/** Upper bound on the successful steps that are kept; errors in further ones count. */
const MAX_PASSED = 1_000;

/** The step that is running: where it starts and what is known of it. */
type OpenStep = Pick<FailedStep, "from" | "name" | "command" | "job">;

/** The end of a step's own output, before commands that run whatever its outcome. */
interface Cleanup {
  readonly kind: "harmless" | "decisive";
  readonly from: number;
  readonly reasons: number;
  readonly tail: readonly LogLine[];
}

/** Where a step starts: its line, and the job if the log holds several. */
interface StepPlace {
  readonly number: number;
  readonly job?: string;
}

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
  readonly #passed: PassedSpan[] = [];
  #step: OpenStep = { from: 1 };
  /** The last step that ran before the current one, with the number of errors and failed tests before it. */
  #previous: { readonly step: OpenStep; readonly reasons: number } = { step: { from: 1 }, reasons: 0 };
  /** Where the log began to show commands that run whatever the outcome, so that they are not those that failed. */
  #cleanup: Cleanup | undefined;
  /** The commands that were started since the last verdict, with their lines. */
  readonly #commands = new Map<string, number>();
  /** The step that the prefix of the last line named. */
  #entered: string | undefined;
  #awaitsCommand = false;
  /** True if the system reports the end of each command and a command has started since its last report. */
  #isCommandOpen = false;
  #reportsCommands = false;
  /** True if a failed command was started again and its outcome is not known yet. */
  #isRetrying = false;

  /** `countReasons` returns the number of errors and failed tests found so far. */
  constructor(recent: RecentLines, countReasons: () => number) {
    this.#recent = recent;
    this.#countReasons = countReasons;
  }

  /** Called for a line that starts a step or a command, before the line is added to the buffer of recent lines. */
  start(start: StepStart, { number, job }: StepPlace): void {
    const { name, command, isCommand, isAbove } = start;
    if (start.isSkipped === true) return this.#returnToFailed();
    if (start.ends !== undefined) return this.#finish(start.ends, number);
    if (start.cleanup !== undefined) return this.#cleanUp(start.cleanup, number);
    if (isCommand === true && this.#cleanup !== undefined) return;
    this.#linesBeforeStep = this.#recent.count;
    this.#isCommandOpen = true;
    this.#awaitsCommand = isAbove === true;
    if (isCommand === true) {
      if (command !== undefined && this.#commands.size < MAX_COMMANDS) this.#commands.set(command, number);
      // Earlier lines are not the command's output, but errors in them may still explain why the step failed.
      this.#step = { ...this.#step, ...(command === undefined ? {} : { command }) };
      return;
    }
    this.#cleanup = undefined;
    this.#isRetrying = false;
    this.#previous = { step: this.#step, reasons: this.#reasonsBeforeStep };
    this.#reasonsBeforeStep = this.#countReasons();
    const entered = job === undefined && this.#entered !== undefined ? this.#step : undefined;
    this.#step = {
      ...(entered?.job === undefined ? {} : { job: entered.job }),
      ...(entered?.name === undefined ? {} : { name: entered.name }),
      from: number,
      ...(name === undefined ? {} : { name }),
      ...(command === undefined ? {} : { command }),
      ...(job === undefined ? {} : { job }),
    };
  }

  /** Keeps what is known of the step before its cleanup, because the verdict on the step comes only after that. */
  #cleanUp(kind: "harmless" | "decisive", number: number): void {
    this.#cleanup ??= { kind, from: number, reasons: this.#countReasons(), tail: this.#lastLines() };
  }

  /** Goes back to the step before the current one, because the log says that the current one did not run. */
  #returnToFailed(): void {
    this.#step = this.#previous.step;
    this.#reasonsBeforeStep = this.#previous.reasons;
  }

  /** Ends a step by its name. If the log begins in the middle of it, this line is the first one that names it. */
  #finish(name: string, number: number): void {
    const last = this.#failedSteps.at(-1);
    if (last !== undefined && last.name === undefined && last.verdict.number >= this.#step.from - 1)
      this.#failedSteps[this.#failedSteps.length - 1] = { ...last, name };
    this.start({}, { number: number + 1 });
  }

  /** Called for each line whose prefix names its job and step. */
  enter({ job, name }: JobStep, number: number): void {
    // The GitHub command line prints this name if it cannot match the archive's files with the steps.
    const isUnknown = name === "UNKNOWN STEP";
    if (this.#step.job === job && (isUnknown || this.#entered === name)) return;
    this.#entered = name;
    this.start(isUnknown ? {} : { name }, { number, job });
  }

  /** Takes the line below the start of a step, if it shows the command. */
  follow(line: Line): void {
    if (!this.#awaitsCommand || line.text.trim() === "") return;
    this.#awaitsCommand = false;
    this.#step = { ...this.#step, command: shortCommand(line.text) };
  }

  /** Reads a line that may announce another attempt at a failed command; returns the first line of the failed one. */
  retry(line: Line): number | undefined {
    if (!announcesRetry(line)) return undefined;
    const { from } = this.#step;
    if (this.#passed.length < MAX_PASSED) this.#passed.push({ from, verdict: asLogLine(line) });
    this.#step = { ...this.#step, from: line.number + 1 };
    this.#reasonsBeforeStep = this.#countReasons();
    this.#isRetrying = true;
    return from;
  }

  /**
   * Reads a line that may say that the failure just before it was allowed; returns the first line of what failed. Errors
   * in it do not explain why the job failed, if it did.
   */
  allow(line: Line): number | undefined {
    if (!allowsFailure(line)) return undefined;
    const last = this.#failedSteps.at(-1);
    const isLast = last !== undefined && this.#step.from === last.verdict.number + 1;
    const from = this.#cleanup?.from ?? (isLast ? last.from : undefined);
    if (from === undefined) return undefined;
    if (this.#cleanup === undefined) this.#failedSteps.pop();
    if (this.#passed.length < MAX_PASSED)
      this.#passed.push({ from, verdict: asLogLine(line), isAllowed: true });
    return from;
  }

  /**
   * Reads a line with one of `VERDICT_SIGNATURES`, after the parsers have seen it and before it is added to the buffer
   * of recent lines.
   */
  judge(line: Line): void {
    const verdict = readVerdict(line);
    if (verdict === undefined) return;
    this.#take(verdict, asLogLine(line));
    const { job } = this.#step;
    this.start({}, { number: line.number + 1, ...(job === undefined ? {} : { job }) });
    this.#isCommandOpen = false;
    this.#commands.clear();
    this.#reportsCommands ||= verdict.system === "travis" && !verdict.isFinal;
    // The next step's output starts after this verdict line.
    this.#linesBeforeStep++;
  }

  /** Returns the parts of the log that its CI system declared successful, and what was still running at the end. */
  spans(): StepSpans {
    const isOpen = this.#isRetrying || (this.#reportsCommands && this.#isCommandOpen);
    const isCut = isOpen && this.#lastFinal === undefined;
    return {
      passed: this.#passed,
      ...(isCut ? { unfinished: this.#step.command ?? this.#step.name ?? "a command" } : {}),
    };
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

  #take(found: VerdictLine, verdict: LogLine): void {
    const { system, failed, isFinal } = found;
    if (isFinal) this.#lastFinal = verdict;
    if (!failed && !isFinal && this.#passed.length < MAX_PASSED)
      this.#passed.push({ from: this.#startOf(found), verdict });
    if (failed && isFinal && !this.#failedVerdicts.has(system)) this.#failedVerdicts.set(system, verdict);
    // A job that failed although none of its steps did (after a timeout, or because its machine was lost) counts as a
    // failed step.
    if (failed && (!isFinal || this.#failedSteps.length === 0)) this.#failStep(verdict, found);
    if (!failed && isFinal) this.#applyJobSuccess(system);
  }

  /** Returns the first line of the command that a verdict quotes, or of the step. */
  #startOf({ command }: VerdictLine): number {
    const quoted = command === undefined ? undefined : this.#commands.get(shortCommand(command));
    return quoted ?? this.#step.from;
  }

  #failStep(verdict: LogLine, found: VerdictLine): void {
    if (this.#failedSteps.length + this.#allowedSteps.length >= MAX_STEPS) return;
    const { command, exitCode, name } = found;
    const { isExplained, tail, to } = this.#stepEnd(verdict.number);
    // Travis reports the end of a retried command twice; the second report has no output of its own.
    if (tail.length === 0 && !isExplained && this.#failedSteps.length > 0) return;
    this.#failedSteps.push({
      ...this.#step,
      ...(name === undefined ? {} : { name }),
      from: this.#startOf(found),
      ...(command === undefined ? {} : { command: shortCommand(command) }),
      ...(exitCode === undefined ? {} : { exitCode }),
      to,
      verdict,
      isExplained,
      tail,
    });
  }

  /** Returns the end of the current step's output: before a cleanup that cannot have failed, or that left the cause before it. */
  #stepEnd(verdict: number): Pick<FailedStep, "isExplained" | "tail" | "to"> {
    const isExplained = this.#countReasons() > this.#reasonsBeforeStep;
    const cleanup = this.#cleanup;
    if (cleanup === undefined) return { isExplained, tail: this.#lastLines(), to: verdict };
    const wasExplained = cleanup.reasons > this.#reasonsBeforeStep;
    if (cleanup.kind === "decisive" && !wasExplained)
      return { isExplained, tail: this.#lastLines(), to: verdict };
    return { isExplained: wasExplained, tail: cleanup.tail, to: cleanup.from - 1 };
  }

  #lastLines(): LogLine[] {
    return this.#recent.last(TAIL_LINES, this.#linesBeforeStep).filter(({ text }) => !isFrameLine(text));
  }

  /** Applies a successful verdict of the job: it covers the steps before it and the logs of other CI systems that a step printed. */
  #applyJobSuccess(system: CiSystem): void {
    this.#allowedSteps.push(...this.#failedSteps);
    this.#failedSteps = [];
    for (const other of this.#failedVerdicts.keys()) if (other !== system) this.#failedVerdicts.delete(other);
  }
}
