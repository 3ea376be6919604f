import { pluralize } from "../../kernel/pluralize.ts";
import type { RunReport } from "../../model/run-report.ts";
import type { HiddenStage, RunFindings } from "../../model/run.ts";

/**
 * The most stages of a command line (such as parts of a pipeline) that are described; further ones are only counted.
 */
const MAX_STAGES = 3;

/**
 * Writes one clause per fact that the exit code of a whole command line hides, such as a stage of a pipeline that
 * failed.
 */
export function hiddenClauses({ run, hidden = [] }: Pick<RunReport, "run" | "hidden">): string[] {
  const stages = hidden.flatMap((fact) => (fact.kind === "stage" ? [fact.stage] : []));
  const [first, ...rest] = stages.slice(0, MAX_STAGES).map(stageClause);
  const counts = stages[0]?.kind === "failed" ? countsOf(run.findings) : "";
  const clauses = first === undefined ? [] : [counts === "" ? first : `${first}; ${counts}`, ...rest];
  if (stages.length > MAX_STAGES) clauses.push(`${stages.length - MAX_STAGES} more stages failed`);
  for (const fact of hidden) {
    if (fact.kind === "unread") clauses.push(`exit codes inside ${fact.text} are not known`);
    if (fact.kind === "unrecorded_tests") clauses.push("no test result seen: not all output was recorded");
  }
  return clauses;
}

/**
 * The facts that the exit code of a command line hides, as lines with a leading `!`. They follow the first line of a
 * report.
 */
export function hiddenLines(report: Pick<RunReport, "run" | "hidden">): string[] {
  return hiddenClauses(report).map((clause) => `! ${clause}`);
}

function stageClause({ kind, command, exitCode, behind, isCut }: HiddenStage): string {
  const name = command === undefined ? "" : `"${command}" `;
  switch (kind) {
    case "failed":
    case "mentioned":
      return [
        behind === "" ? `${name}exit ${exitCode}` : `${name}exit ${exitCode} before "${behind}"`,
        // Programs that do not die of SIGPIPE end with a code of their own, such as npm with 7.
        ...(isCut === true
          ? [`which had stopped reading, perhaps the only cause: run it without "${behind}"`]
          : []),
      ].join(", ");
    case "cut":
      return `${name}was stopped by "${behind}" (SIGPIPE): the rest is not known`;
    case "not_run":
      return `${name}did not run`;
    case "filter":
      return `exit ${exitCode} of "${behind}"`;
    default:
      return kind satisfies never;
  }
}

/** Counts the failed tests, the suites that did not load and the errors in the log of a run, in a few words. */
function countsOf(findings: RunFindings | undefined): string {
  if (findings === undefined) return "";
  const sum = (name: "failed" | "failedSuites"): number =>
    findings.tests.reduce((total, one) => total + one[name], 0);
  const { error } = findings.counts;
  return [
    sum("failed") > 0 ? `${pluralize(sum("failed"), "test")} failed` : "",
    sum("failedSuites") > 0 ? `${pluralize(sum("failedSuites"), "suite")} did not load` : "",
    error > 0 ? pluralize(error, "error") : "",
  ]
    .filter(Boolean)
    .join(", ");
}
