import type { Certainty } from "../../model/relation.ts";
import type { NameUse, UseFacts } from "../../model/use.ts";
import type { View, ViewFile } from "../live/view.ts";
import { syntaxOf } from "../text/code-syntax.ts";
import { filesWithAnyName, filesImporting } from "./candidates.ts";
import { briefOf, languageOfFile, ownerOf, type Definition } from "./definition.ts";
import { refersTo, type Entity, type Resolver } from "./entity.ts";
import type { ModuleTree } from "./modules/module-rules.ts";
import { isResolved, resolverFor } from "./modules/registry.ts";
import type { UseReader } from "./use-reader.ts";

/** A place that uses a definition. */
export interface FoundUse {
  readonly file: ViewFile;
  readonly use: NameUse;
  readonly certainty: Certainty;
}

export interface FoundUses {
  readonly uses: readonly FoundUse[];
  /** Number of places with the name whose import leads to nothing that could be found. */
  readonly unresolved: number;
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
  wanted: Definition,
  maxFiles = Number.POSITIVE_INFINITY,
): Promise<FoundUses | undefined> {
  const { view, tree, reader } = source;
  const brief = briefOf(view, wanted);
  if (brief === undefined) return { uses: [], unresolved: 0, isByName: false };
  const language = languageOfFile(wanted.file);
  const resolver = resolverFor(language, tree);
  const family = syntaxOf(language)?.family ?? language;
  const owner = ownerOf(brief, view.documentOf(wanted.file).symbols);
  const search: Search = {
    source,
    wanted,
    isMember: (owner !== undefined && owner !== "") || brief.kind === "method",
    resolver,
    names: new Set([brief.name, ...(resolver?.otherNames?.(wanted) ?? [])]),
    found: new Map(),
    unresolved: new Set(),
  };
  const isFamily = (file: ViewFile): boolean =>
    (syntaxOf(languageOfFile(file))?.family ?? languageOfFile(file)) === family;
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
  return {
    uses: [...search.found.values()],
    unresolved: search.unresolved.size,
    isByName: resolver === undefined,
  };
}

interface Search {
  readonly source: UseSource;
  readonly wanted: Definition;
  readonly isMember: boolean;
  /** Absent if uses are found by name only. */
  readonly resolver: Resolver | undefined;
  /** The names under which files export the definition. */
  readonly names: Set<string>;
  readonly found: Map<string, FoundUse>;
  readonly unresolved: Set<string>;
}

async function searchFile(all: Search, file: ViewFile, facts: UseFacts): Promise<void> {
  // Of a related language whose names are not resolved, such as Kotlin beside Java, the local variables are not known, so
  // that no use in it is proved.
  const search = isResolved(languageOfFile(file)) ? all : { ...all, resolver: undefined };
  const locals = await localNames(search, file, facts);
  for (const [position, use] of facts.uses.entries()) {
    if (!locals.has(use.role === "string" ? lastName(use.name) : use.name)) continue;
    const certainty = await certaintyOf(search, file, position, use);
    if (certainty === "unresolved") search.unresolved.add(`${file.path}:${use.line}`);
    else if (certainty !== undefined) {
      const key = `${file.path}:${use.line}:${use.role}`;
      if (search.found.get(key)?.certainty !== "sure") search.found.set(key, { file, use, certainty });
    }
  }
}

/** Returns the names under which a file knows the definition, and adds the names under which it passes it on. */
async function localNames(
  { names, resolver, source, wanted }: Search,
  file: ViewFile,
  { links }: UseFacts,
): Promise<ReadonlySet<string>> {
  const locals = new Set(names);
  if (resolver === undefined) return locals;
  for (const link of links)
    for (const { name, as } of link.names) {
      const isWhole = name === "default" || name === "=";
      if (!isWhole && !names.has(name)) continue;
      if (link.kind === "import") locals.add(as);
      if (as === name && !isWhole) continue;
      const entities =
        link.kind === "export" ? await resolver.exportsOf(file, as) : await resolver.nameIn(file, as);
      if (refersTo(source.view, entities, wanted)) names.add(as);
    }
  return locals;
}

function lastName(path: string): string {
  return /[\p{ID_Continue}$]+$/u.exec(path)?.[0] ?? path;
}

async function certaintyOf(
  { wanted, isMember, resolver, source: { view } }: Search,
  file: ViewFile,
  position: number,
  use: NameUse,
): Promise<Certainty | "unresolved" | undefined> {
  if (use.role === "string") return isTelling(use.name) ? "possible" : undefined;
  if (use.receiver === "key") {
    if (isMember || resolver?.keysMayBeNames !== true) return isMember ? "possible" : undefined;
    return refersTo(view, await resolver.nameIn(file, use.name), wanted) ? "possible" : undefined;
  }
  if (resolver === undefined) return isMember || use.receiver !== "unknown" ? "possible" : undefined;
  const entities = await resolver.entitiesOf(file, position);
  if (refersTo(view, entities, wanted)) {
    const proved = entities.filter((entity) => entity.kind !== "definition" || entity.isPossible !== true);
    return !isOpen(entities) && refersTo(view, proved, wanted) ? "sure" : "possible";
  }
  if (entities.some(({ kind }) => kind === "missing")) return "unresolved";
  return isMember && isOpen(entities) ? "possible" : undefined;
}

function isOpen(entities: readonly Entity[]): boolean {
  return entities.length === 0 || entities.some(({ kind }) => kind === "unknown");
}

/** Returns true if a string names code and is no plain word: a path with dots, or a name with capitals or underscores. */
function isTelling(text: string): boolean {
  return /[.:\\#_]|\p{Ll}\p{Lu}/u.test(text) && text.length > 4;
}
