import type { Certainty, RelatedPlace } from "../../model/relation.ts";
import type { SymbolKind } from "../../model/symbol.ts";
import type { ViewFile } from "../live/view.ts";
import {
  bareName,
  briefOf,
  languageOfFile,
  ownerOf,
  symbolAround,
  symbolsNamed,
  TYPE_KINDS,
  type Definition,
} from "./definition.ts";
import { findUses, type UnresolvedUse, type UseSource } from "./find-uses.ts";
import { definitionsNamed } from "./definitions-named.ts";
import { folderOf } from "./modules/module-rules.ts";
import { typesWithMethodsOf } from "./structural-types.ts";

/** Number of generations of types that inherit from one another. */
const MAX_GENERATIONS = 6;

interface Inheriting {
  readonly type: Definition;
  readonly certainty: Certainty;
}

interface Implementations {
  readonly places: readonly RelatedPlace[];
  /** The places that inherit from a type of this name of which it is not known which one it is. */
  readonly unresolved: readonly UnresolvedUse[];
}

const NONE: Implementations = { places: [], unresolved: [] };

/** Finds the types that inherit from a type, or the methods of such types that override a method. */
export async function implementationsOf(source: UseSource, definition: Definition): Promise<Implementations> {
  const { view } = source;
  const brief = briefOf(view, definition);
  if (brief === undefined) return NONE;
  const { symbols } = view.documentOf(definition.file);
  if (mayBeInherited(brief.kind, definition.file)) {
    const { types, unresolved } = await inheritingTypes(source, definition);
    return { places: types.map(({ type, certainty }) => placeOf(source, type, certainty)), unresolved };
  }
  const owner = symbols[brief.parent];
  if (owner === undefined || !mayBeInherited(owner.kind, definition.file)) return NONE;
  const { types, unresolved } = await inheritingTypes(source, { ...definition, symbol: brief.parent });
  const places = types.flatMap((type) =>
    methodsOf(source, type, brief.name).map(({ type: method, certainty }) =>
      placeOf(source, method, certainty),
    ),
  );
  return { places, unresolved };
}

/** Returns true for types, and in Ruby for modules, which classes include. */
function mayBeInherited(kind: SymbolKind, file: ViewFile): boolean {
  return TYPE_KINDS.has(kind) || (kind === "module" && languageOfFile(file) === "ruby");
}

/** Languages in which the methods of a type may be in other files than the type: in Go, in those of its package. */
const OPEN_TYPES: ReadonlySet<string> = new Set(["go", "csharp", "ruby"]);

/** Returns the methods of a type that have this name. */
function methodsOf({ view }: UseSource, { type, certainty }: Inheriting, name: string): Inheriting[] {
  const wanted = bareName(briefOf(view, type)?.name ?? "");
  const { symbols } = view.documentOf(type.file);
  const own = symbolsNamed(symbols, name, (one) => ownerOf(one, symbols) === wanted);
  const language = languageOfFile(type.file);
  if (own.length > 0 || !OPEN_TYPES.has(language))
    return own.map((symbol) => ({ type: { file: type.file, symbol }, certainty }));
  return definitionsNamed(view, name, language).flatMap((method): Inheriting[] => {
    const others = view.documentOf(method.file).symbols;
    const brief = others[method.symbol];
    if (brief === undefined || ownerOf(brief, others) !== wanted) return [];
    if (language !== "go") return [{ type: method, certainty: "possible" }];
    return folderOf(method.file.path) === folderOf(type.file.path) ? [{ type: method, certainty }] : [];
  });
}

async function structuralTypes(source: UseSource, type: Definition): Promise<Inheriting[]> {
  if (languageOfFile(type.file) !== "go" || briefOf(source.view, type)?.kind !== "interface") return [];
  return (await typesWithMethodsOf(source, type)).map((one) => ({ type: one, certainty: "possible" }));
}

async function inheritingTypes(
  source: UseSource,
  first: Definition,
): Promise<{ readonly types: readonly Inheriting[]; readonly unresolved: readonly UnresolvedUse[] }> {
  const unresolved: UnresolvedUse[] = [];
  const found = new Map<string, Inheriting>();
  let types: readonly Inheriting[] = [
    { type: first, certainty: "sure" },
    ...(await structuralTypes(source, first)),
  ];
  for (const one of types.slice(1)) found.set(`${one.type.file.path}:${one.type.symbol}`, one);
  for (let generation = 0; types.length > 0 && generation < MAX_GENERATIONS; generation++) {
    const next: Inheriting[] = [];
    for (const { type: base, certainty: reached } of types) {
      const { uses, unresolved: open } = await findUses(source, base);
      unresolved.push(...open.filter(({ use }) => use.role === "inheritance"));
      for (const { file, use, certainty } of uses) {
        if (use.role !== "inheritance") continue;
        const { symbols } = source.view.documentOf(file);
        const symbol = symbolAround(symbols, use.line, ({ kind }) => mayBeInherited(kind, file));
        const key = `${file.path}:${symbol}`;
        if (symbol < 0 || found.has(key)) continue;
        const isSure = certainty === "sure" && reached === "sure";
        const one: Inheriting = { type: { file, symbol }, certainty: isSure ? "sure" : "possible" };
        found.set(key, one);
        next.push(one);
      }
    }
    types = next;
  }
  return { types: [...found.values()], unresolved };
}

function placeOf({ view }: UseSource, definition: Definition, certainty: Certainty): RelatedPlace {
  const brief = briefOf(view, definition);
  const owner = brief === undefined ? undefined : ownerOf(brief, view.documentOf(definition.file).symbols);
  const name = bareName(brief?.name ?? "");
  return {
    path: definition.file.path,
    line: brief?.lineStart ?? 1,
    certainty,
    role: "inheritance",
    name: owner === undefined || owner === "" ? name : `${owner}.${name}`,
    ...(definition.file.facts.role.test && { isTest: true as const }),
  };
}
