import type { CodeMetadata, SearchedFiles } from "./hit.ts";
import type { SymbolKind } from "./symbol.ts";
import type { UseRole } from "./use.ts";

/** What can be asked about a definition. */
export const RELATIONS = ["callers", "callees", "uses", "implementations", "tests"] as const;
export type Relation = (typeof RELATIONS)[number];

/**
 * How certain it is that a place refers to the definition. `sure`: an import chain or the scope proves it. `possible`:
 * the name matches, but the type that it belongs to is not known.
 */
export type Certainty = "sure" | "possible";

/** A place that is related to a definition. */
export interface RelatedPlace {
  readonly path: string;
  readonly line: number;
  readonly certainty: Certainty;
  readonly role: UseRole;
  /** The function, class or test around the place; missing at the top of a file. */
  readonly within?: string;
  /** The name of what is used, for the things that a definition itself uses. */
  readonly name?: string;
  readonly isTest?: true;
  /** If a name has several definitions: the positions, in the answer's list, of those that the place may refer to. */
  readonly of?: readonly number[];
}

/** Comes after the position of every definition. */
const SEVERAL = Number.MAX_SAFE_INTEGER;

/** Returns the definition that a place refers to, as its position, or a number above all of them if it may be several. */
export function definitionOf({ of = [] }: RelatedPlace): number {
  return of.length === 1 ? (of[0] ?? SEVERAL) : SEVERAL;
}

/** Sorts places by the definition they refer to: files with certain ones first, then code before tests, then by path. */
export function sortPlaces(places: readonly RelatedPlace[]): RelatedPlace[] {
  const rank = ({ certainty, isTest }: RelatedPlace): number =>
    (certainty === "sure" ? 0 : 1) + (isTest === true ? 2 : 0);
  const best = new Map<string, number>();
  const groupOf = (place: RelatedPlace): string => `${definitionOf(place)} ${place.path}`;
  for (const place of places) best.set(groupOf(place), Math.min(best.get(groupOf(place)) ?? 9, rank(place)));
  return places.toSorted(
    (a, b) =>
      definitionOf(a) - definitionOf(b) ||
      (best.get(groupOf(a)) ?? 0) - (best.get(groupOf(b)) ?? 0) ||
      (a.path < b.path ? -1 : a.path > b.path ? 1 : a.line - b.line),
  );
}

/** A place with a use that is not of the requested relation. */
export type OtherPlace = Pick<RelatedPlace, "path" | "line" | "certainty">;

export interface RelatedDefinition {
  readonly name: string;
  readonly kind: SymbolKind;
  readonly path: string;
  readonly line: number;
}

/** What is related to the definitions of a name. */
export interface RelationAnswer {
  readonly relation: Relation;
  readonly name: string;
  /** The definitions that the places refer to; there are several if the name has several. */
  readonly definitions: readonly RelatedDefinition[];
  /** True if the name is qualified, as in `Store.save`, and only names without this qualifier are defined. */
  readonly isElsewhere?: boolean;
  /** Number of further definitions whose places are not among these, because there are too many of the name. */
  readonly unsearchedDefinitions?: number;
  /** All places, as `sortPlaces` orders them. */
  readonly places: readonly RelatedPlace[];
  /** Where the question asks for places, if it says so, and the number of places elsewhere. */
  readonly limitedTo?: { readonly where: string; readonly leftOut: number };
  /** Number of places with the name of which it is not known what they refer to. */
  readonly unresolved: number;
  /** For the things that a definition calls: the names behind `unresolved`. */
  readonly unresolvedNames?: readonly string[];
  /** Number of other uses of the definitions that are not of the requested relation, such as imports. */
  readonly otherUses: number;
  /** The places of these other uses, if there are only a few. */
  readonly otherPlaces?: readonly OtherPlace[];
  /** True if names of the language are not resolved, so that all places only have the same name. */
  readonly isByName: boolean;
  readonly metadata: CodeMetadata;
  readonly searched: SearchedFiles;
  /** Projects that do not define the name, where places are only possible; of several projects another defines it. */
  readonly definedElsewhere?: readonly string[];
  /** Similar names, if the requested one is not defined. */
  readonly nearest?: readonly string[];
  /** The definitions of the name that the filters of the request leave out, if there are no others, and those filters. */
  readonly leftOut?: { readonly definitions: readonly RelatedDefinition[]; readonly by: readonly string[] };
  /** The lines that contain a name which is not defined, or for which no place is found, and how to find them. */
  readonly occurrences?: { readonly lines: number; readonly files: number; readonly pattern: string };
  readonly projectId: string;
  readonly elapsedMs: number;
}
