import type { RunStore, StoredRun } from "../record/store.ts";
import { git } from "../../workspace/git/git-repository.ts";
import { statSync } from "node:fs";
import { isAbsolute, join, relative } from "node:path";
import type { FolderFacts, TestSelection } from "../../diagnostics/tool.ts";
import { readSmallText } from "../../kernel/files/small-file.ts";
import type { RanFile } from "../../model/test-summary.ts";
import type { CommandPlan } from "./plan.ts";
import { ecosystemOf, planTestFiles, runnerWords } from "./selected-tests.ts";
import { planOptions, testSelection } from "./test-plan.ts";

/** A whole test run that took less is not split, because each part is a job of its own. */
const MIN_SPLIT_MS = 4_000;

/** How many earlier runs are read to find a complete one. */
const MAX_READ_RUNS = 5;

/** How the tests of a folder run in the pool: in parts, or as a whole with the reason, if there is one to say. */
export interface TestSplit {
  readonly parts?: readonly CommandPlan[];
  readonly note?: string;
}

/** One part, or why it cannot be run on its own. */
type PlannedPart = { readonly plan: CommandPlan } | { readonly whyNot: string };

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
  /** Lists the files of the folder, relative to it. */
  readonly listFiles: () => Promise<readonly string[]>;
}

/** Splits the tests of a folder by what its last run of all tests took, which the store keeps under a key. */
export async function planByHistory(
  request: Pick<SplitRequest, "count" | "cwd" | "folder"> & {
    readonly workspace: string;
    readonly key: string;
  },
  store: Pick<RunStore, "list" | "get">,
  most: number,
): Promise<TestSplit> {
  const { workspace, key, count, cwd, folder } = request;
  const runs = await store.list(workspace, most);
  const ended = runs.filter((run) => run.key === key && run.end?.cause === "exit").slice(0, MAX_READ_RUNS);
  const last = await lastComplete(ended, store);
  const ran = last?.findings?.tests.flatMap(({ outcomes }) => outcomes?.files ?? []) ?? [];
  const durationMs = last?.endedAt === undefined ? undefined : last.endedAt - last.startedAt;
  return splitTests({
    count,
    cwd,
    folder,
    ran,
    listFiles: () => sentFiles(cwd),
    ...(durationMs !== undefined && { durationMs }),
  });
}

/**
 * The last run in which the runner reported on all tests. One that ended early has neither all files nor the time of the
 * whole.
 */
async function lastComplete(
  runs: readonly StoredRun[],
  store: Pick<RunStore, "get">,
): Promise<StoredRun | undefined> {
  for (const { id } of runs) {
    const run = await store.get(id);
    const { tests = [], silentParts } = run?.findings ?? {};
    if (tests.length > 0 && silentParts === undefined && tests.every(({ isPartial }) => isPartial !== true))
      return run;
  }
  return undefined;
}

/**
 * Splits the tests of a folder into parts of about the same duration. All parts but the last name their files, and the
 * last one excludes those, so that also a test file which was added since runs exactly once. Before the first run the files
 * are those that the runner's conventions name, or the runner itself makes equal parts.
 */
export async function splitTests(request: SplitRequest): Promise<TestSplit> {
  const { count, folder, durationMs } = request;
  if (durationMs !== undefined && durationMs < MIN_SPLIT_MS)
    return notSplit(`the last run took ${(durationMs / 1_000).toFixed(1)} s`);
  const selection = await testSelection(folder);
  const { part, without } = selection ?? {};
  if (part === undefined && without === undefined)
    return notSplit("the runner cannot run a part of the tests");
  const ran = weighed(request.ran, request.cwd);
  const files = ran.length > 0 ? ran : await conventionalFiles(request, selection);
  const named = packed(files, Math.min(count, files.length)).slice(0, -1);
  const rest = named.length > 0 ? without?.(named.flat(), folder) : undefined;
  if (rest !== undefined) {
    return partsOf([
      ...(await Promise.all(named.map((paths) => planPart(paths, folder)))),
      await planOptions(rest, folder),
    ]);
  }
  if (part === undefined) return notSplit(whyNotByFile(files.length));
  const numbers = Array.from({ length: count }, (_, at) => at + 1);
  return partsOf(await Promise.all(numbers.map((number) => planOptions(part(number, count), folder))));
}

/** The plans of all parts; without one of them the tests run as a whole. */
function partsOf(planned: readonly PlannedPart[]): TestSplit {
  const parts: CommandPlan[] = [];
  for (const one of planned) {
    if ("whyNot" in one) return notSplit(one.whyNot);
    parts.push(one.plan);
  }
  return { parts };
}

/** The result for tests that run as a whole. */
export function notSplit(reason: string): TestSplit {
  return { note: `Not split: ${reason}.` };
}

function whyNotByFile(count: number): string {
  if (count === 0) return "which files have tests is not certain before the first run";
  return count === 1 ? "all tests are in one file" : "the project has its own rules for which files run";
}

const MAX_LIST_BYTES = 64 * 1024 * 1024;

/** Lists the files of a folder that a worker gets: those that git does not ignore, without submodules. */
async function sentFiles(cwd: string): Promise<readonly string[]> {
  const args = ["ls-files", "-z", "--cached", "--others", "--exclude-standard"];
  const { exitCode, stdout } = await git(cwd, args, { maxBytes: MAX_LIST_BYTES });
  return exitCode === 0 ? stdout.toString("utf8").split("\0").filter(Boolean) : [];
}

interface WeighedFile {
  readonly path: string;
  readonly weight: number;
}

/** The files with tests that the runner runs by its conventions, by their size. */
async function conventionalFiles(
  { cwd, folder, listFiles }: SplitRequest,
  selection: TestSelection | undefined,
): Promise<WeighedFile[]> {
  const { conventions } = selection ?? {};
  const words = conventions && (await runnerWords(folder));
  if (conventions === undefined || words === undefined) return [];
  const read = (path: string): string => readSmallText(join(cwd, path)) ?? "";
  const found = conventions.files({ paths: await listFiles(), words, folder, read });
  const withTests = found.filter((path) => conventions.test.test(read(path)));
  return weighed(
    withTests.map((file) => ({ file })),
    cwd,
  );
}

/** The files that exist, with their durations; those of unknown duration count by their size. */
function weighed(ran: readonly Pick<RanFile, "file" | "ms">[], cwd: string): WeighedFile[] {
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

async function planPart(paths: readonly string[], folder: FolderFacts): Promise<PlannedPart> {
  const selection = { paths, args: [], ecosystem: ecosystemOf(paths[0] ?? "") };
  const { plan, whyAll } = (await planTestFiles(selection, folder)) ?? {};
  if (plan === undefined || whyAll !== undefined)
    return { whyNot: whyAll ?? "the runner cannot run a part of the tests" };
  return { plan };
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
