import { groupBy } from "../../../kernel/group-by.ts";
import type { FileChange, SymbolChange } from "../../../model/changes.ts";
import type { Certainty } from "../../../model/relation.ts";
import type { SymbolKind } from "../../../model/symbol.ts";
import type { NameUse } from "../../../model/use.ts";
import type { ViewFile } from "../../live/view.ts";
import { briefOf, languageOfFile } from "../../uses/definition.ts";
import { findUses, type FoundUse, type UseSource } from "../../uses/find-uses.ts";
import { resolverFor } from "../../uses/modules/registry.ts";
import { definitionIn, lastPart } from "./definition-in.ts";
import { isPlain } from "./plain-use.ts";
import { type ChangedCode, hasLeft, isBesideChanges } from "./untouched.ts";

/** Files with the name of a changed definition that are read. */
export const MAX_FILES = 300;

/** The two states in which users are looked up, and what differs between them. */
export interface UseSearch extends ChangedCode {
  readonly after: UseSource;
  readonly before: () => Promise<UseSource>;
}

/**
 * Finds the users of a definition that was removed, renamed or moved: those of the earlier state that are still there and
 * refer to nothing in the later one.
 */
export async function usesOfGone(
  search: UseSearch,
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
  search: UseSearch,
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
  search: UseSearch,
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
    if (!isImport && !isPlain(one, kind)) continue;
    const entities = (await resolver?.entitiesOf(file, position)) ?? [];
    // A name that leads nowhere is wrong on a line that was edited, too.
    const isLost = entities.some(({ kind: what }) => what === "missing");
    if (!isLost && !isBesideChanges(search, one)) continue;
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
