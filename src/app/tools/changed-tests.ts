import { existsSync, readdirSync } from "node:fs";
import { join, posix, relative, sep } from "node:path";
import { PithError } from "../../kernel/errors.ts";
import type { ChosenTests } from "../../index/tests/choose-tests.ts";
import type { ChosenTest, OtherPackage, TestChoice } from "../../model/test-choice.ts";
import type { CommandPlan } from "../../runs/plan/plan.ts";
import type { Services } from "../services.ts";

/** Matches the ways to ask for the tests of one's changes, with a branch or commit to compare with. */
const PHRASE =
  /^(?:run |the |only )*(?:(?:tests?|specs?) (?:of|for|affected by|that cover|related to|touched by) (?:my |the |these |this |all )*(?:changes?|changed files?|edits?|diff|work|branch)|(?:changed|affected|related|impacted|relevant) tests?|tests? (?:changed|affected)|test --changed)(?: (?:since|against|from|vs\.?|versus|compared (?:to|with)|to|relative to) (?<ref>\S+))?[.!?]?$/i;

/** Reads the name of a tool as a request for the tests of one's changes; undefined if it is none. */
export function readChangedTests(tool: string): { readonly ref?: string } | undefined {
  const found = PHRASE.exec(tool.trim().replaceAll(/[\s_]+/g, " "));
  if (found === null) return undefined;
  const ref = found.groups?.["ref"];
  return ref === undefined ? {} : { ref };
}

/** The tests of some changes: how to run them, or why there is nothing to run. */
export interface ChangedTests {
  readonly choice: TestChoice;
  readonly run?: { readonly plan: CommandPlan; readonly cwd: string };
}

interface ChangedTestsRequest {
  readonly root: string;
  /** The folder whose tests may be chosen. */
  readonly scope: string;
  readonly ref: string | undefined;
  /** Further arguments for the test runner. */
  readonly args: readonly string[];
  readonly signal: AbortSignal;
}

/** Chooses the tests of the changes in a working tree and plans how to run them with the project's own runner. */
export async function planChangedTests(
  { root, scope, ref, args, signal }: ChangedTestsRequest,
  services: Pick<Services, "index" | "runs">,
): Promise<ChangedTests> {
  const [{ chooseTests }, runs] = await Promise.all([
    import("../../index/tests/choose-tests.ts"),
    services.runs(),
  ]);
  const failed = await runs.failedTestFiles(root);
  const since = ref === undefined ? {} : { ref };
  const usingChanges = async () => {
    try {
      return await (await services.index()).testsByUse({ root, signal, ...since });
    } catch (error) {
      // Such as a store that cannot be opened: history, names and texts still choose.
      if (!(error instanceof PithError) || signal.aborted) throw error;
      return new Map<string, never>();
    }
  };
  const found = await chooseTests({ root, scope, failed, usingChanges, signal, ...since });
  const { ecosystemOf, planTestFiles } = await import("../../runs/plan/selected-tests.ts");
  const { folderFacts } = await import("../../runs/plan/folder-facts.ts");
  const groups = await groupByPackage(found.chosen, root, scope);
  for (const [at, { folder, tests }] of groups.entries()) {
    const cwd = join(root, folder);
    const paths = tests.map(({ path }) => posix.relative(folder, path));
    const selection = { paths, args, ecosystem: ecosystemOf(paths[0] ?? "") };
    const planned = await planTestFiles(selection, await folderFacts(cwd, root));
    if (planned === undefined) continue;
    const { plan, unknown, besides, whyAll, all: runAll } = planned;
    const others = groups.filter((_, other) => other !== at);
    const notBuilt = unknown && {
      tests: unknown.paths.map((path) => posix.join(folder, path)),
      configure: unknown.configure,
    };
    const running = tests.filter(({ path }) => notBuilt?.tests.includes(path) !== true);
    // If all tests run, nothing that changed needs more than what runs.
    const chosen = whyAll === undefined ? found : { ...found, shared: [] };
    const choice = choiceOf(chosen, { folder, tests: running, others, runAll, ref, notBuilt, besides });
    return plan === undefined ? { choice } : { choice, run: { plan, cwd } };
  }
  const { commandForAllTests } = await import("../../runs/plan/selected-tests.ts");
  const runAll = await commandForAllTests(await folderFacts(scope, root));
  const folder = relative(root, scope).split(sep).join("/");
  const nothing = { folder, tests: [], others: groups, runAll, ref };
  return { choice: choiceOf(found, nothing) };
}

interface PackageTests {
  readonly folder: string;
  readonly tests: readonly ChosenTest[];
}

/** Groups tests by the package whose runner runs them; the package of the likeliest test comes first. */
async function groupByPackage(
  chosen: readonly ChosenTest[],
  root: string,
  scope: string,
): Promise<PackageTests[]> {
  const { ecosystemOf } = await import("../../runs/plan/selected-tests.ts");
  const top = relative(root, scope).split(sep).join("/");
  const groups = new Map<string, { folder: string; tests: ChosenTest[] }>();
  const packages = new Map<string, string>();
  for (const test of chosen) {
    const ecosystem = ecosystemOf(test.path);
    const place = JSON.stringify([posix.dirname(test.path), ecosystem]);
    const folder = packages.get(place) ?? (await packageOf(test.path, { root, top }));
    packages.set(place, folder);
    const key = JSON.stringify([folder, ecosystem]);
    const group = groups.get(key) ?? { folder, tests: [] };
    groups.set(key, group);
    group.tests.push(test);
  }
  return [...groups.values()];
}

/**
 * The folder from which a test is run: the workspace of its package, or the package itself, which is the nearest folder
 * above the test that looks like one. `top` is the folder whose tests may be chosen.
 */
async function packageOf(test: string, { root, top }: { root: string; top: string }): Promise<string> {
  const { ecosystemOf, isPackageFile, isRunFrom } = await import("../../runs/plan/selected-tests.ts");
  const { folderFacts } = await import("../../runs/plan/folder-facts.ts");
  const ecosystem = ecosystemOf(test);
  const above = foldersAbove(posix.dirname(test));
  const isPackage = (at: string): boolean =>
    existsSync(join(root, at)) && readdirSync(join(root, at)).some((name) => isPackageFile(name, ecosystem));
  const nearest = above.find(isPackage) ?? top;
  for (const at of above.toReversed()) {
    const part = posix.relative(at, nearest);
    if (part === "" || part.startsWith("..")) break;
    if (await isRunFrom(await folderFacts(join(root, at), root), part, ecosystem)) return at;
  }
  return nearest;
}

/** The folder and those above it; the last one is the root. */
function foldersAbove(folder: string): string[] {
  const folders: string[] = [];
  for (let at = folder; at !== "." && at !== ""; at = posix.dirname(at)) folders.push(at);
  return [...folders, ""];
}

interface Outcome extends PackageTests {
  readonly others: readonly PackageTests[];
  readonly runAll: string;
  readonly ref: string | undefined;
  readonly notBuilt?: TestChoice["notBuilt"] | undefined;
  readonly besides?: string | undefined;
}

function choiceOf(found: ChosenTests, outcome: Outcome): TestChoice {
  const { folder, tests, others, runAll, ref, notBuilt, besides } = outcome;
  const elsewhere: OtherPackage[] = others.map((other) => ({
    folder: other.folder,
    tests: other.tests.map(({ path }) => path),
  }));
  return {
    ...(ref !== undefined && { since: ref }),
    changedFiles: found.changedFiles,
    chosen: tests,
    elsewhere,
    leftOut: found.testFiles - found.chosen.length,
    runAll,
    folder,
    ...(notBuilt !== undefined && { notBuilt }),
    ...(besides !== undefined && { besides }),
    ...(found.shared.length > 0 && { shared: found.shared }),
    ...(found.lacksHistory && { lacksHistory: true }),
  };
}
