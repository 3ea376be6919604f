import { successChecker, isSelective } from "../../diagnostics/compare/command-chain.ts";
import {
  compareRuns,
  type ComparedRun,
  type ComparedRuns,
  hasEnded,
} from "../../diagnostics/compare/compare-runs.ts";
import type { LaterChecks } from "../../diagnostics/compare/vanished-diagnostics.ts";
import type { RunDelta } from "../../model/run-report.ts";
import type { RunFindings } from "../../model/run.ts";
import { sourceFacts } from "../record/source-facts.ts";
import type { RunStore, StoredRun } from "../record/store.ts";

export interface DeltaReport extends Pick<ComparedRuns, "diagnostics"> {
  readonly delta: RunDelta;
}

/** The most earlier runs that are skipped in search of one to compare with, because their command could not start. */
const MAX_SKIPPED_RUNS = 20;

/** Compares a run with the previous run of the same command; undefined if there is none or neither has findings. */
export async function compareWithPrevious(
  run: StoredRun,
  store: Pick<RunStore, "previous">,
): Promise<DeltaReport | undefined> {
  const previous = run.findings === undefined ? undefined : await findComparable(run, store);
  return previous === undefined ? undefined : compareWith(run, previous);
}

/** Compares a run with an earlier one; undefined if one of them has no findings or neither found anything. */
export async function compareWith(run: StoredRun, previous: StoredRun): Promise<DeltaReport | undefined> {
  const [now, before] = [run.findings, previous.findings];
  if (now === undefined || before === undefined) return undefined;
  if (!hasFindings(now) && !hasFindings(before)) return undefined;
  const { delta, diagnostics } = compareRuns({
    before: comparedRun(previous, before),
    now: comparedRun(run, now),
    source: sourceFacts(previous, run),
    ...(await toolFacts(run.command, now, before)),
    hasSameSelection: !isSelective(run.command, now.scripts ?? []),
  });
  return { delta: { previousRun: previous.id, ...delta }, diagnostics };
}

/**
 * Finds the newest earlier run of the command that can be compared; a run whose command could not start has no
 * comparable findings.
 */
async function findComparable(
  run: StoredRun,
  store: Pick<RunStore, "previous">,
): Promise<StoredRun | undefined> {
  let previous = await store.previous(run);
  for (let i = 0; i < MAX_SKIPPED_RUNS && previous !== undefined; i++) {
    if (hasEnded(comparedEnd(previous))) return previous;
    previous = await store.previous(previous);
  }
  return undefined;
}

/** A run as the comparison takes it. */
export function comparedRun(run: StoredRun, findings: RunFindings): ComparedRun {
  return { findings, ...comparedEnd(run) };
}

function comparedEnd({ end }: StoredRun): Pick<ComparedRun, "exitCode"> {
  if (end?.cause !== "exit" || end.exitCode === undefined) return {};
  // Exit code 0 proves nothing if the command line could not be parsed or some output was not recorded.
  const isKnown = end.unread === undefined && end.isPartial !== true;
  return isKnown || end.exitCode !== 0 ? { exitCode: end.exitCode } : {};
}

/**
 * Returns what is known about the build tools whose diagnostics are compared. The registry of tools loads all parsers,
 * so it is imported only if there are diagnostics.
 */
async function toolFacts(
  command: string,
  now: RunFindings,
  before: RunFindings,
): Promise<Pick<LaterChecks, "tool" | "succeededBefore">> {
  if (before.diagnostics.length === 0) return { tool: () => undefined, succeededBefore: () => false };
  const { packageManagers, programsOf, toolNamed } = await import("../../diagnostics/registry/tool-names.ts");
  const chain = { command, scripts: now.scripts ?? [] };
  const tools = { packageManagers, programsOf };
  return { tool: toolNamed, succeededBefore: successChecker(chain, toolsIn(now), tools) };
}

function toolsIn({ diagnostics, tests }: RunFindings): ReadonlySet<string> {
  return new Set([...diagnostics.map(({ tool }) => tool), ...tests.map(({ runner }) => runner)]);
}

function hasFindings(findings: RunFindings): boolean {
  return findings.diagnostics.length > 0 || findings.tests.some((one) => one.failures.length > 0);
}
