import { setImmediate as nextTurn } from "node:timers/promises";
import { addToGroup } from "../../kernel/group-by.ts";
import { forEachYielding } from "../../kernel/for-each-yielding.ts";
import type { SymbolKind } from "../../model/symbol.ts";
import type { UseReceiver } from "../../model/use.ts";
import type { View, ViewFile } from "../live/view.ts";
import type { HitSource } from "../query/hit-source.ts";
import type { SymbolBrief } from "../store/record.ts";
import { languageFamily } from "../text/language-family.ts";
import { partsOfIdentifier } from "../text/terms.ts";
import { isSameDefinition, languageOfFile, type Definition } from "../uses/definition.ts";
import type { Entity, Resolver } from "../uses/entity.ts";
import type { UseSource } from "../uses/find-uses.ts";
import { resolverFor } from "../uses/modules/registry.ts";
import { createUseSource } from "../uses/use-source.ts";

/** A definition that other files may use. Files are named by their numbers in the view. */
export interface GraphDefinition {
  readonly file: number;
  readonly symbol: SymbolBrief;
  /** The files that use it, or one of several definitions of which a program contains one; tests apart. */
  readonly users: readonly number[];
  readonly testUsers: number;
}

/** A file that uses another one. */
export interface UseEdge {
  readonly from: number;
  readonly to: number;
  /** How many definitions of the other file it uses. */
  readonly uses: number;
  /** How strongly the files are connected: less than in proportion to the uses. */
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
const MIN_NAME_LENGTH = 3;
/** With more definitions, such as one for each platform, it is not known which files use which. */
const MAX_ALTERNATIVES = 3;
/** Length from which a name of a single word is unlikely to occur as a plain word. */
const DISTINCTIVE_LENGTH = 8;

const graphs = new WeakMap<View, Promise<UseGraph>>();

/** Returns the use graph of a view, which is built once for it. */
export function useGraphOf(source: HitSource): Promise<UseGraph> {
  const known = graphs.get(source.view);
  if (known !== undefined) return known;
  const built = build(source);
  graphs.set(source.view, built);
  // A graph that could not be built is built again for the next question, because the store may be available by then.
  built.catch(() => graphs.delete(source.view));
  return built;
}

/** Files whose uses are in memory at once, together with those of the files that they use. */
const FILES_PER_BATCH = 3_000;

/** Builds the graph from what the names in each file certainly refer to. */
async function build(source: HitSource): Promise<UseGraph> {
  const { view } = source;
  const isOwn = isOwnCode(view);
  const numbers = [...view.files.keys()].filter((number) => isSource(view, view.files[number], isOwn));
  const definers = await definersOf(view, numbers);
  const sources = numbers.filter((number) => view.files[number]?.facts.role.test !== true);
  const byPath = new Map(sources.map((number) => [view.files[number]?.path ?? "", number]));
  const users = new Map<Definer, number[]>();
  const weights = new Map<number, Map<number, number>>();
  for (let at = 0; at < numbers.length; at += FILES_PER_BATCH) {
    const batch = numbers.slice(at, at + FILES_PER_BATCH);
    const uses = createUseSource(source);
    await uses.reader.load(batch.flatMap((number) => view.files[number] ?? []));
    const findUsed = createUsedFinder(uses, definers);
    for (const user of batch) {
      const file = view.files[user];
      if (file === undefined) continue;
      const { used, modules } = await findUsed(file);
      for (const [definer, weight] of used) {
        if (definer.file === user) continue;
        addToGroup(users, definer, user);
        addWeight(weights, user, definer.file, weight);
      }
      for (const path of modules) {
        const module = byPath.get(path);
        if (module !== undefined && module !== user && weights.get(user)?.has(module) !== true)
          addWeight(weights, user, module, 1);
      }
      await nextTurn();
    }
  }
  const definitions = [...definers.byName.values()].flat().map((definer): GraphDefinition => {
    const all = users.get(definer) ?? [];
    const own = all.filter((user) => view.files[user]?.facts.role.test !== true);
    return { file: definer.file, symbol: definer.symbol, users: own, testUsers: all.length - own.length };
  });
  return { definitions, edges: edgesOf(weights) };
}

interface Definer {
  readonly file: number;
  readonly symbol: SymbolBrief;
  readonly definition: Definition;
}

/** The definitions that the graph knows. */
interface Definers {
  readonly byName: ReadonlyMap<string, readonly Definer[]>;
  readonly byPlace: ReadonlyMap<string, Definer>;
}

async function definersOf(view: View, numbers: readonly number[]): Promise<Definers> {
  const byName = new Map<string, Definer[]>();
  const byPlace = new Map<string, Definer>();
  await forEachYielding(numbers, (number) => {
    const file = view.files[number];
    if (file === undefined || file.facts.role.test) return;
    const { symbols } = view.documentOf(file);
    for (const [position, symbol] of symbols.entries()) {
      if (!isListed(symbol, symbols)) continue;
      const definer = { file: number, symbol, definition: { file, symbol: position } };
      addToGroup(byName, symbol.name, definer);
      byPlace.set(placeKey(definer.definition), definer);
    }
  });
  return { byName, byPlace };
}

function placeKey({ file, symbol }: Definition): string {
  return `${symbol} ${file.path}`;
}

/** What a file uses of others. */
interface UsedByFile {
  /** The definitions with their weights: less than 1 for each of several that a name may mean. */
  readonly used: ReadonlyMap<Definer, number>;
  /** The paths of files that it imports as one value. */
  readonly modules: ReadonlySet<string>;
}

/** Creates the function that finds what the names in a file refer to. */
function createUsedFinder(
  { view, tree }: UseSource,
  { byName, byPlace }: Definers,
): (file: ViewFile) => Promise<UsedByFile> {
  const resolvers = new Map<string, Resolver | undefined>();
  return async (file) => {
    const language = languageOfFile(file);
    if (!resolvers.has(language)) resolvers.set(language, resolverFor(language, tree));
    const resolver = resolvers.get(language);
    const { uses, links } = await tree.factsOf(file);
    const used = new Map<Definer, number>();
    const modules = new Set<string>();
    const seen = new Set<string>();
    for (const [position, { name, receiver, role }] of uses.entries()) {
      const known = byName.get(name);
      if (known === undefined || role === "string" || !RESOLVED_RECEIVERS.has(receiver)) continue;
      // The same name behind the same module or type refers to the same definition.
      const key = receiver === "previous" ? `${uses[position - 1]?.name ?? ""}.${name}` : name;
      if (seen.has(key)) continue;
      seen.add(key);
      const found =
        resolver === undefined
          ? meantByName(known, language, name)
          : definitionsIn(await resolver.entitiesOf(file, position)).flatMap(
              (one) =>
                byPlace.get(placeKey(one)) ??
                known.filter(({ definition }) => isSameDefinition(view, definition, one)),
            );
      for (const definer of found) used.set(definer, 1 / found.length);
    }
    // What a file imports under a name of its own is not found by the names of definitions.
    for (const { name, as } of links.flatMap((link) => (link.kind === "import" ? link.names : []))) {
      if (name === as || resolver === undefined) continue;
      const entities = await resolver.nameIn(file, as);
      const found = definitionsIn(entities).flatMap((one) => byPlace.get(placeKey(one)) ?? []);
      for (const definer of found) if (!used.has(definer)) used.set(definer, 1 / found.length);
      if (!WHOLE.has(name)) continue;
      for (const one of entities)
        if (one.kind === "module" && one.within === undefined) modules.add(one.file.path);
    }
    return { used, modules };
  };
}

/** The names of a whole module in an import that takes it as one value. */
const WHOLE: ReadonlySet<string> = new Set(["=", "default"]);

/** Names behind values of an unknown type and keys of objects prove nothing. */
const RESOLVED_RECEIVERS: ReadonlySet<UseReceiver> = new Set(["none", "local", "previous", "root"]);

/** Returns the definitions that a name refers to: one, or several of which a program contains one. */
function definitionsIn(entities: readonly Entity[]): readonly Definition[] {
  const found = entities.flatMap((one) => (one.kind === "definition" ? [one.definition] : []));
  return found.length === entities.length && found.length <= MAX_ALTERNATIVES ? found : [];
}

/** In a language whose names are not resolved, a distinctive name that one file defines is taken for its definition. */
function meantByName(definers: readonly Definer[], language: string, name: string): readonly Definer[] {
  const family = languageFamily(language);
  const own = definers.filter(({ definition }) => languageFamily(languageOfFile(definition.file)) === family);
  const isDistinctive = name.length >= DISTINCTIVE_LENGTH || partsOfIdentifier(name).length > 1;
  return isDistinctive && new Set(own.map(({ file }) => file)).size === 1 ? own : [];
}

/**
 * Returns what tells the project's own code from that of others. Where all code seems to be that of others, as in the
 * folder `dist` of an installed package, it is the project's own.
 */
export function isOwnCode({ files }: View): (file: Pick<ViewFile, "facts">) => boolean {
  const isOwn = ({ facts }: Pick<ViewFile, "facts">): boolean => !facts.role.vendored;
  return files.some((file) => file.facts.kind === "code" && isOwn(file)) ? isOwn : () => true;
}

/** True for a file of code that people wrote. */
function isSource(
  view: View,
  file: ViewFile | undefined,
  isOwn: (file: Pick<ViewFile, "facts">) => boolean,
): boolean {
  return file !== undefined && file.facts.kind === "code" && isOwn(file) && !view.isGenerated(file);
}

/** True for a definition that other files can use by its name alone. */
function isListed({ kind, name, parent }: SymbolBrief, symbols: readonly SymbolBrief[]): boolean {
  // The functions of a module in Ruby are methods of it.
  const isOfModule = kind === "method" && symbols[parent]?.kind === "module";
  if ((!KINDS.has(kind) && !isOfModule) || name.length < MIN_NAME_LENGTH) return false;
  let around = symbols[parent];
  while (around !== undefined && TRANSPARENT.has(around.kind)) around = symbols[around.parent];
  return around === undefined;
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

function edgesOf(weights: ReadonlyMap<number, ReadonlyMap<number, number>>): readonly UseEdge[] {
  const edges: UseEdge[] = [];
  for (const [from, row] of weights)
    for (const [to, uses] of row) edges.push({ from, to, uses, weight: Math.sqrt(uses) });
  return edges;
}
