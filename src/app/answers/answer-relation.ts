import { decodeCursor, encodeCursor } from "../../kernel/cursor.ts";
import { PithError } from "../../kernel/errors.ts";
import type { Relation, RelationAnswer } from "../../model/relation.ts";
import type { RelationData } from "../../render/code/relations.ts";
import { mustBeSearchable, scopeOf } from "../code-scope.ts";
import type { Call } from "../tool.ts";
import { codeRequest, type CodeValues, fingerprint, indexProgress } from "../tools/code-fields.ts";

/** The most places of a page if the caller does not ask for a number of results. */
const DEFAULT_PLACES = 40;

/** Answers what is related to a definition: its callers, what it calls, its uses, implementations or tests. */
export async function answerRelation(
  name: string,
  relation: Relation,
  args: CodeValues,
  call: Call,
): Promise<RelationData> {
  if (call.several !== undefined)
    throw new PithError("invalid_input", "relation goes with one project only", {
      field: "relation",
      suggestion: "Name one project in workspace.",
    });
  const scope = scopeOf(call.workspace, args.path);
  mustBeSearchable(scope);
  const { services, signal } = call;
  const index = await services.index();
  const found = await index.relate({
    ...codeRequest(args, services.config),
    root: scope.root,
    ...(scope.path !== undefined && { path: scope.path }),
    offset: 0,
    name,
    relation,
    onProgress: indexProgress(call),
    signal,
  });
  const identity = [...fingerprint(name, args), relation, found.places.length];
  return {
    related: withPrefix(found, scope.prefix),
    offset: decodeCursor(identity, args.cursor),
    limit: Math.max(args.limit, DEFAULT_PLACES),
    cursorAfter: (shown) => encodeCursor(identity, shown),
  };
}

function withPrefix(related: RelationAnswer, prefix: string): RelationAnswer {
  if (prefix === "") return related;
  const prefixed = <T extends { readonly path: string }>(one: T): T => ({
    ...one,
    path: `${prefix}${one.path}`,
  });
  return { ...related, definitions: related.definitions.map(prefixed), places: related.places.map(prefixed) };
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
  if (call.several !== undefined) return undefined;
  const { isNameOfCode, relationQuestion } = await import("../../index/uses/relation-question.ts");
  const asked = relationQuestion(query);
  if (asked === undefined) return undefined;
  // "tests for login" more often means the subject than a function called login.
  if (asked.relation === "tests" && !isNameOfCode(query, asked.name)) return undefined;
  const data = await answerRelation(asked.name, asked.relation, args, call);
  return data.related.definitions.length === 0 ? undefined : data;
}
