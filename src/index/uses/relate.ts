import {
  sortPlaces,
  type OtherPlace,
  type Relation,
  type RelatedDefinition,
  type RelatedPlace,
  type RelationAnswer,
} from "../../model/relation.ts";
import type { SymbolKind } from "../../model/symbol.ts";
import type { LocateRequest } from "../code-queries.ts";
import { metadataOf, searchedFiles } from "../code-queries.ts";
import { relativePath, type IndexCore } from "../core.ts";
import type { View, ViewFile } from "../live/view.ts";
import { openFresh, searchTimeMs } from "../live/open-fresh.ts";
import { fileFilter } from "../query/filter.ts";
import { createFileReader } from "../query/hits.ts";
import type { HitSource } from "../query/hit-source.ts";
import { kindsNamed } from "../query/kinds.ts";
import { locateSymbols, MIN_WHOLE_NAME_TIER, nearestSymbolNames } from "../query/locate.ts";
import type { SymbolBrief } from "../store/record.ts";
import { languageFamily } from "../text/language-family.ts";
import { IS_MACRO_NAME } from "./c/resolver.ts";
import { absenceOf, linesWith } from "./absent-name.ts";
import { calleesOf } from "./callees.ts";
import {
  bareName,
  partsOfName,
  briefOf,
  isCallIn,
  isSameDefinition,
  withVisibility,
  languageOfFile,
  ownerOf,
  TYPE_KINDS,
  type Definition,
} from "./definition.ts";
import { placeAround } from "./enclosing.ts";
import { findUses, usesOfName, type FoundUse, type UnresolvedUse, type UseSource } from "./find-uses.ts";
import { implementationsOf } from "./implementations.ts";
import { isResolved } from "./modules/registry.ts";
import { useSourceOf } from "./use-source.ts";

export interface RelateRequest extends LocateRequest {
  readonly relation: Relation;
  /** True if another project defines the name; then places with it are possible here, although nothing defines it. */
  readonly isDefinedElsewhere?: boolean;
}

/** Upper bound on the definitions of one name whose uses are searched together. */
const MAX_DEFINITIONS = 12;

/** Answers who uses a definition, what it uses, what implements it, or which tests use it. */
export async function relate(core: IndexCore, request: RelateRequest): Promise<RelationAnswer> {
  const started = performance.now();
  const { name, relation } = request;
  const answerBy = Date.now() + searchTimeMs(core.settings);
  const { source, freshness } = await openFresh(core, { ...request, question: name, answerBy });
  const uses = useSourceOf(source);
  const { kept: fitting, isElsewhere, others } = await definitionsFor(source, request, uses);
  const definitions = fitting.slice(0, MAX_DEFINITIONS);
  const unsearched = fitting.length - definitions.length + others;
  const isNameOnly = definitions.length === 0 && request.isDefinedElsewhere === true;
  const groups = withPrototypes(source.view, definitions);
  const related = isNameOnly
    ? await placesWithName(uses, request, source)
    : await relatedPlaces(uses, groups, relation, source);
  const absence =
    definitions.length > 0 || isNameOnly
      ? undefined
      : await absenceOf(source, request, async (one) => (await definitionsFor(source, one, uses)).kept);
  const occurrences =
    absence?.occurrences ?? (await occurrencesElsewhere(source, request, { groups, related }));
  const isUnknown = definitions.length === 0 && (absence?.leftOut.length ?? 0) === 0;
  const nearest = isUnknown ? nearestSymbolNames(source.view, name) : [];
  return {
    relation,
    name,
    definitions: groups.map(([one]) => describeDefinition(source, one)),
    ...(isElsewhere && { isElsewhere }),
    ...(unsearched > 0 && { unsearchedDefinitions: unsearched }),
    ...related,
    places: sortPlaces(related.places),
    metadata: metadataOf(freshness, source.ref, false),
    searched: searchedFiles(source, freshness, undefined),
    ...(nearest.length > 0 && { nearest }),
    ...(absence !== undefined &&
      absence.leftOut.length > 0 && {
        leftOut: {
          definitions: absence.leftOut.map((one) => describeDefinition(source, one)),
          by: absence.leftOutBy,
        },
      }),
    ...(occurrences !== undefined && { occurrences }),
    projectId: source.project.projectId,
    elapsedMs: Math.round(performance.now() - started),
  };
}

/** Relations whose places contain the name. */
const BY_NAME: ReadonlySet<Relation> = new Set(["callers", "uses", "tests"]);

/**
 * Counts the lines with the name of definitions for which no place was found: strings, comments and what else is no use
 * by the rules of the language may still mean them.
 */
async function occurrencesElsewhere(
  source: HitSource,
  { relation }: RelateRequest,
  { groups, related }: { groups: readonly DefinitionGroup[]; related: Related },
): Promise<RelationAnswer["occurrences"]> {
  const [first] = groups.flat();
  const isOpen = related.places.length + related.otherUses + related.unresolved > 0;
  if (first === undefined || isOpen || !BY_NAME.has(relation)) return undefined;
  const found = await linesWith(bareName(briefOf(source.view, first)?.name ?? ""), source);
  return found === undefined || found.lines <= groups.flat().length ? undefined : found;
}

/** The definitions that a name means best. */
interface ChosenDefinitions {
  readonly kept: Definition[];
  /** Number of others with exactly this name, which it less likely means: fields, and definitions in tests. */
  readonly others: number;
  /** True if none of them is in what the name says before the last dot. */
  readonly isElsewhere: boolean;
}

/** Returns the definitions that a name means best; several if they fit equally well. */
async function definitionsFor(
  source: HitSource,
  request: LocateRequest,
  { reader }: UseSource,
): Promise<ChosenDefinitions> {
  const { view, project } = source;
  const accepts = fileFilter({
    ...(request.path !== undefined && { path: relativePath(project.root, request.path) }),
    ...(request.language !== undefined && { language: request.language }),
    hasExtension: (extension) => view.files.some(({ path }) => path.toLowerCase().endsWith(extension)),
  });
  const kinds = kindsNamed(request.kind);
  const found = locateSymbols(view, request.name, {
    imports: project.imports(view),
    ...(kinds !== undefined && { kinds }),
    ...(accepts !== undefined && { accepts }),
  });
  // A name that is spelled so is meant, also that of a field, which a search ranks behind types in another spelling.
  const spelled = found.filter(({ match, tier }) => match === "exact" && tier >= MIN_WHOLE_NAME_TIER);
  const [best] = spelled.length > 0 ? spelled : found;
  if (best === undefined || (best.match !== "exact" && best.match !== "case_insensitive"))
    return { kept: [], isElsewhere: false, others: 0 };
  const kept: Definition[] = [];
  let others = 0;
  for (const { file, symbol, match, tier, fit } of found) {
    if (fit !== best.fit || match !== best.match) continue;
    const isBeside =
      spelled.length > 0 && tier >= MIN_WHOLE_NAME_TIER && isInTests(file) === isInTests(best.file);
    if (tier !== best.tier && !isBeside) {
      if (tier > MIN_WHOLE_NAME_TIER) others++;
      continue;
    }
    const isAlone = !kept.some((one) => one.file.path === file.path);
    const definition = await withVisibility({ file, symbol }, (one) => reader.factsOf(one));
    if (isAlone || !kept.some((one) => isSameDefinition(view, one, definition))) kept.push(definition);
  }
  return {
    kept: kept.filter(
      (one) =>
        !isOwnConstructor(view, one, kept) && !isOwnBlock(view, one, kept) && !isHeadOfMacro(view, one, kept),
    ),
    others,
    // The mark of `r#type` in Rust is a part of the name.
    isElsewhere: best.fit === 0 && QUALIFIED.test(request.name.trim().replace(/^r#/u, "")),
  };
}

function isInTests({ facts }: ViewFile): boolean {
  return facts.role.test;
}

/** Returns true for `TEST(name) {…}` in C, which is no definition of `TEST`, if the macro of this name is asked for, too. */
function isHeadOfMacro(view: View, definition: Definition, kept: readonly Definition[]): boolean {
  const brief = briefOf(view, definition);
  if (brief?.kind !== "fn" || !IS_MACRO_NAME.test(brief.name)) return false;
  if (languageFamily(languageOfFile(definition.file)) !== "c") return false;
  return kept.some((one) => briefOf(view, one)?.kind === "macro");
}

/** Matches a name behind the one of a type or module. */
const QUALIFIED = /[^\s.:#\\>](?:\.|::|#|->|\\)[^\s.:#\\>]/u;

/** Returns true for a block of methods, such as `impl A` in Rust, if the type is asked for, too. */
function isOwnBlock(view: View, { file, symbol }: Definition, kept: readonly Definition[]): boolean {
  const kindOf = (one: Definition): SymbolKind => briefOf(view, one)?.kind ?? "fn";
  return (
    kindOf({ file, symbol }) === "impl" &&
    kept.some((one) => kindOf(one) !== "impl" && TYPE_KINDS.has(kindOf(one)))
  );
}

/** A definition, and the declarations of the same function that have no body. */
type DefinitionGroup = readonly [Definition, ...Definition[]];

/** Puts prototypes, such as those in a header, to the one definition of the function that they declare. */
function withPrototypes(view: View, definitions: readonly Definition[]): DefinitionGroup[] {
  const isPrototype = (one: Definition): boolean => briefOf(view, one)?.kind === "prototype";
  const whole = definitions.filter((one) => !isPrototype(one));
  const own = (prototype: Definition): Definition | undefined => {
    const same = whole.filter((one) => fullName(view, one) === fullName(view, prototype));
    return same.length === 1 ? same[0] : undefined;
  };
  const owners = new Map(definitions.map((one) => [one, isPrototype(one) ? own(one) : undefined]));
  return definitions
    .filter((one) => owners.get(one) === undefined)
    .map((one) => [one, ...definitions.filter((other) => owners.get(other) === one)]);
}

/** Returns a name with those of the types and namespaces around it, as far as the file shows them. */
function fullName(view: View, { file, symbol }: Definition): string {
  const { symbols } = view.documentOf(file);
  const names: string[] = [];
  for (let at: SymbolBrief | undefined = symbols[symbol]; at !== undefined; at = symbols[at.parent])
    names.unshift(...(at.owner === undefined ? [] : partsOfName(at.owner)), bareName(at.name));
  // The owner of a member that is written inside of its class is the class around it.
  return names.filter((name, index) => name !== names[index - 1]).join(".");
}

/** Returns true for a constructor with the name of its class, if the class is asked for, too: a call names both. */
function isOwnConstructor(view: View, { file, symbol }: Definition, kept: readonly Definition[]): boolean {
  const brief = briefOf(view, { file, symbol });
  if (brief?.kind !== "constructor") return false;
  // In C++ it may be written outside of its class.
  const name = brief.owner === undefined ? undefined : fullName(view, { file, symbol });
  return kept.some(
    (one) =>
      (one.file.path === file.path && one.symbol === brief.parent) ||
      (TYPE_KINDS.has(briefOf(view, one)?.kind ?? "fn") && fullName(view, one) === name),
  );
}

function describeDefinition({ view }: HitSource, definition: Definition): RelatedDefinition {
  const brief = briefOf(view, definition);
  const { symbols } = view.documentOf(definition.file);
  const owner = brief === undefined ? undefined : ownerOf(brief, symbols);
  const name = brief?.name ?? "";
  return {
    name: owner === undefined || owner === "" ? name : `${owner}.${name}`,
    kind: brief?.kind ?? "fn",
    path: definition.file.path,
    line: brief?.lineStart ?? 1,
  };
}

type Related = Pick<
  RelationAnswer,
  "places" | "unresolved" | "unresolvedNames" | "otherUses" | "otherPlaces" | "isByName"
>;

/** Up to so many other uses are listed, if there are not many places besides. */
const MAX_OTHER_PLACES = 5;
const MAX_PLACES_BESIDES = 10;

async function relatedPlaces(
  uses: UseSource,
  groups: readonly DefinitionGroup[],
  relation: Relation,
  source: HitSource,
): Promise<Related> {
  const places = new Map<string, RelatedPlace>();
  const unresolved = new Set<string>();
  const isByName = groups.flat().some(({ file }) => !isResolved(languageOfFile(file)));
  const isSeveral = groups.length > 1;
  const others = new Map<string, OtherPlace>();
  const files = createFileReader(source);
  for (const [position, definition] of groups.flatMap((group, at) =>
    group.map((one): readonly [number, Definition] => [at, one]),
  )) {
    const add = (place: RelatedPlace): void => {
      const key = `${place.path}:${place.line}:${place.name ?? ""}`;
      const known = places.get(key);
      if (!isSeveral) places.set(key, betterPlace(known, place));
      else addPlaceOf(places, key, { ...place, of: [position] });
    };
    if (relation === "callees") {
      const found = await calleesOf(uses, definition);
      for (const name of found.unresolved) unresolved.add(name);
      for (const place of found.places) add(place);
      continue;
    }
    if (relation === "implementations") {
      const found = await implementationsOf(uses, definition, (file) => files.outline(file));
      for (const one of found.unresolved) unresolved.add(keyOf(one));
      for (const place of found.places) add(place);
      continue;
    }
    const found = await findUses(uses, definition);
    for (const one of found.unresolved) if (isRelated(one, relation)) unresolved.add(keyOf(one));
    const chosen = found.uses.filter((one) => isRelated(one, relation));
    for (const one of found.uses)
      if (one.use.role !== "import" && !isRelated(one, relation)) addOther(others, one);
    for (const one of chosen) add(await placeAround(one, uses.view, (file) => files.outline(file)));
  }
  for (const { path, line } of places.values()) others.delete(`${path}:${line}`);
  const areFew = others.size > 0 && others.size <= MAX_OTHER_PLACES && places.size <= MAX_PLACES_BESIDES;
  return {
    places: [...places.values()],
    unresolved: unresolved.size,
    ...(relation === "callees" && unresolved.size > 0 && { unresolvedNames: [...unresolved].sort() }),
    otherUses: others.size,
    ...(areFew && { otherPlaces: [...others.values()] }),
    isByName,
  };
}

/** Adds the place of a use of another kind, such as a function that is not called but passed on. */
function addOther(others: Map<string, OtherPlace>, { file, use, certainty }: FoundUse): void {
  const key = `${file.path}:${use.line}`;
  if (others.get(key)?.certainty !== "sure") others.set(key, { path: file.path, line: use.line, certainty });
}

/** Of two mentions of a place, a certain one counts more. */
function betterPlace(known: RelatedPlace | undefined, place: RelatedPlace): RelatedPlace {
  return known === undefined || known.certainty !== "sure" ? place : known;
}

/** Adds a place of one of several definitions. A line may certainly refer to one of them, and possibly to others. */
function addPlaceOf(places: Map<string, RelatedPlace>, line: string, place: RelatedPlace): void {
  const [sure, possible] = [`${line}:sure`, `${line}:possible`];
  const of = place.of ?? [];
  const isSure = place.certainty === "sure";
  if (!isSure && of.every((one) => places.get(sure)?.of?.includes(one) === true)) return;
  const key = isSure ? sure : possible;
  const known = places.get(key);
  places.set(key, known === undefined ? place : { ...known, of: [...new Set([...(known.of ?? []), ...of])] });
}

/** What several definitions leave open is counted once. */
function keyOf({ file, use }: UnresolvedUse): string {
  return `${file.path}:${use.line}`;
}

/** Returns the places that use a name which nothing in the project defines. */
async function placesWithName(
  uses: UseSource,
  { name, relation }: RelateRequest,
  source: HitSource,
): Promise<Related> {
  const files = createFileReader(source);
  const places: RelatedPlace[] = [];
  const found = relation === "callees" ? [] : await usesOfName(uses, bareName(name));
  const chosen = found.filter((one) =>
    relation === "implementations" ? one.use.role === "inheritance" : isRelated(one, relation),
  );
  for (const one of chosen) places.push(await placeAround(one, uses.view, (file) => files.outline(file)));
  const others = found.filter(({ use }) => use.role !== "import").length - chosen.length;
  return { places, unresolved: 0, otherUses: relation === "implementations" ? 0 : others, isByName: false };
}

function isRelated({ file, use }: UnresolvedUse, relation: Relation): boolean {
  if (use.role === "import") return false;
  if (relation === "callers") return isCallIn(file, use) || use.role === "decorator";
  return relation !== "tests" || file.facts.role.test;
}
