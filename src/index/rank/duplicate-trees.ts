import { addToGroup, groupBy } from "../../kernel/group-by.ts";
import { TEST_KINDS } from "../../model/symbol.ts";
import type { View, ViewFile } from "../live/view.ts";

/**
 * Number of files up to which a common name is evidence of a copied folder; more frequent names (`index.ts`) are not.
 */
const MAX_SAME_NAME = 12;
/** Number of files with the same relative path from which two folders count as copies of each other. */
const MIN_SAME_PATHS = 8;
/** Share of the definitions that two files must have in common for one to count as a copy of the other. */
const MIN_SHARED = 0.6;
/** Fewest definitions that both files must have to be compared; with fewer, equal names could be chance. */
const MIN_NAMES = 3;

interface FilePair {
  readonly original: ViewFile;
  readonly copy: ViewFile;
}

const known = new WeakMap<View, ReadonlySet<ViewFile>>();

/** Returns the files that are near copies of another file and are in a folder that is a copy of another folder. */
export function copiesIn(view: View): ReadonlySet<ViewFile> {
  const before = known.get(view);
  if (before !== undefined) return before;
  const copies = new Set<ViewFile>();
  for (const pairs of pairsByFolders(view)) {
    if (pairs.length < MIN_SAME_PATHS) continue;
    for (const pair of pairs) if (isCopy(view, pair)) copies.add(pair.copy);
  }
  known.set(view, copies);
  return copies;
}

/**
 * Pairs files with the same name, and groups the pairs by the two folders below which the paths of both files are
 * equal.
 */
function pairsByFolders(view: View): Iterable<readonly FilePair[]> {
  const trees = new Map<string, FilePair[]>();
  for (const files of groupByName(view))
    for (const [index, first] of files.entries())
      for (const second of files.slice(index + 1)) {
        const { folders, pair } = pairOf(first, second);
        addToGroup(trees, folders, pair);
      }
  return trees.values();
}

function groupByName(view: View): ViewFile[][] {
  const code = view.files.filter((file) => file.facts.kind === "code");
  const byName = groupBy(code, ({ path }) => path.slice(path.lastIndexOf("/") + 1));
  return [...byName.values()].filter(({ length }) => length > 1 && length <= MAX_SAME_NAME);
}

/** Pairs two files of the same name; the one with fewer folders in its path counts as the original. */
function pairOf(first: ViewFile, second: ViewFile): { folders: string; pair: FilePair } {
  const left = first.path.split("/");
  const right = second.path.split("/");
  let same = 0;
  while (left.at(-1 - same) === right.at(-1 - same)) same++;
  const before = (path: readonly string[]) => path.slice(0, path.length - same).join("/");
  const swapped = left.length > right.length || (left.length === right.length && first.path > second.path);
  return swapped
    ? { folders: `${before(right)}\n${before(left)}`, pair: { original: second, copy: first } }
    : { folders: `${before(left)}\n${before(right)}`, pair: { original: first, copy: second } };
}

function isCopy(view: View, { original, copy }: FilePair): boolean {
  if (copy.key === original.key) return true;
  const names = namesIn(view, copy);
  const others = namesIn(view, original);
  const larger = Math.max(names.size, others.size);
  if (Math.min(names.size, others.size) < MIN_NAMES) return false;
  let shared = 0;
  for (const name of names) if (others.has(name)) shared++;
  return shared >= MIN_SHARED * larger;
}

function namesIn(view: View, file: ViewFile): ReadonlySet<string> {
  const { symbols } = view.documentOf(file);
  return new Set(symbols.flatMap(({ name, kind }) => (TEST_KINDS.has(kind) ? [] : [name])));
}
