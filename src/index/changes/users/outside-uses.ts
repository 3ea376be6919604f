import { compareText } from "../../../kernel/nearest.ts";
import type { FileChange, OutsideUses, SymbolChange } from "../../../model/changes.ts";
import type { RelatedPlace } from "../../../model/relation.ts";
import { createFileReader } from "../../query/hits.ts";
import type { HitSource } from "../../query/hit-source.ts";
import { findUses, type FoundUse } from "../../uses/find-uses.ts";
import { placeAround } from "../../uses/enclosing.ts";
import { isTestFile } from "../../tests/test-file.ts";
import { definitionIn } from "./definition-in.ts";
import { exportChange } from "./export-change.ts";
import { MAX_FILES, usesOfGone, type UseSearch } from "./gone-uses.ts";
import type { LineChanges } from "../line-changes.ts";
import { importsOfOldPath } from "./old-imports.ts";
import { isPlain } from "./plain-use.ts";
import { isUntouched } from "./untouched.ts";
import { useSourceOf } from "../../uses/use-source.ts";

/** Changes whose users are looked up. */
const MAX_CHANGES = 40;
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

interface Search extends UseSearch {
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
