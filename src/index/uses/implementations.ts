import type { Certainty, RelatedPlace } from "../../model/relation.ts";
import {
  bareName,
  briefOf,
  ownerOf,
  symbolAround,
  symbolsNamed,
  TYPE_KINDS,
  type Definition,
} from "./definition.ts";
import { findUses, type UseSource } from "./find-uses.ts";

/** Number of generations of types that inherit from one another. */
const MAX_GENERATIONS = 6;

interface Inheriting {
  readonly type: Definition;
  readonly certainty: Certainty;
}

/** Finds the types that inherit from a type, or the methods of such types that override a method. */
export async function implementationsOf(source: UseSource, definition: Definition): Promise<RelatedPlace[]> {
  const { view } = source;
  const brief = briefOf(view, definition);
  if (brief === undefined) return [];
  const { symbols } = view.documentOf(definition.file);
  if (TYPE_KINDS.has(brief.kind))
    return (await inheritingTypes(source, definition)).map(({ type, certainty }) =>
      placeOf(source, type, certainty),
    );
  const owner = symbols[brief.parent];
  if (owner === undefined || !TYPE_KINDS.has(owner.kind)) return [];
  const types = await inheritingTypes(source, { file: definition.file, symbol: brief.parent });
  return types.flatMap(({ type, certainty }) => {
    const wanted = bareName(briefOf(view, type)?.name ?? "");
    const own = view.documentOf(type.file).symbols;
    return symbolsNamed(own, brief.name, (one) => ownerOf(one, own) === wanted).map((symbol) =>
      placeOf(source, { file: type.file, symbol }, certainty),
    );
  });
}

async function inheritingTypes(source: UseSource, first: Definition): Promise<Inheriting[]> {
  const found = new Map<string, Inheriting>();
  let types: readonly Inheriting[] = [{ type: first, certainty: "sure" }];
  for (let generation = 0; types.length > 0 && generation < MAX_GENERATIONS; generation++) {
    const next: Inheriting[] = [];
    for (const { type: base, certainty: reached } of types) {
      for (const { file, use, certainty } of (await findUses(source, base)).uses) {
        if (use.role !== "inheritance") continue;
        const { symbols } = source.view.documentOf(file);
        const symbol = symbolAround(symbols, use.line, ({ kind }) => TYPE_KINDS.has(kind));
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
  return [...found.values()];
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
