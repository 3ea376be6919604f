import { addToGroup } from "../../kernel/group-by.ts";
import type { SymbolChange } from "../../model/changes.ts";
import { type LoneSymbol, placeOf } from "./compare-symbols.ts";
import { isAlike } from "./likeness.ts";

/** The definitions that a changed file has on one side only. */
export interface LoneSymbols {
  readonly path: string;
  readonly oldPath: string;
  readonly added: readonly LoneSymbol[];
  readonly removed: readonly LoneSymbol[];
}

/** The changes of one file that are about whole definitions. */
export type WholeChanges = ReadonlyMap<string, readonly SymbolChange[]>;

interface Placed extends LoneSymbol {
  readonly path: string;
}

/** A shorter text may be equal by chance, so it proves neither a rename nor a move. */
const MIN_PRINT_LENGTH = 20;

/**
 * Pairs definitions that were removed with those that were added: the same text under another name is a rename, the
 * same name and mostly the same text in another file a move. What is left was removed or added. The result is by the new
 * path of each file.
 */
export function findMoves(files: readonly LoneSymbols[]): WholeChanges {
  const removed = files.flatMap((file) =>
    file.removed.map((one): Placed => ({ ...one, path: file.oldPath })),
  );
  const added = files.flatMap((file) => file.added.map((one): Placed => ({ ...one, path: file.path })));
  const renames = new Map(files.map(({ path, oldPath }) => [path, oldPath]));
  const left = new Set(removed);
  const changes = new Map<string, SymbolChange[]>();
  const newPaths = new Map(files.map(({ path, oldPath }) => [oldPath, path]));
  const pair = (is: Placed, was: Placed): void => {
    const change = movedChange(is, was, renames);
    addToGroup(changes, is.path, change);
    // The file that it left lost a definition, which its own entry has to say.
    if (change.oldPath !== undefined)
      addToGroup(changes, newPaths.get(was.path) ?? was.path, movedAway(is, was));
  };
  const unpaired = pairBy(added, left, printKey, (is, was) => {
    pair(is, was);
    return true;
  });
  const fresh = pairBy(unpaired, left, nameKey, (is, was) => {
    // Many files have a definition of a common name, such as `main`.
    if (!isAlike(is.print, was.print)) return false;
    pair(is, was);
    return true;
  });
  for (const { path, symbol, members } of fresh)
    addToGroup(changes, path, { ...placeOf(symbol), change: "added", ...(members > 0 && { members }) });
  for (const { path, symbol, members } of left)
    addToGroup(changes, newPaths.get(path) ?? path, {
      ...placeOf(symbol),
      change: "removed",
      ...(members > 0 && { members }),
    });
  return changes;
}

function printKey({ symbol, print }: Placed): string | undefined {
  return print.length < MIN_PRINT_LENGTH ? undefined : `${symbol.kind} ${print}`;
}

function nameKey({ symbol }: Placed): string {
  return `${symbol.kind} ${symbol.qualifiedName}`;
}

/**
 * Pairs what has the same key, if only one definition of each side has it and `take` accepts the pair. Returns the added
 * ones without a partner.
 */
function pairBy(
  added: readonly Placed[],
  removed: Set<Placed>,
  keyOf: (one: Placed) => string | undefined,
  take: (is: Placed, was: Placed) => boolean,
): readonly Placed[] {
  const byKey = new Map<string, Placed[]>();
  for (const was of removed) {
    const key = keyOf(was);
    if (key !== undefined) addToGroup(byKey, key, was);
  }
  const counts = new Map<string, number>();
  for (const is of added) {
    const key = keyOf(is) ?? "";
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  return added.filter((is) => {
    const key = keyOf(is);
    const [was, ...others] = key === undefined ? [] : (byKey.get(key) ?? []);
    if (key === undefined || was === undefined || others.length > 0 || counts.get(key) !== 1) return true;
    if (!take(is, was)) return true;
    removed.delete(was);
    return false;
  });
}

function movedAway(is: Placed, was: Placed): SymbolChange {
  const isRenamed = was.symbol.qualifiedName !== is.symbol.qualifiedName;
  return {
    ...placeOf(was.symbol),
    change: "moved",
    newPath: is.path,
    ...(isRenamed && { newName: is.symbol.qualifiedName }),
  };
}

function movedChange(is: Placed, was: Placed, renames: ReadonlyMap<string, string>): SymbolChange {
  const isMoved = was.path !== (renames.get(is.path) ?? is.path);
  const isRenamed = was.symbol.qualifiedName !== is.symbol.qualifiedName;
  const hasNewSignature =
    was.symbol.signature.replaceAll(was.symbol.name, "\0") !==
    is.symbol.signature.replaceAll(is.symbol.name, "\0");
  return {
    ...placeOf(is.symbol),
    change: isMoved ? "moved" : "renamed",
    ...(isRenamed && { oldName: was.symbol.qualifiedName }),
    ...(isMoved && { oldPath: was.path }),
    ...(hasNewSignature && { oldSignature: was.symbol.signature }),
    ...(was.body !== is.body && { hasNewBody: true as const }),
  };
}
