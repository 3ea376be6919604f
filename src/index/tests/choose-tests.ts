import { join, posix, relative, sep } from "node:path";
import { PithError } from "../../kernel/errors.ts";
import { forEachYielding } from "../../kernel/for-each-yielding.ts";
import type { ChosenTest, TestReason } from "../../model/test-choice.ts";
import { readContent, statOf } from "../../workspace/files/file-signature.ts";
import { createFileTree } from "../../workspace/files/file-tree.ts";
import { changesSince, type ChangesSince } from "../../workspace/git/changes-since.ts";
import { findRepository } from "../../workspace/git/git-repository.ts";
import type { ChangedHunk, TreeChange } from "../../workspace/git/tree-changes.ts";
import { resolveRange } from "../changes/change-range.ts";
import { changedNames } from "./changed-names.ts";
import { explainTest } from "./explain-test.ts";
import { type RankedTest, rankTests } from "./rank-tests.ts";
import { readHistory } from "./read-history.ts";
import { NO_HISTORY } from "./test-history.ts";
import type { TestsByUse, UsedChange } from "./tests-by-use.ts";
import { concernsAllTests, isTestedFile, isTestFile } from "./test-file.ts";
import { type ChangedSource, namesOfFile, type TestQuestion } from "./test-features.ts";
import { type TestText, testTextReader } from "./test-text.ts";

export interface ChooseRequest {
  /** The workspace. */
  readonly root: string;
  /** The folder whose tests may be chosen. */
  readonly scope: string;
  /** The branch, tag or commit to compare with; by default the commit of the working tree. */
  readonly ref?: string;
  /** Test files that failed lately, relative to the workspace, with the run. */
  readonly failed: ReadonlyMap<string, string>;
  /** Finds the test files that use what changed, relative to the workspace. */
  readonly usingChanges: () => Promise<TestsByUse>;
  readonly signal: AbortSignal;
}

/** The test files for the changes of a working tree. Paths are relative to the workspace. */
export interface ChosenTests {
  readonly changedFiles: number;
  readonly chosen: readonly ChosenTest[];
  /** The number of test files in the folder, chosen or not. */
  readonly testFiles: number;
  readonly lacksHistory: boolean;
  /** Changed files that may concern every test, such as settings. */
  readonly shared: readonly string[];
}

/** Test files that are chosen besides the changed ones. More would be near a run of all. */
const MAX_CHOSEN = 10;
/** Test files that are chosen only because they certainly use what changed. */
const MAX_USERS = 5;
/** Test files that are chosen only because they failed lately. */
const MAX_FAILED = 5;
/** The tests are chosen until they have this share of the probability together. */
const ENOUGH = 0.99;
const MAX_FILE_BYTES = 1024 * 1024;
/** A larger change is named by the first of its files. */
const MAX_SOURCES = 50;

/** Chooses the test files that the changes of a working tree most likely concern. */
export async function chooseTests(request: ChooseRequest): Promise<ChosenTests> {
  const { root, ref, signal } = request;
  const changes = await changesSince(root, ref, { signal }).catch((error: unknown) =>
    explainUnknownRef(error, request),
  );
  const toTop = (path: string): string => posix.join(slashed(relative(changes.top, root)), path);
  const fromTop = (path: string): string => slashed(relative(root, join(changes.top, path)));
  const files = await createFileTree(root, await findRepository(root)).list();
  const tests = testsAmong(files, request).map(toTop);
  const below = folderFrom(changes.top, request.scope);
  const isBelow = (path: string): boolean => path.startsWith(below);
  const beside = changes.files
    .filter(({ path }) => isBelow(path) && hasOwnTests(changes.top, path))
    .map(({ path }) => path);
  const present = new Set([...tests, ...beside]);
  const edited = changes.files.filter(({ path }) => present.has(path)).map(({ path }) => path);
  const chosen: ChosenTest[] = edited.map((path) => ({
    path: fromTop(path),
    reasons: [{ kind: "changed" }],
  }));
  const sources = sourcesOf(changes);
  let lacksHistory = false;
  const using =
    sources.length === 0
      ? new Map<string, readonly UsedChange[]>()
      : new Map(Array.from(await request.usingChanges(), ([path, use]) => [toTop(path), use]));
  for (const path of using.keys()) if (isBelow(path) && hasOwnTests(changes.top, path)) present.add(path);
  if (sources.length > 0 && present.size > 0) {
    const history = await readHistory(changes.top, {
      sources: sources.map(({ path }) => path),
      folder: folderFrom(changes.top, root),
      files: files.map(toTop),
      signal,
    });
    lacksHistory = history === undefined;
    const question: TestQuestion = {
      sources,
      tests: [...present].filter((path) => !edited.includes(path)),
      history: history ?? NO_HISTORY,
      textOf: await textsOf(changes.top, [...present], sources),
      using,
    };
    const failed = new Map(Array.from(request.failed, ([path, run]) => [toTop(path), run]));
    for (const { path, reasons } of likeliest(question, failed))
      chosen.push({ path: fromTop(path), reasons });
  }
  const shared = changes.files.filter(({ path }) => concernsAllTests(path)).map(({ path }) => fromTop(path));
  return { changedFiles: changes.files.length, chosen, testFiles: present.size, lacksHistory, shared };
}

/** Matches a test that stands beside the code which it tests, as unit tests of Rust do. */
const OWN_TESTS = /^\s*#\[(?:cfg\(test\)|(?:\w+::)*test\b)/mu;

/** Returns true if a file of code also contains tests. */
function hasOwnTests(top: string, path: string): boolean {
  return path.endsWith(".rs") && OWN_TESTS.test(textOf(top, path) ?? "");
}

/** Throws the error that says more about a name that git does not know: that a shallow clone lacks the commit. */
async function explainUnknownRef(error: unknown, { root, ref }: ChooseRequest): Promise<never> {
  const isUnknown = error instanceof PithError && error.code === "ref_not_found";
  const repository = isUnknown && ref !== undefined ? await findRepository(root) : undefined;
  if (repository !== undefined && ref !== undefined) await resolveRange(repository, { range: ref });
  throw error;
}

/** A folder with a slash at its end, relative to the top; empty for the top itself. */
function folderFrom(top: string, folder: string): string {
  const path = slashed(relative(top, folder));
  return path === "" ? "" : `${path}/`;
}

function testsAmong(files: readonly string[], { root, scope }: ChooseRequest): string[] {
  const below = scope === root ? "" : `${slashed(relative(root, scope))}/`;
  // Git also lists files that were deleted but not staged.
  return files.filter(
    (path) => path.startsWith(below) && isTestFile(path) && statOf(join(root, path)) !== undefined,
  );
}

function sourcesOf({ top, files, hunks }: ChangesSince): ChangedSource[] {
  return files
    .filter(({ path }) => isTestedFile(path))
    .slice(0, MAX_SOURCES)
    .map((change) => ({
      path: change.path,
      names: namesOfChange(top, change, hunks.get(change.path)),
    }));
}

function namesOfChange(
  top: string,
  { path, change }: TreeChange,
  hunks: readonly ChangedHunk[] | undefined,
): ReadonlyMap<string, number> {
  const text = change === "deleted" ? "" : (textOf(top, path) ?? "");
  // A new file is one change that adds all its lines.
  const added = change === "new" ? [{ heading: "", removed: [], added: text.split("\n") }] : [];
  return changedNames(hunks ?? added, text);
}

function textOf(top: string, path: string): string | undefined {
  const content = readContent(top, path, MAX_FILE_BYTES);
  return content === undefined || "tooLarge" in content ? undefined : content.bytes.toString("utf8");
}

async function textsOf(
  top: string,
  tests: readonly string[],
  sources: readonly ChangedSource[],
): Promise<(path: string) => TestText | undefined> {
  const read = testTextReader(sources.flatMap(({ path, names }) => [...names.keys(), ...namesOfFile(path)]));
  const texts = new Map<string, TestText>();
  await forEachYielding(tests, (path) => {
    const text = textOf(top, path);
    if (text !== undefined) texts.set(path, read(text));
  });
  return (path) => texts.get(path);
}

/**
 * The tests that are likely enough and that something speaks for, with what does; then tests that use what changed, and
 * tests that failed when they last ran, because a change may be meant to fix them.
 */
function likeliest(question: TestQuestion, failed: ReadonlyMap<string, string>): ChosenTest[] {
  const { using } = question;
  const likely: ChosenTest[] = [];
  const users: ChosenTest[] = [];
  const others: ChosenTest[] = [];
  let covered = 0;
  for (const test of rankTests(question)) {
    const run = failed.get(test.path);
    const isLikely = likely.length < MAX_CHOSEN && covered < ENOUGH;
    const use = using.get(test.path)?.[0];
    if (!isLikely && run === undefined && use === undefined) continue;
    covered += test.share;
    const reasons = reasonsFor(test, question, run, use);
    if (isLikely && reasons.length > 0) likely.push({ path: test.path, reasons });
    else if (use !== undefined) users.push({ path: test.path, reasons });
    else if (run !== undefined && others.length < MAX_FAILED) others.push({ path: test.path, reasons });
  }
  const direct = [...using.keys()].flatMap((path) => users.find((one) => one.path === path) ?? []);
  return [...likely, ...direct.slice(0, MAX_USERS), ...others];
}

function reasonsFor(
  test: RankedTest,
  question: TestQuestion,
  run: string | undefined,
  use: UsedChange | undefined,
): TestReason[] {
  const uses: TestReason[] = use === undefined ? [] : [{ kind: "uses", ...usedOf(use) }];
  // That a test uses what changed says more than that it imports the file.
  const others = explainTest(test, question).filter(({ kind }) => use === undefined || kind !== "imports");
  return [...uses, ...others, ...(run === undefined ? [] : [{ kind: "failed" as const, run }])];
}

function usedOf({ name, through }: UsedChange) {
  return { name, ...(through !== undefined && { through }) };
}

function slashed(path: string): string {
  return path.split(sep).join("/");
}
