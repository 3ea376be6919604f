import { groupBy } from "../../kernel/group-by.ts";
import { compareText } from "../../kernel/nearest.ts";
import type { FileChange, OutsideUses, SymbolChange } from "../../model/changes.ts";
import type { Certainty, RelatedPlace } from "../../model/relation.ts";
import type { SymbolKind } from "../../model/symbol.ts";
import type { NameUse } from "../../model/use.ts";
import type { View, ViewFile } from "../live/view.ts";
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
import { exportChange } from "./export-change.ts";
import type { LineChanges } from "./line-changes.ts";
import { importsOfOldPath } from "./old-imports.ts";
import { resolverFor } from "../uses/modules/registry.ts";
import { type ChangedCode, hasLeft, isBesideChanges, isUntouched } from "./untouched.ts";
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

/** All that changed, also what the caller left out. */
export interface AllChanges {
  readonly files: readonly FileChange[];
  /** What became of the lines of files that are in both states. */
  readonly lines: ReadonlyMap<string, LineChanges>;
}

/**
 * Adds to each definition of `files` with a new signature, and to each that is gone from its place, where code outside of
 * the change still uses it.
 */
export async function withOutsideUses(
  files: readonly FileChange[],
  all: AllChanges,
  { after, openBefore }: ComparedStates,
): Promise<readonly FileChange[]> {
  const search: Search = {
    after: useSourceOf(after),
    describe: describer(after),
    before: once(async () => useSourceOf(await openBefore())),
    changed: new Map(all.files.map((file) => [file.path, file])),
    lines: all.lines,
  };
  const finder = finderIn(files);
  let left = MAX_CHANGES;
  const result: FileChange[] = [];
  for (const file of files) {
    const symbols: SymbolChange[] = [];
    for (const symbol of file.symbols) {
      const finds = finder(symbol);
      const usedOutside =
        finds.length === 0
          ? undefined
          : left-- > 0
            ? await usesBy(finds, search, file, symbol)
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
      finder(symbol).length === 0 ? symbol : { ...symbol, usedOutside: notLookedUp("unstaged edits") },
    ),
  }));
}

interface Search extends ChangedCode {
  readonly after: UseSource;
  readonly before: () => Promise<UseSource>;
  readonly describe: (uses: readonly FoundUse[]) => Promise<OutsideUses | undefined>;
}

/** Creates the function that describes uses in the later state. */
function describer(after: HitSource): Search["describe"] {
  const files = createFileReader(after);
  return async (uses) => {
    const places = new Map<string, RelatedPlace>();
    // A key of an object of which nothing is known says least.
    const last = new Set<RelatedPlace>();
    for (const one of uses) {
      const key = `${one.file.path}:${one.use.line}`;
      if (places.get(key)?.certainty === "sure") continue;
      const place = await placeAround(one, after.view, (file) => files.outline(file));
      places.set(key, place);
      if (one.certainty === "possible" && one.use.receiver === "key") last.add(place);
    }
    const all = [...places.values()];
    const sure = all.filter(({ certainty }) => certainty === "sure");
    if (all.length === 0) return undefined;
    const shown = (sure.length > 0 ? sure : all)
      .toSorted((a, b) => Number(last.has(a)) - Number(last.has(b)) || byImportance(a, b))
      .slice(0, MAX_PLACES);
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

/** Finds the users of a changed definition; undefined if too many files have its name. */
type Find = (
  search: Search,
  file: FileChange,
  symbol: SymbolChange,
) => Promise<readonly FoundUse[] | undefined>;

async function usesBy(
  finds: readonly Find[],
  search: Search,
  file: FileChange,
  symbol: SymbolChange,
): Promise<OutsideUses | undefined> {
  const uses: FoundUse[] = [];
  for (const find of finds) {
    const found = await find(search, file, symbol);
    if (found === undefined) return notLookedUp("common name");
    uses.push(...found);
  }
  return search.describe(uses);
}

/** Kinds of definitions that code uses by name. */
const USED_KINDS =
  /^(?:class|struct|interface|trait|enum|variant|type|fn|method|constructor|macro|const|var|property|field)$/;
/** Kinds of definitions whose names are keys of objects; of another kind, a key of an unknown object says nothing. */
const VALUE_MEMBERS = /^(?:property|field)$/;

/** True for a change after which the users of a definition may have to change. */
export function mayConcernUsers({ change }: SymbolChange): boolean {
  return change !== "added" && change !== "body" && change !== "annotation";
}

/**
 * Returns how the users of a changed definition are found; nothing if they need not change. Those of a definition that
 * was moved are named where it is now, if that file is in the list.
 */
function finderIn(files: readonly FileChange[]): (symbol: SymbolChange) => readonly Find[] {
  const paths = new Set(files.map(({ path }) => path));
  return (symbol) => {
    const { change, kind, newPath, signature, oldSignature = "" } = symbol;
    if (!USED_KINDS.test(kind) || !mayConcernUsers(symbol)) return [];
    if (newPath !== undefined && paths.has(newPath)) return [];
    if (change !== "signature") return [usesOfGone];
    const exported = exportChange(oldSignature, signature);
    // Its own file still finds what is no longer exported; imports lead nowhere.
    return [
      ...(exported?.isAll === true ? [] : [usesOfChanged]),
      ...(exported?.isLost === true ? [usesOfGone] : []),
    ];
  };
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
  { kind, qualifiedName, lineStart }: SymbolChange,
): Promise<readonly FoundUse[] | undefined> {
  const { after } = search;
  const definition = definitionIn(after.view, path, qualifiedName, lineStart);
  if (definition === undefined) return [];
  const found = await findUses(after, definition, MAX_FILES);
  // What passes a definition on need not know its signature.
  return found?.uses.filter(
    (one) => one.use.role !== "export" && isPlain(one, kind) && isUntouched(search, one),
  );
}

/**
 * Finds the users of a definition that was removed, renamed or moved: those of the earlier state that are still there and
 * refer to nothing in the later one.
 */
async function usesOfGone(
  search: Search,
  file: FileChange,
  symbol: SymbolChange,
): Promise<readonly FoundUse[] | undefined> {
  const { kind, qualifiedName, oldName, oldPath, lineStart } = symbol;
  const before = await search.before();
  const from = oldPath ?? file.oldPath ?? file.path;
  const line = hasLeft(symbol) ? lineStart : undefined;
  const definition = definitionIn(before.view, from, oldName ?? qualifiedName, line);
  if (definition === undefined) return [];
  const found = await findUses(before, definition, MAX_FILES);
  if (found === undefined) return undefined;
  const name = lastPart(oldName ?? qualifiedName);
  const isConstructor = briefOf(before.view, definition)?.kind === "constructor" || name === "__init__";
  const still = isConstructor ? creations : remaining;
  const newPaths = new Map(Array.from(search.changed.values(), ({ path, oldPath: old }) => [old, path]));
  const uses: FoundUse[] = [];
  for (const [path, earlier] of groupBy(found.uses, (one) => one.file.path)) {
    const now = search.after.view.fileAt(newPaths.get(path) ?? path);
    if (now !== undefined) uses.push(...(await still(search, now, { earlier, name, kind })));
  }
  return uses;
}

/** The uses of a definition that one file had in the earlier state. */
interface EarlierUses {
  readonly earlier: readonly FoundUse[];
  /** The name and the kind of the definition. */
  readonly name: string;
  readonly kind: SymbolKind;
}

/** Returns the calls in a file that create objects of a class whose constructor is gone; another one may take them. */
async function creations(
  search: Search,
  file: ViewFile,
  { earlier, kind }: EarlierUses,
): Promise<readonly FoundUse[]> {
  const names = new Set(
    earlier.flatMap(({ use, certainty }) => (use.role === "call" && certainty === "sure" ? [use.name] : [])),
  );
  const { uses } = await search.after.reader.factsOf(file);
  return uses
    .filter(({ role, name }) => role === "call" && names.has(name))
    .map((use): FoundUse => ({ file, use, certainty: "possible" }))
    .filter((one) => isPlain(one, kind) && isBesideChanges(search, one));
}

/** Returns the uses of an earlier state that are still in a file and no longer lead to a definition. */
async function remaining(
  search: Search,
  file: ViewFile,
  { earlier, name, kind }: EarlierUses,
): Promise<readonly FoundUse[]> {
  const { after } = search;
  const { uses } = await after.reader.factsOf(file);
  const names = new Set([name, ...earlier.map(({ use }) => use.name)]);
  const certaintyOf = certaintyIn(search, file, earlier);
  const resolver = resolverFor(languageOfFile(file), after.tree);
  const found: FoundUse[] = [];
  const imports: FoundUse[] = [];
  for (const [position, use] of uses.entries()) {
    const certainty = names.has(use.name) ? certaintyOf(use) : undefined;
    if (certainty === undefined) continue;
    const one = { file, use, certainty };
    const isImport = use.role === "import";
    if (!(isImport || isPlain(one, kind)) || !isBesideChanges(search, one)) continue;
    const entities = (await resolver?.entitiesOf(file, position)) ?? [];
    if (!entities.some(({ kind: what }) => what === "definition")) (isImport ? imports : found).push(one);
  }
  // An import that nothing follows breaks as well, as that of a module which passes names on.
  return found.length > 0 ? found : imports.slice(0, 1);
}

/**
 * Returns how certain a use in the later state of a file is, as the same line of the earlier state had it; undefined if
 * that was no use. On a new line, it is what the uses of the file were.
 */
function certaintyIn(
  { lines }: ChangedCode,
  file: ViewFile,
  earlier: readonly FoundUse[],
): (use: NameUse) => Certainty | undefined {
  const isSame = earlier.every((one) => one.file.key === file.key);
  const known = new Map<number, Certainty>();
  for (const { use, certainty } of earlier)
    if (known.get(use.line) !== "sure") known.set(use.line, certainty);
  const certainty = earlier.some((one) => one.certainty === "sure") ? "sure" : "possible";
  return ({ line, receiver }) => {
    const oldLine = isSame ? line : (lines.get(file.path)?.oldLines[line] ?? 0);
    if (oldLine > 0) return known.get(oldLine);
    // Nothing shows of which object a new key is.
    if (receiver === "key") return undefined;
    return receiver === "unknown" ? "possible" : certainty;
  };
}

/** True for a place that depends on the definition itself, other than an import or a text. */
function isPlain({ use: { role, receiver }, certainty }: FoundUse, kind: SymbolKind): boolean {
  const isKeyOfAny = receiver === "key" && certainty !== "sure" && !VALUE_MEMBERS.test(kind);
  return role !== "import" && role !== "string" && !isKeyOfAny;
}
