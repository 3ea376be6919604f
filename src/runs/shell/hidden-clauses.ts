import { pluralize } from "../../kernel/pluralize.ts";
import type { HiddenStage, RunEnd, RunFindings } from "../../model/run.ts";

/** What has to be said of a command line whose stages and exit code do not tell the same. */
export interface HiddenClauses {
  /** One clause each, whether it passed or not. */
  readonly clauses: readonly string[];
  /** They keep a success from being a pass. */
  readonly spoilPass: boolean;
}

/** Stages beyond this are only counted. */
const MAX_CLAUSES = 3;

/** Nothing where the line shows all there is. */
export function hiddenClauses(end: RunEnd, findings: RunFindings | undefined): HiddenClauses {
  const { hidden = [], unread, lineExitCode, isPartial } = end;
  // A failure that the line shows by its own exit code needs no further word.
  const told = hidden.filter(({ kind }) => kind !== "failed" || lineExitCode !== undefined);
  const shown = told.slice(0, MAX_CLAUSES).map((stage) => clauseOf(stage));
  const [first, ...rest] = shown;
  const counts = countsOf(findings);
  const isFailure = told[0]?.kind === "failed";
  const clauses =
    first === undefined ? [] : [isFailure && counts !== "" ? `${first}; ${counts}` : first, ...rest];
  if (told.length > MAX_CLAUSES) clauses.push(`${told.length - MAX_CLAUSES} more stages failed`);
  if (unread !== undefined && unread !== "" && end.exitCode === 0)
    clauses.push(`exit codes inside ${unread} are not known`);
  const isUncounted = findings?.testsExpected === true && findings.tests.length === 0;
  if (isPartial === true && isUncounted && !told.some(({ kind }) => kind === "cut"))
    clauses.push("no test result seen: not all output was recorded");
  const spoilPass =
    unread !== undefined || (isPartial === true && isUncounted) || told.some(({ kind }) => kind !== "filter");
  return { clauses, spoilPass };
}

function clauseOf({ kind, command, exitCode, behind, isCut }: HiddenStage): string {
  const name = command === undefined ? "" : `"${command}" `;
  switch (kind) {
    case "failed":
    case "mentioned":
      return [
        behind === "" ? `${name}exit ${exitCode}` : `${name}exit ${exitCode} before "${behind}"`,
        ...(isCut === true ? ["which had closed its output"] : []),
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

/** What was found in the record, in a few words. */
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
