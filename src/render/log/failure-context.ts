import type { Budget } from "../../kernel/budget.ts";
import { pluralize } from "../../kernel/pluralize.ts";
import type { CiOutcome, FailedStep } from "../../model/ci-outcome.ts";
import type { Diagnostic, Severity } from "../../model/diagnostic.ts";
import type { LogLine } from "../../model/run.ts";
import type { TraceFile } from "../../model/trace-file.ts";
import { clipped, fitting } from "./log-verdict.ts";

/** The most failed steps that are named; further ones are counted. */
const MAX_STEPS = 3;
const MAX_TRACE_FILES = 12;
const LAST_WORDS = 12;

/**
 * Writes what failed in a CI job: the step, its command, its exit code and its lines in the log. If no error of any step is known, the
 * steps are written whose name or command the verdict, which is quoted then, does not have.
 */
export function stepLines(ci: CiOutcome | undefined, isExplained: boolean): string[] {
  const isShown = isExplained ? (step: FailedStep): boolean => step.isExplained : saysMoreThanVerdict;
  const steps = ci?.failedSteps.filter(isShown) ?? [];
  const lines = steps.slice(0, MAX_STEPS).map((step) => `step ${stepText(step)}`);
  if (steps.length > MAX_STEPS) lines.push(`and ${pluralize(steps.length - MAX_STEPS, "more failed step")}`);
  return lines;
}

function saysMoreThanVerdict({ name, command, verdict }: FailedStep): boolean {
  const title = command ?? name;
  return title !== undefined && !verdict.text.includes(title);
}

function stepText({ job, name, command, exitCode, from, to, verdict }: FailedStep): string {
  const title = [job, name, command].filter((part) => part !== undefined).join(": ");
  const lines = `lines ${from}-${to}`;
  if (exitCode === undefined) return `${clipped(title === "" ? verdict.text.trim() : title)} (${lines})`;
  // The verdict itself says no more than the exit code.
  return `${title === "" ? "" : `${clipped(title)} `}(exit code ${exitCode}, ${lines})`;
}

/** Names the project's files in stack traces that the reply has not named yet. */
export function traceFilesLine(files: readonly TraceFile[], shown: string): string {
  const known = new Set(shown.split(/[^\w.$-]+/));
  const others = files.filter(({ file }) => !known.has(baseName(file)));
  if (others.length === 0) return "";
  const names = others
    .slice(0, MAX_TRACE_FILES)
    .map(({ file, line }) => (line === undefined ? file : `${file}:${line}`));
  const more = others.length - names.length;
  return `also in stack traces: ${names.join(", ")}${more > 0 ? `, ${more} more` : ""}`;
}

/** Names the files that list the dependencies, or configure the step, which the errors speak of. */
export function dependencyFilesLine(files: readonly string[], shown: string): string {
  const others = files.filter((file) => !shown.includes(file));
  return others.length === 0 ? "" : `see also: ${others.join(", ")}`;
}

function baseName(path: string): string {
  return path.slice(Math.max(path.lastIndexOf("/"), path.lastIndexOf("\\")) + 1);
}

/** Writes the lines before a build tool reported the failure, if the errors that were found name no file. */
export function lastWordsText(lines: readonly LogLine[], shown: string, budget: Budget): string {
  const others = lines.filter(({ text }) => !shown.includes(text.trim())).slice(-LAST_WORDS);
  if (others.length === 0) return "";
  const head = "before it failed:";
  budget.reserve(`${head}\n`);
  return [
    head,
    ...fitting(
      others.map(({ text }) => ` ${clipped(text)}`),
      budget,
    ),
  ].join("\n");
}

/** The lines that a log has in contrast to the log of a passing run. */
export interface FreshLines {
  /** The path of the passing log. */
  readonly against: string;
  readonly count: number;
  readonly lines: readonly LogLine[];
}

/** Writes the new lines that speak most of a failure and that the reply does not show yet. */
export function freshText({ against, count, lines }: FreshLines, shown: string, budget: Budget): string {
  if (count === 0) return `nothing new against ${against}`;
  const others = lines.filter(({ text }) => !shown.includes(text.trim()));
  const head = `new against ${against} (${pluralize(count, "line")}):`;
  budget.reserve(`${head}\n`);
  return [
    head,
    ...fitting(
      others.map(({ number, text }) => ` ${number}: ${clipped(text.trim())}`),
      budget,
    ),
  ].join("\n");
}

export function freshJson({ against, count, lines }: FreshLines): object {
  return { against, count, lines: lines.map(({ number, text }) => ({ line: number, text: clipped(text) })) };
}

interface Counted {
  readonly diagnostics: readonly Diagnostic[];
  readonly causes: readonly Diagnostic[];
}

/** Counts the diagnostics that the reply leaves out because they do not explain the failure. */
export function asideLine({ diagnostics, causes }: Counted): string {
  const shown = new Set(causes);
  const counts: Record<Severity, number> = { error: 0, warning: 0, info: 0 };
  for (const one of diagnostics) if (!shown.has(one)) counts[one.severity]++;
  const parts = [
    ...(counts.error > 0 ? [`${pluralize(counts.error, "error")} elsewhere`] : []),
    ...(counts.warning > 0 ? [pluralize(counts.warning, "warning")] : []),
    ...(counts.info > 0 ? [`${counts.info} info`] : []),
  ];
  return parts.length === 0 ? "" : `not shown: ${parts.join(", ")} (--all)`;
}
