import type { RunEnd, RunFindings } from "../../model/run.ts";
import type { HiddenFact } from "../../model/run-report.ts";

interface HiddenFacts {
  readonly facts: readonly HiddenFact[];
  /** Whether they keep a success from being a pass. */
  readonly spoilPass: boolean;
}

/** Collects what the exit code of a command line does not show of its stages. */
export function hiddenFacts(end: RunEnd, findings: RunFindings | undefined): HiddenFacts {
  const { hidden = [], unread, lineExitCode, exitCode, isPartial } = end;
  // A failure that the line shows by its own exit code is not hidden.
  const stages = hidden.filter(({ kind }) => kind !== "failed" || lineExitCode !== undefined);
  const lacksTests = isPartial === true && findings?.testsExpected === true && findings.tests.length === 0;
  const facts: HiddenFact[] = stages.map((stage) => ({ kind: "stage", stage }));
  if (unread !== undefined && unread !== "" && exitCode === 0) facts.push({ kind: "unread", text: unread });
  if (lacksTests && !stages.some(({ kind }) => kind === "cut")) facts.push({ kind: "unrecorded_tests" });
  const spoilPass = unread !== undefined || lacksTests || stages.some(({ kind }) => kind !== "filter");
  return { facts, spoilPass };
}
