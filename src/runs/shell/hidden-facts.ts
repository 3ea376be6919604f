import type { RunEnd, RunFindings } from "../../model/run.ts";
import type { HiddenFact } from "../../model/run-report.ts";

interface HiddenFacts {
  readonly facts: readonly HiddenFact[];
  /** True if the facts make it doubtful that exit code 0 means a pass. */
  readonly spoilPass: boolean;
}

/**
 * Collects facts about the stages of a command line (such as the parts of a pipeline) that the exit code of the line
 * does not show.
 */
export function hiddenFacts(end: RunEnd, findings: RunFindings | undefined): HiddenFacts {
  const { hidden = [], unread, lineExitCode, exitCode, isPartial } = end;
  // A failed stage is not hidden if the exit code of the command line is that of the stage.
  const stages = hidden.filter(({ kind }) => kind !== "failed" || lineExitCode !== undefined);
  const lacksTests = isPartial === true && findings?.testsExpected === true && findings.tests.length === 0;
  const facts: HiddenFact[] = stages.map((stage) => ({ kind: "stage", stage }));
  if (unread !== undefined && unread !== "" && exitCode === 0) facts.push({ kind: "unread", text: unread });
  if (lacksTests && !stages.some(({ kind }) => kind === "cut")) facts.push({ kind: "unrecorded_tests" });
  const spoilPass = unread !== undefined || lacksTests || stages.some(({ kind }) => kind !== "filter");
  return { facts, spoilPass };
}
