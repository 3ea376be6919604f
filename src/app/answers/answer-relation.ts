import { decodeCursor, encodeCursor } from "../../kernel/cursor.ts";
import type { Relation, RelationAnswer } from "../../model/relation.ts";
import type { RelationData } from "../../render/code/relations.ts";
import { mustBeSearchable, scopeOf } from "../code-scope.ts";
import type { SearchedProjects } from "../projects.ts";
import type { Call } from "../tool.ts";
import { codeRequest, type CodeValues, filtersOf, fingerprint, indexProgress } from "../tools/code-fields.ts";
import { askProjects } from "./ask-projects.ts";

/** The most places of a page if the caller does not ask for a number of results. */
const DEFAULT_PLACES = 40;

/** A name and what is asked about it. */
interface Asked {
  readonly name: string;
  readonly relation: Relation;
}

type Answer = Pick<RelationData, "related"> & Partial<Pick<RelationData, "package" | "projects">>;

/** Answers what is related to a definition: its callers, what it calls, its uses, implementations or tests. */
export async function answerRelation(
  name: string,
  relation: Relation,
  args: CodeValues,
  call: Call,
): Promise<RelationData> {
  const asked = { name, relation };
  const answer =
    call.several === undefined
      ? await answerInScope(asked, args, call)
      : await answerSeveral(asked, args, call, call.several);
  const identity = [
    ...fingerprint(name, args),
    relation,
    answer.related.places.length,
    ...(call.several?.projects.map((project) => project.name) ?? []),
  ];
  return {
    ...answer,
    filters: filtersOf(args, call),
    offset: decodeCursor(identity, args.cursor),
    limit: Math.max(args.limit, DEFAULT_PLACES),
    cursorAfter: (shown) => encodeCursor(identity, shown),
  };
}

/** Answers in the workspace, or in the dependency or project that `path` names. */
async function answerInScope(asked: Asked, args: CodeValues, call: Call): Promise<Answer> {
  const scope = scopeOf(call.workspace, args.path);
  mustBeSearchable(scope);
  if (scope.prefix !== "") call.services.shownScopes.set(scope.prefix, scope);
  const found = await relate(asked, args, call, scope);
  return {
    related: withPrefix(found, scope.prefix),
    ...(scope.package !== undefined && { package: scope.package }),
  };
}

interface Place {
  readonly root: string;
  readonly path?: string;
}

async function relate(
  asked: Asked,
  args: CodeValues,
  call: Call,
  { root, path }: Place,
  isDefinedElsewhere = false,
): Promise<RelationAnswer> {
  const index = await call.services.index();
  return index.relate({
    ...codeRequest(args, call.services.config),
    ...asked,
    root,
    ...(path !== undefined && { path }),
    offset: 0,
    isDefinedElsewhere,
    onProgress: indexProgress(call),
    signal: call.signal,
  });
}

/**
 * Asks each project about its own definitions of the name. If only some have any, the others are asked where they use
 * the name, because they may import it from a project that defines it.
 */
async function answerSeveral(
  asked: Asked,
  args: CodeValues,
  call: Call,
  several: SearchedProjects,
): Promise<Answer> {
  const { mergeRelations } = await import("./merge-relations.ts");
  const { answers, places, projects, failed } = await askProjects(several, args, call, async (place) => {
    const answer = await relate(asked, args, call, place);
    const { projectId, metadata } = answer;
    return { answer, part: { projectId, metadata } };
  });
  const isDefined = answers.some(({ definitions }) => definitions.length > 0);
  const parts: { project: string; answer: RelationAnswer }[] = [];
  for (const [at, place] of places.entries()) {
    const own = answers[at];
    if (own === undefined) continue;
    const answer =
      isDefined && own.definitions.length === 0 ? await relate(asked, args, call, place, true) : own;
    parts.push({ project: place.name, answer: withPrefix(answer, place.prefix) });
  }
  const totals = new Map(parts.map(({ project, answer }) => [project, answer.places.length]));
  const counted = projects.parts.map((part) => {
    const total = totals.get(part.name);
    return total === undefined ? part : { ...part, total };
  });
  const related = mergeRelations(parts);
  return {
    related:
      failed === undefined
        ? related
        : { ...related, metadata: { ...related.metadata, result_completeness: "partial" } },
    projects: { ...projects, parts: counted },
  };
}

function withPrefix(related: RelationAnswer, prefix: string): RelationAnswer {
  if (prefix === "") return related;
  const prefixed = <T extends { readonly path: string }>(one: T): T => ({
    ...one,
    path: `${prefix}${one.path}`,
  });
  const { leftOut } = related;
  return {
    ...related,
    definitions: related.definitions.map(prefixed),
    places: related.places.map(prefixed),
    ...(related.otherPlaces !== undefined && { otherPlaces: related.otherPlaces.map(prefixed) }),
    ...(leftOut !== undefined && {
      leftOut: { ...leftOut, definitions: leftOut.definitions.map(prefixed) },
    }),
  };
}

/**
 * Answers a question such as "who calls parseQuery"; undefined if the text is an ordinary search. A text that only looks
 * like such a question, because nothing of that name is defined, is searched for as well.
 */
export async function answerRelationQuestion(
  query: string,
  args: CodeValues,
  call: Call,
): Promise<RelationData | undefined> {
  const { isNameOfCode, relationQuestion } = await import("../../index/uses/relation-question.ts");
  const asked = relationQuestion(query);
  if (asked === undefined) return undefined;
  // "tests for login" and "what creates users" more often mean the subject than functions called login and users.
  const isSubject = asked.relation === "tests" ? !/\b(?:use|call)s?\b/iu.test(query) : AMBIGUOUS.test(query);
  if (isSubject && !isNameOfCode(query, asked.name)) return undefined;
  const data = await answerRelation(asked.name, asked.relation, args, call);
  if (data.related.definitions.length === 0) return undefined;
  if (asked.within === undefined) return data;
  const { limitPlaces } = await import("../../index/uses/limit-places.ts");
  return { ...data, related: limitPlaces(data.related, asked.within) };
}

/** Matches questions that are asked about subjects as often as about code. */
const AMBIGUOUS =
  /^(?:how|(?:usage |use )?examples?|impact|effects?|ripple|side)\b|\b(?:created?s?|triggers?|needs?|consumes?|impacte?d?|read(?:s|ing)?|sets?|writ(?:es?|ing|ten)|assign(?:s|ed)?|render(?:s|ed)?|handled|throw[sn]?|raise[sd]?|catch(?:es)?|caught|include[sd]?|mixe[sd]|must|should)\b/iu;
