import { statSync } from "node:fs";
import { isAbsolute, join, relative } from "node:path";
import type { FolderFacts } from "../../diagnostics/tool.ts";
import type { RanFile } from "../../model/test-summary.ts";
import type { CommandPlan } from "./plan.ts";
import { ecosystemOf, planTestFiles } from "./selected-tests.ts";
import { planTests, testSelection } from "./test-plan.ts";

/** A whole test run that took less is not split, because each part is a job of its own. */
const MIN_SPLIT_MS = 4_000;

interface SplitRequest {
  /** The most parts. */
  readonly count: number;
  /** The folder of the command, and the workspace around it. */
  readonly cwd: string;
  readonly folder: FolderFacts;
  /** The files of the last run of all tests. */
  readonly ran: readonly RanFile[];
  /** How long that run took, if there was one. */
  readonly durationMs?: number;
}

/**
 * Splits the tests of a folder into parts of about the same duration. All parts but the last name their files, and the
 * last one excludes those, so that also a test file which was added since runs exactly once. Without known files the
 * runner itself makes equal parts. Undefined if the tests are few, or the runner can do neither.
 */
export async function splitTests(request: SplitRequest): Promise<CommandPlan[] | undefined> {
  const { count, folder, durationMs } = request;
  if (count < 2 || (durationMs !== undefined && durationMs < MIN_SPLIT_MS)) return undefined;
  const selection = await testSelection(folder);
  const files = weighed(request);
  const parts = packed(files, Math.min(count, files.length));
  const named = parts.slice(0, -1);
  const rest = named.length > 0 ? selection?.without?.(named.flat(), folder) : undefined;
  if (rest !== undefined) {
    const plans = await Promise.all(named.map((paths) => planPart(paths, folder)));
    const whole = plans.filter((plan) => plan !== undefined);
    return whole.length === plans.length ? [...whole, await planTests({ args: rest }, folder)] : undefined;
  }
  const { part } = selection ?? {};
  // A script whose runner takes no files does not end with the runner, so it cannot be told which part to run either.
  if (part === undefined || (await planPart(["x.test.js"], folder)) === undefined) return undefined;
  const numbers = Array.from({ length: count }, (_, at) => at + 1);
  return Promise.all(numbers.map((number) => planTests({ args: part(number, count) }, folder)));
}

interface WeighedFile {
  readonly path: string;
  readonly weight: number;
}

/** The files of the last run that still exist, with their durations; those of unknown duration count by their size. */
function weighed({ ran, cwd }: SplitRequest): WeighedFile[] {
  const known = new Map<string, { readonly ms?: number; readonly bytes: number }>();
  for (const { file, ms } of ran) {
    const path = isAbsolute(file) ? relative(cwd, file) : file;
    const found = statSync(join(cwd, path), { throwIfNoEntry: false });
    if (found?.isFile() === true && !path.startsWith(".."))
      known.set(path, { bytes: found.size, ...(ms !== undefined && { ms }) });
  }
  const timed = [...known.values()].filter(({ ms }) => ms !== undefined);
  const msPerByte =
    timed.length === 0
      ? 1
      : sum(timed.map(({ ms = 0 }) => ms)) / Math.max(1, sum(timed.map(({ bytes }) => bytes)));
  return [...known].map(([path, { ms, bytes }]) => ({ path, weight: ms ?? bytes * msPerByte }));
}

/** Puts each file, the longest first, into the part that has the least to do. */
function packed(files: readonly WeighedFile[], count: number): string[][] {
  const parts = Array.from({ length: count }, () => ({ weight: 0, paths: [] as string[] }));
  for (const { path, weight } of [...files].sort((one, other) => other.weight - one.weight)) {
    const [least] = [...parts].sort(
      (one, other) => one.weight - other.weight || one.paths.length - other.paths.length,
    );
    if (least === undefined) break;
    least.weight += weight;
    least.paths.push(path);
  }
  // The last part also runs files that are new, so it is the one with the least to do.
  return parts.sort((one, other) => other.weight - one.weight).map(({ paths }) => paths);
}

async function planPart(paths: readonly string[], folder: FolderFacts): Promise<CommandPlan | undefined> {
  const planned = await planTestFiles({ paths, args: [], ecosystem: ecosystemOf(paths[0] ?? "") }, folder);
  // The other parts run the script, which may do more than its runner.
  return planned?.bypassesScript === true ? undefined : planned?.plan;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
