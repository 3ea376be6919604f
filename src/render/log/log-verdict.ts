import type { Budget } from "../../kernel/budget.ts";
import { pluralize } from "../../kernel/pluralize.ts";
import type { CiOutcome, FailedStep, PassedSpan, StepSpans } from "../../model/ci-outcome.ts";
import type { LogEvidence } from "../../model/log-evidence.ts";
import type { LogStatus } from "../../model/log-status.ts";
import type { LogLine } from "../../model/run.ts";

/** The verdict on a log as a whole, as opposed to the single errors and tests in it. */
export interface JudgedLog {
  readonly status: LogStatus;
  readonly lines: number;
  readonly ci?: CiOutcome;
  readonly evidence?: LogEvidence;
  /** The build that was successful although it printed errors. */
  readonly overruledBy?: PassedSpan;
  readonly steps: StepSpans;
}

/** The most characters shown of a line; a longer one is truncated with a mark. */
const MAX_CHARACTERS = 240;
/** The most failed CI steps whose last lines are shown; further ones are named only by their line numbers. */
const MAX_STEPS = 3;
const STEP_LINES = 12;
const EVIDENCE_TOKENS = 600;
const NOT_RECOGNISED = "no error was recognised";

/**
 * The first line of the reply on a log that failed or looks like it, although no error or failed test was recognised in
 * it.
 */
export function verdictHead(log: JudgedLog): string | undefined {
  const step = log.ci?.failedSteps[0] ?? undefined;
  if (log.status === "unclear" && log.steps.unfinished !== undefined)
    return `UNCLEAR the log ends in the middle of: ${clipped(log.steps.unfinished)}`;
  if (log.status === "unclear")
    return `UNCLEAR ${NOT_RECOGNISED} in ${pluralize(log.lines, "line")}, but some speak of failure:`;
  if (log.status !== "failed") return undefined;
  if (log.ci !== undefined)
    return `FAIL ${quoted(step?.verdict ?? log.ci.decidedBy)}; ${NOT_RECOGNISED}${(step?.tail.length ?? 0) > 0 ? ":" : ""}`;
  return `FAIL by its own words; ${NOT_RECOGNISED} in ${pluralize(log.lines, "line")}:`;
}

/** The first line of the reply on a log whose job passed according to its CI system, although it printed errors. */
export function passedByCi({ decidedBy }: CiOutcome): string {
  return `ok by its CI: ${quoted(decidedBy)}; on the way:`;
}

/** The first line of the reply on a log whose build was successful although errors were printed on the way. */
export function passedByBuild({ verdict, isAllowed }: PassedSpan): string {
  return `ok ${isAllowed === true ? "except for an allowed failure" : "by its build"}: ${quoted(verdict)}; on the way:`;
}

/**
 * The evidence of a failure without recognised errors: the end of the failed CI step, or the lines around the strongest
 * words.
 */
export function evidenceText({ ci, evidence, lines }: JudgedLog, budget: Budget): string {
  const step = ci?.outcome === "failed" ? ci.failedSteps[0] : undefined;
  const tail = step === undefined ? "" : tailText(step, budget);
  if (tail !== "" || evidence === undefined) return tail;
  return windowText(evidence.lines, lines, budget);
}

/** Writes the steps of a CI job that failed without a recognised error. */
export function unexplainedSteps({ failedSteps }: CiOutcome, budget: Budget): string[] {
  const open = failedSteps.filter((step) => !step.isExplained);
  const shown = open.slice(0, MAX_STEPS).map((step) => {
    const head = `! ${quoted(step.verdict)}; ${NOT_RECOGNISED} in it${step.tail.length > 0 ? ":" : ""}`;
    budget.reserve(`${head}\n`);
    return [head, tailText(step, budget)].filter(Boolean).join("\n");
  });
  const more = open.slice(MAX_STEPS).map((step) => step.verdict.number);
  if (more.length > 0)
    shown.push(`! ${pluralize(more.length, "more failed step")}: lines ${more.join(", ")}`);
  return shown;
}

function tailText({ tail }: FailedStep, budget: Budget): string {
  const lines = tail.slice(-STEP_LINES).map((line) => ` ${clipped(line.text)}`);
  return fitting(lines, budget).join("\n");
}

/** Writes lines of the log, and between them the numbers of the lines that are left out. */
function windowText(shown: readonly LogLine[], total: number, budget: Budget): string {
  const parts: string[] = [];
  let next = 1;
  for (const { number, text } of shown) {
    if (number > next) parts.push(gap(next, number - 1));
    parts.push(` ${clipped(text)}`);
    next = number + 1;
  }
  if (next <= total) parts.push(gap(next, total));
  return fitting(parts, budget).join("\n");
}

function gap(from: number, to: number): string {
  return from === to ? ` … (line ${from})` : ` … (lines ${from}-${to})`;
}

/** The last lines that fit into the budget, because the end of a log says most. */
export function fitting(lines: readonly string[], budget: Budget): string[] {
  const taken: string[] = [];
  const minRemaining = Math.max(0, budget.remainingTokens - EVIDENCE_TOKENS);
  for (const line of lines.toReversed()) {
    if (budget.remainingTokens < minRemaining || !budget.take(`${line}\n`)) {
      taken.unshift(" …");
      break;
    }
    taken.unshift(line);
  }
  return taken;
}

function quoted({ text, number }: LogLine): string {
  return `${clipped(text.trim())} (line ${number})`;
}

export function clipped(text: string): string {
  return text.length > MAX_CHARACTERS
    ? `${text.slice(0, MAX_CHARACTERS)}… (+${text.length - MAX_CHARACTERS})`
    : text;
}

/** The verdict on a log as fields of the JSON reply. */
export function verdictJson({ ci, evidence, status }: JudgedLog, isExplained: boolean): object {
  const needsEvidence = status === "unclear" || (status === "failed" && !isExplained);
  return {
    ...(ci === undefined
      ? {}
      : {
          ci: {
            outcome: ci.outcome,
            ...lineJson(ci.decidedBy),
            failed_steps: ci.failedSteps.map(({ verdict, isExplained: explained, tail }) => ({
              ...lineJson(verdict),
              explained,
              ...(explained ? {} : { tail: tail.map(lineJson) }),
            })),
          },
        }),
    ...(evidence === undefined || !needsEvidence ? {} : { evidence: evidence.lines.map(lineJson) }),
  };
}

function lineJson({ number, text }: LogLine): { line: number; text: string } {
  return { line: number, text: clipped(text) };
}
