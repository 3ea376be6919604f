import { dirname, extname } from "node:path";
import { addToGroup } from "../../kernel/group-by.ts";
import { forEachYielding } from "../../kernel/for-each-yielding.ts";
import type { SymbolKind } from "../../model/symbol.ts";
import type { ImportGraph } from "../rank/import-counts.ts";
import type { View, ViewFile } from "../live/view.ts";
import type { UseFacts } from "../../model/use.ts";
import type { IndexStore } from "../store/store.ts";
import { createUseReader } from "../uses/use-reader.ts";
import type { SymbolBrief } from "../store/record.ts";
import { partsOfIdentifier } from "../text/terms.ts";

/** A definition that other files may use. Files are named by their numbers in the view. */
export interface GraphDefinition {
  readonly file: number;
  readonly symbol: SymbolBrief;
  /** The files that use its name, tests apart. */
  readonly users: readonly number[];
  readonly testUsers: number;
}

/** A file that uses another one, and how many of its definitions. */
export interface UseEdge {
  readonly from: number;
  readonly to: number;
  readonly weight: number;
}

/** Which files use the definitions of which others. */
export interface UseGraph {
  readonly definitions: readonly GraphDefinition[];
  readonly edges: readonly UseEdge[];
}

const KINDS: ReadonlySet<SymbolKind> = new Set([
  "class",
  "struct",
  "interface",
  "trait",
  "enum",
  "type",
  "fn",
  "macro",
  "const",
]);
/** Kinds that enclose the definitions of a file without hiding them. */
const TRANSPARENT: ReadonlySet<SymbolKind> = new Set(["module", "namespace"]);
/** A name that more files define is common, and only an import shows which one is meant. */
const MAX_DEFINERS = 2;
const MIN_NAME_LENGTH = 3;
/** Length from which a name of a single word is unlikely to occur as a plain word. */
const DISTINCTIVE_LENGTH = 8;

const graphs = new WeakMap<View, Promise<UseGraph>>();

interface Sources {
  readonly imports: ImportGraph;
  readonly store: Pick<IndexStore, "uses">;
}

/** Returns the use graph of a view, which is built once for it. */
export function useGraphOf(view: View, sources: Sources): Promise<UseGraph> {
  const known = graphs.get(view);
  if (known !== undefined) return known;
  const built = build(view, sources);
  graphs.set(view, built);
  // A graph that could not be built is built again for the next question, because the store may be available by then.
  built.catch(() => graphs.delete(view));
  return built;
}

/** Files whose uses are in memory at once. */
const FILES_PER_BATCH = 500;

/** Builds the graph from the uses of names that the index has of each file. */
async function build(view: View, { imports, store }: Sources): Promise<UseGraph> {
  const numbers = [...view.files.keys()].filter((number) => isSource(view, view.files[number]));
  const byName = await definitionsByName(view, numbers);
  const users = new Map<Definer, number[]>();
  const weights = new Map<number, Map<number, number>>();
  for (let at = 0; at < numbers.length; at += FILES_PER_BATCH) {
    const batch = numbers.slice(at, at + FILES_PER_BATCH);
    const reader = createUseReader(store);
    await reader.load(batch.flatMap((number) => view.files[number] ?? []));
    for (const user of batch) {
      const file = view.files[user];
      if (file === undefined) continue;
      const { used, bound } = namesIn(await reader.factsOf(file));
      const context = { user, targets: new Set([...imports.targetsOf(file)].map(importedAs)), bound };
      for (const name of used)
        for (const definer of meantBy(view, byName.get(name) ?? [], { ...context, name })) {
          addToGroup(users, definer, user);
          addWeight(weights, user, definer.file, 1);
        }
    }
  }
  const definitions = [...byName.values()].flat().map((definer): GraphDefinition => {
    const all = users.get(definer) ?? [];
    const own = all.filter((user) => view.files[user]?.facts.role.test !== true);
    return { ...definer, users: own, testUsers: all.length - own.length };
  });
  return { definitions, edges: edgesOf(weights) };
}

interface Definer {
  readonly file: number;
  readonly symbol: SymbolBrief;
}

async function definitionsByName(
  view: View,
  numbers: readonly number[],
): Promise<ReadonlyMap<string, readonly Definer[]>> {
  const byName = new Map<string, Definer[]>();
  await forEachYielding(numbers, (number) => {
    const file = view.files[number];
    if (file === undefined || file.facts.role.test) return;
    for (const symbol of definitionsIn(view.documentOf(file).symbols))
      addToGroup(byName, symbol.name, { file: number, symbol });
  });
  return byName;
}

/** Returns the names that a file uses, and those among them that it imports by name. */
function namesIn({ uses, links }: UseFacts): {
  readonly used: ReadonlySet<string>;
  readonly bound: ReadonlySet<string>;
} {
  const used = new Set<string>();
  for (const { name, role, receiver } of uses) if (role !== "string" && receiver !== "key") used.add(name);
  const bound = new Set<string>();
  for (const { names } of links) for (const { name } of names) bound.add(name);
  for (const name of bound) used.add(name);
  return { used, bound };
}

/** True for a file of code that people wrote. */
function isSource(view: View, file: ViewFile | undefined): boolean {
  if (file === undefined || file.facts.kind !== "code") return false;
  return !file.facts.role.vendored && !view.isGenerated(file);
}

function* definitionsIn(symbols: readonly SymbolBrief[]): Iterable<SymbolBrief> {
  for (const symbol of symbols) {
    if (!KINDS.has(symbol.kind) || symbol.name.length < MIN_NAME_LENGTH) continue;
    let parent = symbols[symbol.parent];
    while (parent !== undefined && TRANSPARENT.has(parent.kind)) parent = symbols[parent.parent];
    if (parent === undefined) yield symbol;
  }
}

interface UsedName {
  readonly user: number;
  readonly targets: ReadonlySet<string>;
  readonly bound: ReadonlySet<string>;
  readonly name: string;
}

/**
 * Returns the definitions that a name in a file may mean: those in files that it imports. If there are none, a name that
 * hardly any file defines means its definition if the file imports the name, as through a file that exports it again, or
 * if its language needs no imports and the name is distinctive or defined in the same folder.
 */
function meantBy(
  view: View,
  definers: readonly Definer[],
  { user, targets, bound, name }: UsedName,
): readonly Definer[] {
  const from = view.files[user];
  if (from === undefined) return [];
  const possible = definers.filter(({ file }) => {
    const to = view.files[file];
    return file !== user && to !== undefined && fileFamily(to.path) === fileFamily(from.path);
  });
  const imported = possible.filter(({ file }) => targets.has(importedAs(view.files[file]?.path ?? "")));
  if (imported.length > 0) return imported;
  if (definers.some(({ file }) => file === user)) return [];
  return possible.filter(({ file }) =>
    mayMean(from.path, view.files[file]?.path ?? "", { targets, bound, name, others: possible.length - 1 }),
  );
}

/** What is known about a name in a file: the files and names that the file imports, and how many other files define it. */
interface NameContext {
  readonly targets: ReadonlySet<string>;
  readonly bound: ReadonlySet<string>;
  readonly name: string;
  readonly others: number;
}

/** Decides whether a name in one file may mean a definition in another, as far as imports and names show. */
function mayMean(from: string, to: string, { targets, bound, name, others }: NameContext): boolean {
  if (targets.has(to) || targets.has(importedAs(to))) return true;
  if (others >= MAX_DEFINERS) return false;
  if (bound.has(name)) return true;
  const isDistinctive = name.length >= DISTINCTIVE_LENGTH || partsOfIdentifier(name).length > 1;
  return !NEEDS_IMPORT.test(to) && (isDistinctive || dirname(to) === dirname(from));
}

/** What an import names: in Go the folder, in other languages the file. */
function importedAs(path: string): string {
  return path.endsWith(".go") ? dirname(path) : path;
}

/** Files of languages in which a name of another file is visible only if it is imported. */
const NEEDS_IMPORT = /\.(?:[cm]?[jt]sx?|vue|svelte|astro|pyi?|rs)$/;

/** Languages whose files can use each other's names. */
const FAMILIES: readonly RegExp[] = [
  /^\.(?:[cm]?[jt]sx?|vue|svelte|astro)$/,
  /^\.(?:c|h|cc|cpp|cxx|hh|hpp|hxx|inl|m|mm|cu)$/,
  /^\.(?:java|kt|kts|scala|groovy)$/,
  /^\.(?:py|pyi|pyx)$/,
];

/** Returns a name that is the same for files whose code can use each other's names. */
function fileFamily(path: string): string {
  const extension = extname(path).toLowerCase();
  const family = FAMILIES.findIndex((one) => one.test(extension));
  return family < 0 ? extension : String(family);
}

function addWeight(
  weights: Map<number, Map<number, number>>,
  from: number,
  to: number,
  weight: number,
): void {
  const row = weights.get(from) ?? new Map<number, number>();
  row.set(to, (row.get(to) ?? 0) + weight);
  weights.set(from, row);
}

/** The more definitions of a file another one uses, the stronger the edge, but less than in proportion. */
function edgesOf(weights: ReadonlyMap<number, ReadonlyMap<number, number>>): readonly UseEdge[] {
  const edges: UseEdge[] = [];
  for (const [from, row] of weights)
    for (const [to, weight] of row) edges.push({ from, to, weight: Math.sqrt(weight) });
  return edges;
}
