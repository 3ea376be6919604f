import type { CiOutcome, StepSpans } from "../../model/ci-outcome.ts";
import type { LogEvidence } from "../../model/log-evidence.ts";
import type { LogLine } from "../../model/run.ts";
import type { TraceFile } from "../../model/trace-file.ts";
import { BuildSpans } from "../ci/build-spans.ts";
import { JobLog } from "../ci/job-log.ts";
import { LastWords } from "../ci/last-words.ts";
import { type Manifest, Manifests } from "../ci/manifests.ts";
import { readCommand, readStepStart } from "../ci/step-lines.ts";
import type { Unwrapped } from "../clean/prefixes.ts";
import { EvidenceWindow } from "../fallback/evidence-window.ts";
import { TraceFiles } from "../fallback/trace-files.ts";
import { BUILD, FAILURE, MANIFEST, REPORT, STEP, SUCCESS, VERDICT } from "./line-marks.ts";
import { RecentLines } from "./recent-lines.ts";
import type { Line } from "../tool.ts";

/** What a log itself says about success and failure. */
export interface LogVerdict {
  /** The outcome of the job, if the log comes from a CI system that reports one. */
  readonly ci?: CiOutcome;
  /** The parts of the log that a CI system or a build tool declared successful. */
  readonly steps: StepSpans;
  /** The project's files in the stack traces of the log. */
  readonly traceFiles: readonly TraceFile[];
  /** The last lines before a build tool began to report that the build failed. */
  readonly lastWords: readonly LogLine[];
  /** The files with lists of dependencies that the log names. */
  readonly manifests: readonly Manifest[];
  /** Lines that indicate a failure, whichever program wrote them. */
  readonly evidence?: LogEvidence;
}

/** The verdict on a log that was not weighed. */
export const NOT_WEIGHED: LogVerdict = {
  steps: { passed: [] },
  traceFiles: [],
  lastWords: [],
  manifests: [],
};

/** Follows the steps of a job, the builds in it and the evidence of failures, beside the parsers of the tools. */
export class LogJudge {
  readonly #recent = new RecentLines();
  readonly #job: JobLog;
  readonly #evidence = new EvidenceWindow(this.#recent);
  readonly #builds = new BuildSpans();
  readonly #traceFiles = new TraceFiles();
  readonly #lastWords = new LastWords(this.#recent);
  readonly #manifests = new Manifests();

  /** `countReasons` returns the number of errors and failed tests found so far. */
  constructor(countReasons: () => number) {
    this.#job = new JobLog(this.#recent, countReasons);
  }

  /**
   * Called for each line before the parsers see it. Calls `endParsers` if a step starts with the line, because what the parsers still hold
   * was printed by the step before it.
   */
  beforeParsing(
    line: Line,
    marks: number,
    { step, section }: Pick<Unwrapped, "step" | "section">,
    endParsers: () => void,
  ): void {
    if (step !== undefined) this.#job.enter(step, line.number);
    this.#job.follow(line);
    this.#traceFiles.take(line);
    if ((marks & REPORT) !== 0) this.#lastWords.observe(line);
    if ((marks & MANIFEST) !== 0) this.#manifests.take(line);
    const start = (marks & STEP) === 0 ? readCommand(line) : readStepStart(line.text, section);
    if (start !== undefined) {
      if ((marks & STEP) !== 0) endParsers();
      this.#builds.startCommand();
      this.#job.start(start, { number: line.number });
    }
    const passed = (marks & BUILD) === 0 ? undefined : this.#builds.observe(line);
    if (passed !== undefined) this.#overrule(passed.from);
  }

  /** Called for each line after the parsers have seen it. */
  afterParsing(line: Line, marks: number): void {
    if ((marks & VERDICT) !== 0) {
      const excused = this.#job.retry(line) ?? this.#job.allow(line);
      if (excused === undefined) this.#job.judge(line);
      else this.#overrule(excused);
    }
    this.#recent.push(line);
  }

  /** Weighs a line as evidence; `isTaken` says whether a parser has accepted it. */
  weigh(line: Line, { isTaken, marks = FAILURE }: { isTaken: boolean; marks?: number | undefined }): void {
    if ((marks & FAILURE) !== 0) this.#evidence.weigh(line, isTaken);
    else if ((marks & SUCCESS) !== 0) this.#evidence.passSuccess(line);
    else this.#evidence.pass(line);
  }

  /** `foundLate` counts the errors and failed tests that parsers reported only at the end of the log. */
  verdict(foundLate: number): LogVerdict {
    const ci = this.#job.outcome(foundLate);
    const evidence = this.#evidence.evidence();
    const steps = this.#job.spans();
    return {
      ...(ci === undefined ? {} : { ci }),
      ...(evidence === undefined ? {} : { evidence }),
      steps: { ...steps, passed: [...steps.passed, ...this.#builds.passed] },
      traceFiles: this.#traceFiles.files(),
      lastWords: this.#lastWords.lines,
      manifests: this.#manifests.all(),
    };
  }

  /** Drops the evidence of a failure since a line, because what printed it was successful in the end. */
  #overrule(from: number): void {
    this.#evidence.overrule(from);
    this.#lastWords.overrule(from);
  }
}
