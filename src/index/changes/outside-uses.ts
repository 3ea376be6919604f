import { groupBy } from "../../kernel/group-by.ts";
import { compareText } from "../../kernel/nearest.ts";
import type { FileChange, OutsideUses, SymbolChange } from "../../model/changes.ts";
import type { RelatedPlace } from "../../model/relation.ts";
import type { View } from "../live/view.ts";
import { createFileReader } from "../query/hits.ts";
import type { HitSource } from "../query/hit-source.ts";
import {
  bareName,
  briefOf,
  languageOfFile,
  ownerOf,
  symbolsNamed,
  type Definition,
} from "../uses/definition.ts";
import { findUses, type FoundUse, type UseSource } from "../uses/find-uses.ts";
import { placeAround } from "../uses/enclosing.ts";
import { isTestFile } from "../tests/test-file.ts";
import { importsOfOldPath } from "./old-imports.ts";
import { resolverFor } from "../uses/modules/registry.ts";
import { useSourceOf } from "../uses/use-source.ts";

/** Changes whose users are looked up, and files with the name of one that are read. */
const MAX_CHANGES = 40;
const MAX_FILES = 300;
const MAX_PLACES = 20;

/** For a definition whose users were not looked up; the reply says so. */
function notLookedUp(why: NonNullable<OutsideUses["notLookedUp"]>): OutsideUses {
  return { total: 0, places: [], possible: 0, notLookedUp: why };
}

/** The two states that are compared. The earlier one is opened only for definitions that the later one does not have. */
export interface ComparedStates {
  readonly after: HitSource;
  readonly openBefore: () => Promise<HitSource>;
}

/**
 * Adds to each definition of `files` with a new signature, and to each that is gone from its place, where code outside of
 * the change still uses it.
 */
export async function withOutsideUses(
  files: readonly FileChange[],
  all: readonly FileChange[],
  { after, openBefore }: ComparedStates,
): Promise<readonly FileChange[]> {
  const search: Search = {
    after: useSourceOf(after),
    describe: describer(after),
    before: once(async () => useSourceOf(await openBefore())),
    changed: new Map(all.map((file) => [file.path, file])),
  };
  const finder = finderIn(files);
  let left = MAX_CHANGES;
  const result: FileChange[] = [];
  for (const file of files) {
    const symbols: SymbolChange[] = [];
    for (const symbol of file.symbols) {
      const find = finder(symbol);
      const usedOutside =
        find === undefined
          ? undefined
          : left-- > 0
            ? await find(search, file, symbol)
            : notLookedUp("too many changes");
      symbols.push(usedOutside === undefined ? symbol : { ...symbol, usedOutside });
    }
    const { oldPath } = file;
    const oldImports =
      oldPath === undefined || left-- <= 0
        ? undefined
        : await importsOfOldPath(oldPath, { before: await search.before(), after: search.after });
    result.push({ ...file, symbols, ...(oldImports !== undefined && { oldImports }) });
  }
  return result;
}

/**
 * Marks the changes whose users matter as not looked up, because the index has the files on disk and not the staged ones.
 */
export function withoutLookup(files: readonly FileChange[]): readonly FileChange[] {
  const finder = finderIn(files);
  return files.map((file) => ({
    ...file,
    symbols: file.symbols.map((symbol) =>
      finder(symbol) === undefined ? symbol : { ...symbol, usedOutside: notLookedUp("unstaged edits") },
    ),
  }));
}

interface Search {
  readonly after: UseSource;
  readonly before: () => Promise<UseSource>;
  readonly changed: ReadonlyMap<string, FileChange>;
  readonly describe: (uses: readonly FoundUse[]) => Promise<OutsideUses | undefined>;
}

/** Creates the function that describes uses in the later state. */
function describer(after: HitSource): Search["describe"] {
  const files = createFileReader(after);
  return async (uses) => {
    const places = new Map<string, RelatedPlace>();
    for (const one of uses) {
      const key = `${one.file.path}:${one.use.line}`;
      if (places.get(key)?.certainty === "sure") continue;
      const place = await placeAround(one, after.view, (file) => files.outline(file));
      places.set(key, place);
    }
    const all = [...places.values()];
    const sure = all.filter(({ certainty }) => certainty === "sure");
    if (all.length === 0) return undefined;
    const shown = (sure.length > 0 ? sure : all).toSorted(byImportance).slice(0, MAX_PLACES);
    return {
      total: sure.length,
      places: shown.map(({ path, line, within }) => ({
        path,
        line,
        ...(within !== undefined && { within }),
      })),
      possible: all.length - sure.length,
    };
  };
}

/** Code comes before tests, since it is what a change breaks first. */
function byImportance(a: RelatedPlace, b: RelatedPlace): number {
  return (
    Number(isTestFile(a.path)) - Number(isTestFile(b.path)) || compareText(a.path, b.path) || a.line - b.line
  );
}

function once<T>(open: () => Promise<T>): () => Promise<T> {
  let opened: Promise<T> | undefined;
  return () => (opened ??= open());
}

type Find = (search: Search, file: FileChange, symbol: SymbolChange) => Promise<OutsideUses | undefined>;

/** Kinds of definitions that code uses by name. */
const USED_KINDS =
  /^(?:class|struct|interface|trait|enum|type|fn|method|constructor|macro|const|property|field)$/;

/** True for a change after which the users of a definition may have to change. */
export function mayConcernUsers({ change }: SymbolChange): boolean {
  return change !== "added" && change !== "body" && change !== "annotation";
}

/**
 * Returns how the users of a changed definition are found; undefined if they need not change. Those of a definition that
 * was moved are named where it is now, if that file is in the list.
 */
function finderIn(files: readonly FileChange[]): (symbol: SymbolChange) => Find | undefined {
  const paths = new Set(files.map(({ path }) => path));
  return (symbol) => {
    const { change, kind, newPath } = symbol;
    if (!USED_KINDS.test(kind) || !mayConcernUsers(symbol)) return undefined;
    if (newPath !== undefined && paths.has(newPath)) return undefined;
    return change === "signature" ? usesOfChanged : usesOfGone;
  };
}

/** True for a definition that is not in the later state of its file, so that its lines are those of the earlier one. */
export function hasLeft({ change, newPath }: SymbolChange): boolean {
  return change === "removed" || newPath !== undefined;
}

function lastPart(name: string): string {
  return name.split(/\.|::|#|->|\\/).at(-1) ?? name;
}

/** Finds the definition of a name in a file: on a line, or with the same owner if the line is not known. */
export function definitionIn(
  view: View,
  path: string,
  qualifiedName: string,
  line?: number,
): Definition | undefined {
  const file = view.fileAt(path);
  if (file === undefined) return undefined;
  const { symbols } = view.documentOf(file);
  const owner = qualifiedName.split(/\.|::|#|->|\\/).at(-2) ?? "";
  const found = symbolsNamed(symbols, lastPart(qualifiedName), () => true);
  const symbol =
    found.find((one) => symbols[one]?.lineStart === line) ??
    found.find((one) => {
      const brief = symbols[one];
      return brief !== undefined && bareName(ownerOf(brief, symbols) ?? "") === bareName(owner);
    }) ??
    found[0];
  return symbol === undefined ? undefined : { file, symbol };
}

/** Finds the users of a definition with a new signature, in the later state. */
async function usesOfChanged(
  search: Search,
  { path }: FileChange,
  { qualifiedName, lineStart }: SymbolChange,
): Promise<OutsideUses | undefined> {
  const { after } = search;
  const definition = definitionIn(after.view, path, qualifiedName, lineStart);
  if (definition === undefined) return undefined;
  const found = await findUses(after, definition, MAX_FILES);
  if (found === undefined) return notLookedUp("common name");
  // What passes a definition on need not know its signature.
  const uses = found.uses.filter((one) => one.use.role !== "export" && isOutside(one, search.changed));
  return search.describe(uses);
}

/**
 * Finds the users of a definition that was removed, renamed or moved: those of the earlier state that are still there and
 * refer to nothing in the later one.
 */
async function usesOfGone(
  search: Search,
  file: FileChange,
  symbol: SymbolChange,
): Promise<OutsideUses | undefined> {
  const { qualifiedName, oldName, oldPath, lineStart } = symbol;
  const before = await search.before();
  const from = oldPath ?? file.oldPath ?? file.path;
  const line = hasLeft(symbol) ? lineStart : undefined;
  const definition = definitionIn(before.view, from, oldName ?? qualifiedName, line);
  if (definition === undefined) return undefined;
  const found = await findUses(before, definition, MAX_FILES);
  if (found === undefined) return notLookedUp("common name");
  const name = lastPart(oldName ?? qualifiedName);
  const isConstructor = briefOf(before.view, definition)?.kind === "constructor" || name === "__init__";
  const still = isConstructor ? creations : remaining;
  const uses: FoundUse[] = [];
  for (const [path, earlier] of groupBy(found.uses, (one) => one.file.path))
    uses.push(...(await still(search, path, earlier, name)));
  return search.describe(uses);
}

/** Returns the calls in a file that create objects of a class whose constructor is gone; another one may take them. */
async function creations(
  { after, changed }: Search,
  path: string,
  earlier: readonly FoundUse[],
): Promise<readonly FoundUse[]> {
  const file = after.view.fileAt(path);
  if (file === undefined) return [];
  const names = new Set(
    earlier.flatMap(({ use, certainty }) => (use.role === "call" && certainty === "sure" ? [use.name] : [])),
  );
  const { uses } = await after.reader.factsOf(file);
  return uses
    .filter(({ role, name }) => role === "call" && names.has(name))
    .map((use): FoundUse => ({ file, use, certainty: "possible" }))
    .filter((one) => isOutside(one, changed));
}

/** Returns the uses of an earlier state that are still in a file and no longer lead to a definition. */
async function remaining(
  { after, changed }: Search,
  path: string,
  earlier: readonly FoundUse[],
  name: string,
): Promise<readonly FoundUse[]> {
  const file = after.view.fileAt(path);
  if (file === undefined) return [];
  const { uses } = await after.reader.factsOf(file);
  const isSame = earlier.every((one) => one.file.key === file.key);
  const lines = new Set(earlier.map(({ use }) => use.line));
  const names = new Set([name, ...earlier.map(({ use }) => use.name)]);
  const certainty = earlier.some((one) => one.certainty === "sure") ? "sure" : "possible";
  const resolver = resolverFor(languageOfFile(file), after.tree);
  const found: FoundUse[] = [];
  const imports: FoundUse[] = [];
  for (const [position, use] of uses.entries()) {
    if (!names.has(use.name) || (isSame && !lines.has(use.line))) continue;
    const was = isSame ? earlier.find((one) => one.use.line === use.line)?.certainty : undefined;
    const one = { file, use, certainty: was ?? (use.receiver === "unknown" ? "possible" : certainty) };
    const isImport = use.role === "import";
    if (isImport ? !isFromUnchanged(one, changed) : !isOutside(one, changed)) continue;
    const entities = (await resolver?.entitiesOf(file, position)) ?? [];
    if (!entities.some(({ kind }) => kind === "definition")) (isImport ? imports : found).push(one);
  }
  // An import that nothing follows breaks as well, as that of a module which passes names on.
  return found.length > 0 ? found : imports.slice(0, 1);
}

/** True for a plain use that is not inside of a definition that changed itself, whose author has seen it. */
function isOutside(one: FoundUse, changed: ReadonlyMap<string, FileChange>): boolean {
  const { role, receiver } = one.use;
  return role !== "import" && role !== "string" && receiver !== "key" && isFromUnchanged(one, changed);
}

function isFromUnchanged(
  { file: { path }, use }: FoundUse,
  changed: ReadonlyMap<string, FileChange>,
): boolean {
  const file = changed.get(path);
  return (
    file?.status !== "added" &&
    file?.symbols.some((one) => !hasLeft(one) && one.lineStart <= use.line && use.line <= one.lineEnd) !==
      true
  );
}
