import { computeVerdict } from "../../diagnostics/summarize/verdict.ts";
import { withTimeout } from "../../kernel/with-timeout.ts";
import type { CheckInputs } from "../../model/run.ts";
import type { RunEnding } from "../record/store.ts";
import type { CheckSubject } from "./check-inputs.ts";
import type { PlannedCheck } from "./planned-check.ts";

/** The inputs of a check that has just ended; undefined if they changed meanwhile or cannot be known. */
export async function inputsAfter(
  planned: PlannedCheck,
  env: CheckSubject["env"],
): Promise<CheckInputs | undefined> {
  const { inputsOf, readCheckState } = await import("./check-inputs.ts");
  try {
    const begun = Date.now();
    const inputs = await withTimeout(planned.timeoutMs, async (signal) =>
      inputsOf(planned.before, await readCheckState({ ...planned, env }, signal), signal),
    );
    return inputs && { ...inputs, costMs: planned.costMs + Date.now() - begun };
  } catch {
    // The next run of the command is then not answered from this one.
    return undefined;
  }
}

/** Stages of a line whose outcome is the same in every run. A stage that a filter ended may have printed more or less. */
const STABLE_STAGES: ReadonlySet<string> = new Set(["failed", "filter", "not_run"]);

/**
 * Checks whether a command ended by itself, with all its output, and with an exit code that its tool uses for a finished
 * check and that the output confirms.
 */
export function hasAnswer(
  { end, findings }: RunEnding,
  { exitCodes }: Pick<PlannedCheck, "exitCodes">,
): boolean {
  const { cause, exitCode, detail, hidden = [], unread, isPartial } = end;
  if (cause !== "exit" || exitCode === undefined || !exitCodes.includes(exitCode)) return false;
  if (detail !== undefined || unread !== undefined || isPartial === true || findings === undefined)
    return false;
  if (!hidden.every(({ kind, isCut }) => STABLE_STAGES.has(kind) && isCut !== true)) return false;
  const { tests, counts, testsExpected } = findings;
  const { passed, disagreements } = computeVerdict({ exitCode, tests, counts, testsExpected });
  return disagreements.length === 0 && (passed || counts.error + counts.warning > 0);
}
