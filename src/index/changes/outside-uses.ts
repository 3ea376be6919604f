import type { FileChange, OutsideUses, SymbolChange, UsePlace } from "../../model/changes.ts";
import type { NameUse } from "../../model/use.ts";
import type { View, ViewFile } from "../live/view.ts";
import { fileFamily, isSource, mayMean } from "../overview/use-graph.ts";
import { filesWithName } from "../query/name-occurrences.ts";
import type { HitSource } from "../query/hit-source.ts";
import { createUseReader, type UseReader } from "../uses/use-reader.ts";

/** Changes whose users are looked up, and files with the name of one that are read. */
const MAX_CHANGES = 40;
const MAX_FILES = 300;
const MAX_PLACES = 20;
/** For a definition whose users were not looked up; the reply says so. */
const NOT_RESOLVED: OutsideUses = { total: 0, places: [], isOpen: true };

/**
 * Adds to each definition of `files` with a new signature, and to each removed or renamed one, where code outside of the change
 * still uses its old name. The uses are by name: an import, or a name that no other file defines, shows what is meant.
 */
export async function withOutsideUses(
  files: readonly FileChange[],
  all: readonly FileChange[],
  source: Pick<HitSource, "view" | "store" | "project">,
): Promise<readonly FileChange[]> {
  const reader = createUseReader(source.store);
  const changed = new Map(all.map((file) => [file.path, file]));
  let left = MAX_CHANGES;
  const result: FileChange[] = [];
  for (const file of files) {
    const symbols: SymbolChange[] = [];
    for (const symbol of file.symbols) {
      const name = oldNameOf(symbol);
      const search = { file, symbol, changed, reader, ...source };
      const usedOutside =
        name === undefined ? undefined : left-- > 0 ? await usesOf(name, search) : NOT_RESOLVED;
      symbols.push(usedOutside === undefined ? symbol : { ...symbol, usedOutside });
    }
    result.push({ ...file, symbols });
  }
  return result;
}

/** Kinds of definitions that code uses by name. */
const USED_KINDS =
  /^(?:class|struct|interface|trait|enum|type|fn|method|constructor|macro|const|property|field)$/;

/** Returns the name that users of a changed definition may still have; undefined if they need not change. */
function oldNameOf({ change, kind, qualifiedName, oldName }: SymbolChange): string | undefined {
  if (!USED_KINDS.test(kind)) return undefined;
  if (change === "signature" || change === "removed") return lastPart(qualifiedName);
  return oldName === undefined || lastPart(oldName) === lastPart(qualifiedName)
    ? undefined
    : lastPart(oldName);
}

function lastPart(name: string): string {
  return name.split(/\.|::|#|->|\\/).at(-1) ?? name;
}

interface Search extends Pick<HitSource, "view" | "project"> {
  readonly file: FileChange;
  readonly symbol: SymbolChange;
  readonly changed: ReadonlyMap<string, FileChange>;
  readonly reader: UseReader;
}

async function usesOf(name: string, search: Search): Promise<OutsideUses | undefined> {
  const { view, file, reader, project } = search;
  const definers = definersOf(view, name).filter(({ path }) => path !== file.path);
  const family = fileFamily(file.path);
  const containing = [...filesWithName(view, name)]
    .flatMap((number) => view.files[number] ?? [])
    .filter((one) => isSource(view, one) && fileFamily(one.path) === family);
  if (containing.length > MAX_FILES) return NOT_RESOLVED;
  await reader.load(containing);
  const places: UsePlace[] = [];
  let isOpen = false;
  for (const user of containing) {
    const facts = await reader.factsOf(user);
    const uses = facts.uses.filter(
      (use) => use.name === name && isPlainUse(use) && !isInChange(use.line, user, search),
    );
    if (uses.length === 0) continue;
    const bound = new Set(facts.links.flatMap(({ names }) => names.map((one) => one.name)));
    const isMeant =
      user.path === file.path ||
      mayMean(user.path, file.path, {
        targets: project.imports(view).targetsOf(user),
        bound,
        name,
        others: definers.length,
      });
    if (isMeant)
      for (const { line } of uses) places.push({ path: user.path, line, ...within(view, user, line) });
    else isOpen ||= definers.length === 0 || isMember(search.symbol);
  }
  if (places.length === 0 && !isOpen) return undefined;
  return { total: places.length, places: places.slice(0, MAX_PLACES), isOpen };
}

function isMember({ qualifiedName }: SymbolChange): boolean {
  return lastPart(qualifiedName) !== qualifiedName;
}

function isPlainUse({ role, receiver }: NameUse): boolean {
  return role !== "import" && role !== "export" && role !== "string" && receiver !== "key";
}

/** True for a line inside of a definition that changed itself, whose author has seen it. */
function isInChange(line: number, { path }: ViewFile, { changed }: Search): boolean {
  const file = changed.get(path);
  return (
    file?.status === "added" ||
    file?.symbols.some((one) => one.change !== "removed" && one.lineStart <= line && line <= one.lineEnd) ===
      true
  );
}

function definersOf(view: View, name: string): readonly ViewFile[] {
  return [...filesWithName(view, name)]
    .flatMap((number) => view.files[number] ?? [])
    .filter((file) => view.documentOf(file).symbols.some((symbol) => symbol.name === name));
}

function within(view: View, file: ViewFile, line: number): { readonly within?: string } {
  const around = view
    .documentOf(file)
    .symbols.findLast((one) => one.lineStart <= line && line <= one.lineEnd && FUNCTIONS.has(one.kind));
  return around === undefined ? {} : { within: around.name };
}

const FUNCTIONS: ReadonlySet<string> = new Set(["fn", "method", "constructor", "test", "class"]);
