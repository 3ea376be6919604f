import type { Certainty } from "../../model/relation.ts";
import type { NameUse, UseFacts } from "../../model/use.ts";
import type { View, ViewFile } from "../live/view.ts";
import { languageFamily } from "../text/language-family.ts";
import { foldName } from "../text/terms.ts";
import { filesWithAnyName, filesImporting } from "./candidates.ts";
import {
  bareName,
  briefOf,
  isCallIn,
  languageOfFile,
  ownerOf,
  symbolAround,
  TYPE_KINDS,
  withVisibility,
  type Definition,
} from "./definition.ts";
import { definitionsNamed } from "./definitions-named.ts";
import { isElsewhere, refersTo, type Entity, type Resolver } from "./entity.ts";
import type { ModuleTree } from "./modules/module-rules.ts";
import { isResolved, resolverFor } from "./modules/registry.ts";
import type { UseReader } from "./use-reader.ts";

/** A place that uses a definition. */
export interface FoundUse {
  readonly file: ViewFile;
  readonly use: NameUse;
  readonly certainty: Certainty;
}

/** A place with the name of a definition of which it is not known what it refers to. */
export type UnresolvedUse = Pick<FoundUse, "file" | "use">;

export interface FoundUses {
  readonly uses: readonly FoundUse[];
  readonly unresolved: readonly UnresolvedUse[];
  readonly isByName: boolean;
}

/** What is needed to resolve the names of a project. */
export interface UseSource {
  readonly view: View;
  readonly reader: UseReader;
  readonly tree: ModuleTree;
}

/** Finds the places that use a definition. */
export function findUses(source: UseSource, wanted: Definition): Promise<FoundUses>;
/** Finds the places that use a definition, or returns undefined if more than `maxFiles` files contain its name. */
export function findUses(
  source: UseSource,
  wanted: Definition,
  maxFiles: number,
): Promise<FoundUses | undefined>;
export async function findUses(
  source: UseSource,
  definition: Definition,
  maxFiles = Number.POSITIVE_INFINITY,
): Promise<FoundUses | undefined> {
  const { view, tree, reader } = source;
  const wanted = await withVisibility(definition, (file) => reader.factsOf(file));
  const brief = briefOf(view, wanted);
  if (brief === undefined) return { uses: [], unresolved: [], isByName: false };
  const language = languageOfFile(wanted.file);
  const resolver = resolverFor(language, tree);
  const family = languageFamily(language);
  const owner = ownerOf(brief, view.documentOf(wanted.file).symbols);
  const search: Search = {
    source,
    wanted,
    isMember: (owner !== undefined && owner !== "") || brief.kind === "method",
    isEntry: await isEntry(reader, wanted),
    resolver,
    names: new Set([brief.name, ...(resolver?.otherNames?.(wanted) ?? [])]),
    found: new Map(),
    unresolved: new Map(),
  };
  const isFamily = (file: ViewFile): boolean => languageFamily(languageOfFile(file)) === family;
  const done = new Set<ViewFile>();
  for (let names: readonly string[] = [...search.names]; names.length > 0;) {
    const known = new Set(search.names);
    const isDefault = names.includes("default");
    const files = [
      ...filesWithAnyName(view, names),
      ...(isDefault ? filesImporting(view, wanted.file) : []),
      wanted.file,
    ].filter((file) => isFamily(file) && !done.has(file));
    if (files.length > maxFiles) return undefined;
    await reader.load(files);
    for (const file of files) {
      await searchFile(search, file, await reader.factsOf(file));
      done.add(file);
    }
    names = [...search.names].filter((name) => !known.has(name));
    // A new name may be used in files that were already searched for the other names.
    if (names.length > 0) done.clear();
  }
  // In Python, a constructor is a method with this name.
  const isConstructor = brief.kind === "constructor" || brief.name === "__init__";
  if (isConstructor && owner !== undefined && owner !== "") {
    const types = typesWith(view, wanted, owner);
    for (const type of types) await addCreations(search, type, types.length === 1 ? "sure" : "possible");
  }
  return {
    uses: [...search.found.values()],
    unresolved: [...search.unresolved.values()],
    isByName: resolver === undefined,
  };
}

/** Returns true for an entry of an object that is a module, such as the prototypes of Koa. */
async function isEntry(reader: UseReader, { file, symbol }: Definition): Promise<boolean> {
  return (await reader.factsOf(file)).marks.get(symbol) === "entry";
}

/** Returns the types that a constructor may belong to, which in C++ may be written outside of its class. */
function typesWith(view: View, { file, symbol }: Definition, owner: string): readonly Definition[] {
  const { symbols } = view.documentOf(file);
  const around = symbols[symbol]?.parent ?? -1;
  if (TYPE_KINDS.has(symbols[around]?.kind ?? "fn")) return [{ file, symbol: around }];
  return definitionsNamed(view, owner, languageOfFile(file)).filter((one) =>
    TYPE_KINDS.has(briefOf(view, one)?.kind ?? "fn"),
  );
}

/** Number of generations of classes that inherit a constructor. */
const MAX_GENERATIONS = 6;

/** Adds the calls of a class, and of those that inherit its constructor, to the uses of the constructor, which they run. */
async function addCreations(
  search: Search,
  type: Definition,
  inherited: Certainty = "sure",
  generation = 0,
): Promise<void> {
  const { source, found, unresolved } = search;
  const created = await findUses(source, type);
  for (const { file, use } of created.unresolved)
    if (isCallIn(file, use)) unresolved.set(`${file.path}:${use.line}`, { file, use });
  for (const one of created.uses) {
    const certainty = inherited === "sure" ? one.certainty : "possible";
    if (isCallIn(one.file, one.use)) addUse(found, { ...one, certainty });
    if (one.use.role !== "inheritance" || generation >= MAX_GENERATIONS) continue;
    const heir = await heirAt(search, one);
    if (heir !== undefined)
      await addCreations(search, heir.type, heir.isOnly ? certainty : "possible", generation + 1);
  }
}

/** Returns the class that inherits the constructor at a place, and whether it has no other base class. */
async function heirAt(
  { source, wanted }: Search,
  { file, use }: FoundUse,
): Promise<{ readonly type: Definition; readonly isOnly: boolean } | undefined> {
  const { symbols } = source.view.documentOf(file);
  const symbol = symbolAround(symbols, use.line, ({ kind }) => TYPE_KINDS.has(kind));
  const heir = symbols[symbol];
  const constructor = briefOf(source.view, wanted);
  if (heir === undefined || constructor === undefined) return undefined;
  const isOwn = symbols.some(
    ({ parent, kind, name }) => parent === symbol && (kind === "constructor" || name === constructor.name),
  );
  if (isOwn) return undefined;
  const bases = (await source.reader.factsOf(file)).uses.filter(
    ({ role, line }) => role === "inheritance" && heir.lineStart <= line && line <= heir.lineEnd,
  );
  return { type: { file, symbol }, isOnly: bases.length === 1 };
}

function addUse(found: Map<string, FoundUse>, one: FoundUse): void {
  const key = `${one.file.path}:${one.use.line}:${one.use.role}`;
  if (found.get(key)?.certainty !== "sure") found.set(key, one);
}

interface Search {
  readonly source: UseSource;
  readonly wanted: Definition;
  readonly isMember: boolean;
  /** True if it is an entry of an object that is a module, which may be behind any value, too. */
  readonly isEntry: boolean;
  /** Absent if uses are found by name only. */
  readonly resolver: Resolver | undefined;
  /** The names under which files export the definition. */
  readonly names: Set<string>;
  readonly found: Map<string, FoundUse>;
  readonly unresolved: Map<string, UnresolvedUse>;
}

async function searchFile(all: Search, file: ViewFile, facts: UseFacts): Promise<void> {
  // Of a related language whose names are not resolved, such as Kotlin beside Java, the local variables are not known, so
  // that no use in it is proved.
  const search = isResolved(languageOfFile(file)) ? all : { ...all, resolver: undefined };
  const locals = await localNames(search, file, facts);
  for (const [position, use] of facts.uses.entries()) {
    const isNamed = use.role === "string" ? search.names.has(lastName(use.name)) : locals.named.has(use.name);
    if (!isNamed && (use.role === "string" || !locals.modules.has(use.name))) continue;
    const mayDefine = use.role === "assignment" || use.receiver === "key";
    if (mayDefine && isOwnPlace(search, file, use)) continue;
    const certainty = isNamed
      ? await certaintyOf(search, file, position, use)
      : await certaintyOfModule(search, file, position);
    const isOpen =
      (locals.conditional.has(use.name) && !search.names.has(use.name)) ||
      (locals.whole.has(use.name) && !isNamedLike(search, use.name));
    if (certainty === "unresolved") {
      if (!isOpen) search.unresolved.set(`${file.path}:${use.line}`, { file, use });
    } else if (certainty !== undefined) addUse(search.found, { file, use, certainty });
  }
}

/**
 * Returns true if a name is that of the definition or of its file. Only then an import of a whole module that leads nowhere
 * counts as not resolved: it could have any name, and so each such import would count.
 */
function isNamedLike({ wanted, source: { view } }: Search, name: string): boolean {
  const { stem } = wanted.file.facts;
  const folder = wanted.file.path.split("/").at(-2) ?? "";
  const own = [briefOf(view, wanted)?.name ?? "", stem === "index" ? folder : stem];
  return own.some((one) => foldName(bareName(one)) === foldName(name));
}

/** Returns true for the statement that defines what is searched, as `a.b = function () {}` and the key `b() {}` do. */
function isOwnPlace({ wanted, source: { view } }: Search, file: ViewFile, { line }: NameUse): boolean {
  return file.path === wanted.file.path && briefOf(view, wanted)?.lineStart === line;
}

interface LocalNames {
  /** The names under which a file knows the definition. */
  readonly named: ReadonlySet<string>;
  /** The names that a file gives to whole modules, of which one may be the definition. */
  readonly modules: ReadonlySet<string>;
  /** The names that a file gives to what a module is as a whole. */
  readonly whole: ReadonlySet<string>;
  /** The names that a condition may give to something else than a module. */
  readonly conditional: ReadonlySet<string>;
}

/** Returns the names under which a file knows the definition, and adds the names under which it passes it on. */
async function localNames(
  { names, resolver, source, wanted }: Search,
  file: ViewFile,
  { links, uses }: UseFacts,
): Promise<LocalNames> {
  const named = new Set(names);
  const modules = new Set<string>();
  const conditional = new Set<string>();
  const whole = new Set(["default"]);
  if (resolver === undefined) return { named, modules, whole, conditional };
  const isDefault = names.has("default") || names.has("=");
  for (const link of links)
    for (const { name, as } of link.names) {
      if (name === "?") conditional.add(as);
      const isWhole = name === "default" || name === "=";
      if (!isWhole && !names.has(name)) continue;
      if (link.kind === "import") (isWhole && !isDefault ? modules : named).add(as);
      if (isWhole && link.kind === "import") whole.add(as);
      if ((as === name && !isWhole) || link.isInner === true) continue;
      const entities =
        link.kind === "export" ? await resolver.exportsOf(file, as) : await resolver.nameIn(file, as);
      if (refersTo(source.view, entities, wanted)) names.add(as);
    }
  if (resolver.ignoresCase?.(wanted) === true) addSpellings(named, uses);
  return { named, modules, whole, conditional };
}

/** Adds the names of uses that differ from one of the names only by capitals. */
function addSpellings(names: Set<string>, uses: readonly NameUse[]): void {
  const folded = new Set([...names].map((name) => name.toLowerCase()));
  for (const { name } of uses) if (folded.has(name.toLowerCase())) names.add(name);
}

function lastName(path: string): string {
  return /[\p{ID_Continue}$]+$/u.exec(path)?.[0] ?? path;
}

/** Returns how certain a use of a name refers to the definition that the file gives to a module. */
async function certaintyOfModule(
  { wanted, resolver, source: { view } }: Search,
  file: ViewFile,
  position: number,
): Promise<Certainty | undefined> {
  const entities = (await resolver?.entitiesOf(file, position)) ?? [];
  return refersTo(view, entities, wanted) ? certaintyAmong(view, entities, wanted) : undefined;
}

/** Returns how certain it is that a name which may be each of the entities is the definition, which is among them. */
function certaintyAmong(view: View, entities: readonly Entity[], wanted: Definition): Certainty {
  const proved = entities.filter((entity) => entity.kind !== "definition" || entity.isPossible !== true);
  const isProved = !isOpen(entities) && !isElsewhere(entities) && refersTo(view, proved, wanted);
  return isProved ? "sure" : "possible";
}

async function certaintyOf(
  { wanted, isMember, isEntry: isAnEntry, resolver, source: { view } }: Search,
  file: ViewFile,
  position: number,
  use: NameUse,
): Promise<Certainty | "unresolved" | undefined> {
  if (use.role === "string") return isTelling(use.name) ? "possible" : undefined;
  if (use.receiver === "key") {
    const named = (await resolver?.entitiesOf(file, position)) ?? [];
    if (refersTo(view, named, wanted)) return certaintyAmong(view, named, wanted);
    if (isMember) return (await mayBeMember(resolver, named, wanted, use)) ? "possible" : undefined;
    if (resolver?.keysMayBeNames !== true) return undefined;
    return refersTo(view, await resolver.nameIn(file, use.name), wanted) ? "possible" : undefined;
  }
  if (resolver === undefined) return isMember || use.receiver !== "unknown" ? "possible" : undefined;
  const entities = await resolver.entitiesOf(file, position);
  if (refersTo(view, entities, wanted)) return certaintyAmong(view, entities, wanted);
  if (use.role === "import") return undefined;
  if (entities.some(({ kind }) => kind === "missing")) return "unresolved";
  const kind = briefOf(view, wanted)?.kind;
  if (kind !== undefined && resolver.accepts?.(kind, use) === false) return undefined;
  if (isMember && use.receiver === "none" && resolver.hasBareMembers === false)
    return entities.some(({ kind }) => kind === "unknown") ? "unresolved" : undefined;
  const isBehindValue = use.receiver === "unknown" || use.receiver === "self" || use.receiver === "previous";
  if (isMember || (isAnEntry && isBehindValue))
    return (await mayBeMember(resolver, entities, wanted, use)) ? "possible" : undefined;
  if (!entities.some(({ kind }) => kind === "unknown")) return undefined;
  if (await mayBeOutermost(resolver, { view, file, position, use })) return "unresolved";
  const isMemberOfValue = use.receiver === "unknown" || use.receiver === "previous";
  return isMemberOfValue && (await resolver.mayBeOfModule?.(file, use.name, wanted)) === true
    ? "possible"
    : undefined;
}

/** Returns true if the name of a use may be one of a module or namespace: it stands alone or behind one. */
async function mayBeOutermost(
  resolver: Resolver,
  { view, file, position, use }: { view: View; file: ViewFile; position: number; use: NameUse },
): Promise<boolean> {
  if (use.receiver !== "previous") return use.receiver === "none" || use.receiver === "root";
  return (await resolver.entitiesOf(file, position - 1)).some((entity) => {
    if (entity.kind !== "definition") return entity.kind === "module";
    const kind = briefOf(view, entity.definition)?.kind;
    return kind === "module" || kind === "namespace";
  });
}

/** Returns true if a member that was found to be one of the entities may be the one that is wanted. */
async function mayBeMember(
  resolver: Resolver | undefined,
  entities: readonly Entity[],
  wanted: Definition,
  use: NameUse,
): Promise<boolean> {
  return isOpen(entities) || (await resolver?.mayBeMember?.(entities, wanted, use)) === true;
}

function isOpen(entities: readonly Entity[]): boolean {
  return entities.length === 0 || entities.some(({ kind }) => kind === "unknown");
}

/** Returns true if a string names code and is no plain word: a path with dots, or a name with capitals or underscores. */
function isTelling(text: string): boolean {
  return /[.:\\#_]|\p{Ll}\p{Lu}/u.test(text) && text.length > 4;
}

/** Finds the places that use a name which is defined in another project; one per line, and all only possible. */
export async function usesOfName({ view, reader }: UseSource, name: string): Promise<readonly FoundUse[]> {
  const files = filesWithAnyName(view, [name]);
  await reader.load(files);
  const found = new Map<string, FoundUse>();
  for (const file of files)
    for (const use of (await reader.factsOf(file)).uses)
      if (use.name === name && use.receiver !== "local" && use.role !== "string")
        found.set(`${file.path}:${use.line}`, { file, use, certainty: "possible" });
  return [...found.values()];
}
