import { addToGroup } from "../../kernel/group-by.ts";
import type { SymbolKind } from "../../model/symbol.ts";
import { resolveRange } from "../changes/change-range.ts";
import { compareRange } from "../changes/changes.ts";
import { definitionIn } from "../changes/users/definition-in.ts";
import { hasLeft } from "../changes/users/untouched.ts";
import type { IndexCore } from "../core.ts";
import { openFresh } from "../live/open-fresh.ts";
import type { View } from "../live/view.ts";
import { bareName, briefOf, symbolAround, TYPE_KINDS, type Definition } from "../uses/definition.ts";
import { findUses, type FoundUse, type UseSource } from "../uses/find-uses.ts";
import { useSourceOf } from "../uses/use-source.ts";
import { isTestFile } from "./test-file.ts";

export interface TestsByUseRequest {
  readonly root: string;
  /** The branch, tag or commit to compare the working tree with; by default its own commit. */
  readonly ref?: string;
  readonly signal: AbortSignal;
}

/** What a test uses of a change. */
export interface UsedChange {
  /** The changed definition. */
  readonly name: string;
  /** The definition between the test and the changed one, if the test does not use that itself. */
  readonly through?: string;
  /** The number of definitions between the test and the changed one. */
  readonly depth: number;
  /** The number of test files that use the same definition. */
  readonly users: number;
}

/**
 * Test files that use changed definitions, by their paths in the workspace; the first ones use them most directly, and so
 * does the first use of each.
 */
export type TestsByUse = ReadonlyMap<string, readonly UsedChange[]>;

/** Definitions whose users are looked up; those of a change come before those that use them. */
const MAX_DEFINITIONS = 60;
/** A name in more files than this is too common to tell which tests concern it. */
const MAX_FILES = 200;
/** Number of definitions between a test and a changed one, after which nearly every test would follow. */
const MAX_STEPS = 2;
/** Longest wait for the index, since tests can be chosen without it. */
const INDEX_WAIT_MS = 5_000;
/** Time for the look-up, after which what was found so far counts. */
const LOOK_UP_MS = 4_000;

/** Finds the test files that certainly use what changed in the working tree, directly or through few others. */
export async function testsByUse(core: IndexCore, request: TestsByUseRequest): Promise<TestsByUse> {
  const { root, ref, signal } = request;
  const { repository } = await core.project(root);
  if (repository === undefined) return new Map();
  const range = await resolveRange(repository, ref === undefined ? {} : { range: ref, isSinceFork: true });
  const { files } = await compareRange(core, repository, { range, signal });
  const answerBy = Date.now() + INDEX_WAIT_MS;
  const { source } = await openFresh(core, { root, policy: "balanced", answerBy, signal });
  const changed = files.flatMap(({ path, symbols }) =>
    symbols
      .filter((symbol) => !hasLeft(symbol))
      .flatMap(
        ({ qualifiedName, lineStart }) => definitionIn(source.view, path, qualifiedName, lineStart) ?? [],
      ),
  );
  return testsOf(useSourceOf(source), changed);
}

interface Step extends Omit<UsedChange, "users"> {
  readonly definition: Definition;
}

async function testsOf(source: UseSource, changed: readonly Definition[]): Promise<TestsByUse> {
  const { view } = source;
  const tests = new Map<string, UsedChange[]>();
  const queue: Step[] = changed
    .filter(({ file }) => !isTestFile(file.path))
    .map((definition) => ({ definition, name: nameOf(view, definition), depth: 0 }));
  const seen = new Set(queue.map(({ definition }) => keyOf(definition)));
  const until = Date.now() + LOOK_UP_MS;
  for (let at = 0; at < Math.min(queue.length, MAX_DEFINITIONS) && Date.now() < until; at++) {
    const step = queue[at];
    if (step === undefined) break;
    const { definition, ...use } = step;
    const uses = await certainUses(source, definition);
    const inTests = uses.filter((one) => isInTest(view, one));
    const users = new Set(inTests.map(({ file }) => file.path));
    for (const path of users) addToGroup(tests, path, { ...use, users: users.size });
    for (const { file, use: place } of uses.filter((one) => !inTests.includes(one))) {
      const symbol = symbolAround(view.documentOf(file).symbols, place.line, ({ kind }) => USERS.has(kind));
      const user = { file, symbol };
      if (symbol < 0 || use.depth >= MAX_STEPS || seen.has(keyOf(user))) continue;
      seen.add(keyOf(user));
      queue.push({ definition: user, name: use.name, through: nameOf(view, user), depth: use.depth + 1 });
    }
  }
  return tests;
}

/** Whether a use is in a test: in a file of tests, or in the module of tests that stands beside code of Rust. */
function isInTest(view: View, { file, use }: FoundUse): boolean {
  if (isTestFile(file.path)) return true;
  if (!file.path.endsWith(".rs")) return false;
  const { symbols } = view.documentOf(file);
  return (
    symbolAround(symbols, use.line, ({ kind, name }) => kind === "module" && TEST_MODULE.test(name)) >= 0
  );
}

const TEST_MODULE = /^(?:tests?|unit_?tests?|\w+_tests?|tests?_\w+)$/;

/** Kinds of definitions that tests use. */
const USERS: ReadonlySet<SymbolKind> = new Set(["fn", "method", "constructor", "class", "struct", "const"]);

/**
 * Returns the certain uses of a definition. The type before a member is rarely known; in a test file that certainly uses
 * the type of the member, a possible use of the member counts as well.
 */
async function certainUses(source: UseSource, definition: Definition): Promise<readonly FoundUse[]> {
  const uses = (await findUses(source, definition, MAX_FILES))?.uses ?? [];
  const sure = uses.filter(({ certainty, use }) => certainty === "sure" && use.role !== "import");
  const possible = uses.filter(({ certainty, file }) => certainty === "possible" && isTestFile(file.path));
  const owner = possible.length === 0 ? undefined : typeAround(source.view, definition);
  if (owner === undefined) return sure;
  const ofType = (await findUses(source, owner, MAX_FILES))?.uses ?? [];
  const files = new Set(ofType.filter(({ certainty }) => certainty === "sure").map(({ file }) => file.path));
  return [...sure, ...possible.filter(({ file }) => files.has(file.path))];
}

function typeAround(view: View, { file, symbol }: Definition): Definition | undefined {
  const parent = briefOf(view, { file, symbol })?.parent ?? -1;
  const kind = view.documentOf(file).symbols[parent]?.kind;
  return kind !== undefined && TYPE_KINDS.has(kind) ? { file, symbol: parent } : undefined;
}

function nameOf(view: View, definition: Definition): string {
  return bareName(briefOf(view, definition)?.name ?? "");
}

function keyOf({ file, symbol }: Definition): string {
  return `${file.path}:${symbol}`;
}
