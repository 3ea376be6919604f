import type { Relation, RelatedDefinition, RelatedPlace, RelationAnswer } from "../../model/relation.ts";
import type { UseRole } from "../../model/use.ts";
import type { LocateRequest } from "../code-queries.ts";
import { metadataOf, searchedFiles } from "../code-queries.ts";
import { relativePath, type IndexCore } from "../core.ts";
import type { View } from "../live/view.ts";
import { openFresh, searchTimeMs } from "../live/open-fresh.ts";
import { fileFilter } from "../query/filter.ts";
import { createFileReader } from "../query/hits.ts";
import type { HitSource } from "../query/hit-source.ts";
import { kindsNamed } from "../query/kinds.ts";
import { locateSymbols, nearestSymbolNames } from "../query/locate.ts";
import { calleesOf } from "./callees.ts";
import { briefOf, isSameDefinition, languageOfFile, ownerOf, type Definition } from "./definition.ts";
import { placeAround } from "./enclosing.ts";
import { findUses, type FoundUse, type UseSource } from "./find-uses.ts";
import { implementationsOf } from "./implementations.ts";
import { isResolved } from "./modules/registry.ts";
import { useSourceOf } from "./use-source.ts";

export interface RelateRequest extends LocateRequest {
  readonly relation: Relation;
}

/** Upper bound on the definitions of one name whose uses are searched together. */
const MAX_DEFINITIONS = 12;

/** Answers who uses a definition, what it uses, what implements it, or which tests use it. */
export async function relate(core: IndexCore, request: RelateRequest): Promise<RelationAnswer> {
  const started = performance.now();
  const { name, relation } = request;
  const answerBy = Date.now() + searchTimeMs(core.settings);
  const { source, freshness } = await openFresh(core, { ...request, question: name, answerBy });
  const definitions = definitionsFor(source, request);
  const uses = useSourceOf(source);
  const related = await relatedPlaces(uses, definitions, relation, source);
  const nearest = definitions.length === 0 ? nearestSymbolNames(source.view, name) : [];
  return {
    relation,
    name,
    definitions: definitions.map((one) => describeDefinition(source, one)),
    ...related,
    places: sortPlaces(related.places),
    metadata: metadataOf(freshness, source.ref, false),
    searched: searchedFiles(source, freshness, undefined),
    ...(nearest.length > 0 && { nearest }),
    projectId: source.project.projectId,
    elapsedMs: Math.round(performance.now() - started),
  };
}

/** Returns the definitions that a name means best; several if they fit equally well. */
function definitionsFor(source: HitSource, request: LocateRequest): Definition[] {
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
  const [best] = found;
  if (best === undefined || (best.match !== "exact" && best.match !== "case_insensitive")) return [];
  const kept: Definition[] = [];
  for (const { file, symbol, tier, fit } of found) {
    if (tier !== best.tier || fit !== best.fit) continue;
    if (!kept.some((one) => isSameDefinition(view, one, { file, symbol }))) kept.push({ file, symbol });
  }
  return kept.filter((one) => !isOwnConstructor(view, one, kept)).slice(0, MAX_DEFINITIONS);
}

/** Returns true for a constructor with the name of its class, if the class is asked for, too: a call names both. */
function isOwnConstructor(view: View, { file, symbol }: Definition, kept: readonly Definition[]): boolean {
  const brief = briefOf(view, { file, symbol });
  return (
    brief?.kind === "constructor" &&
    kept.some((one) => one.file.path === file.path && one.symbol === brief.parent)
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

type Related = Pick<RelationAnswer, "places" | "unresolved" | "otherUses" | "isByName">;

async function relatedPlaces(
  uses: UseSource,
  definitions: readonly Definition[],
  relation: Relation,
  source: HitSource,
): Promise<Related> {
  const places = new Map<string, RelatedPlace>();
  let unresolved = 0;
  let otherUses = 0;
  const isByName = definitions.some(({ file }) => !isResolved(languageOfFile(file)));
  const add = (place: RelatedPlace): void => {
    const key = `${place.path}:${place.line}:${place.name ?? ""}`;
    if (places.get(key)?.certainty !== "sure") places.set(key, place);
  };
  for (const definition of definitions) {
    if (relation === "callees") {
      const found = await calleesOf(uses, definition);
      unresolved += found.unresolved;
      for (const place of found.places) add(place);
      continue;
    }
    if (relation === "implementations") {
      for (const place of await implementationsOf(uses, definition)) add(place);
      continue;
    }
    const found = await findUses(uses, definition);
    unresolved += found.unresolved;
    const chosen = found.uses.filter((one) => isRelated(one, relation));
    otherUses += found.uses.filter(({ use }) => use.role !== "import").length - chosen.length;
    const files = createFileReader(source);
    for (const one of chosen) add(await placeAround(one, uses.view, (file) => files.outline(file)));
  }
  return { places: [...places.values()], unresolved, otherUses: Math.max(0, otherUses), isByName };
}

const CALLS: ReadonlySet<UseRole> = new Set(["call", "decorator"]);

function isRelated({ file, use }: FoundUse, relation: Relation): boolean {
  if (use.role === "import") return false;
  if (relation === "callers") return CALLS.has(use.role);
  return relation !== "tests" || file.facts.role.test;
}

function sortPlaces(places: readonly RelatedPlace[]): RelatedPlace[] {
  const rank = ({ certainty, isTest }: RelatedPlace): number =>
    (certainty === "sure" ? 0 : 1) + (isTest === true ? 2 : 0);
  const best = new Map<string, number>();
  for (const place of places) best.set(place.path, Math.min(best.get(place.path) ?? 9, rank(place)));
  return places.toSorted(
    (a, b) =>
      (best.get(a.path) ?? 0) - (best.get(b.path) ?? 0) ||
      (a.path < b.path ? -1 : a.path > b.path ? 1 : a.line - b.line),
  );
}
