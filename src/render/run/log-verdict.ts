import type { Budget } from "../../kernel/budget.ts";
import { pluralize } from "../../kernel/pluralize.ts";
import type { CiOutcome, FailedStep } from "../../model/ci-outcome.ts";
import type { LogEvidence } from "../../model/log-evidence.ts";
import type { LogStatus } from "../../model/log-status.ts";
import type { LogLine } from "../../model/run.ts";

/** What is known of a log as a whole, beside its errors and tests. */
export interface JudgedLog {
  readonly status: LogStatus;
  readonly lines: number;
  readonly ci?: CiOutcome;
  readonly evidence?: LogEvidence;
}

/** A longer line is cut with a mark. */
const MAX_CHARACTERS = 240;
/** Of more failed steps the line numbers are enough. */
const MAX_STEPS = 3;
const STEP_LINES = 12;
const EVIDENCE_TOKENS = 600;
const NOT_RECOGNISED = "no error was recognised";

/** The first line of a log in which no error and no failed test was found, where there is something to say. */
export function verdictHead(log: JudgedLog): string | undefined {
  const step = log.ci?.failedSteps[0] ?? undefined;
  if (log.status === "unclear")
    return `UNCLEAR ${NOT_RECOGNISED} in ${pluralize(log.lines, "line")}, but some speak of failure:`;
  if (log.status !== "failed") return undefined;
  if (log.ci !== undefined)
    return `FAIL ${quoted(step?.verdict ?? log.ci.decidedBy)}; ${NOT_RECOGNISED}${(step?.tail.length ?? 0) > 0 ? ":" : ""}`;
  return `FAIL by its own words; ${NOT_RECOGNISED} in ${pluralize(log.lines, "line")}:`;
}

/** Said before what a job printed that passed by the word of its CI system. */
export function passedByCi({ decidedBy }: CiOutcome): string {
  return `ok by its CI: ${quoted(decidedBy)}; on the way:`;
}

/** What a failed log says where nothing was recognised: the end of the failed step, else the lines around its strongest words. */
export function evidenceText({ ci, evidence, lines }: JudgedLog, budget: Budget): string {
  const step = ci?.outcome === "failed" ? ci.failedSteps[0] : undefined;
  const tail = step === undefined ? "" : tailText(step, budget);
  if (tail !== "" || evidence === undefined) return tail;
  return windowText(evidence.lines, lines, budget);
}

/** The steps that failed without a recognised error, beside the errors and failed tests of others. */
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

/** Lines of the log with the numbers of those that are left out between them. */
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

/** The last lines that fit: what closes a log says most. */
function fitting(lines: readonly string[], budget: Budget): string[] {
  const taken: string[] = [];
  const most = Math.max(0, budget.remainingTokens - EVIDENCE_TOKENS);
  for (const line of lines.toReversed()) {
    if (budget.remainingTokens < most || !budget.take(`${line}\n`)) {
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

function clipped(text: string): string {
  return text.length > MAX_CHARACTERS
    ? `${text.slice(0, MAX_CHARACTERS)}… (+${text.length - MAX_CHARACTERS})`
    : text;
}

/** The same as data. */
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
