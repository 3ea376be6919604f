import { decodeCursor, encodeCursor } from "../../kernel/cursor.ts";
import type { CodeAnswer } from "../../model/hit.ts";
import type { HitsData } from "../../render/code/hits-data.ts";
import { mustBeSearchable, scopeOf, withPrefix } from "../code-scope.ts";
import { mergeAnswers } from "./merge-answers.ts";
import { askProjects } from "./ask-projects.ts";
import type { SearchedProjects } from "../projects.ts";
import type { Call } from "../tool.ts";
import {
  codeRequest,
  type CodeRequestOf,
  type CodeValues,
  filtersOf,
  fingerprint,
  maskedAnswer,
  shownAs,
} from "../tools/code-fields.ts";

/** Answers one request to the code index. */
type Ask = (request: CodeRequestOf) => Promise<CodeAnswer>;

/** Answers a question about code in the workspace, in a dependency that `path` names, or in several projects. */
export async function answerCode(
  question: string,
  args: CodeValues,
  call: Call,
  ask: Ask,
): Promise<HitsData> {
  if (call.several !== undefined) return answerSeveral(question, args, { call, ask, several: call.several });
  const scope = scopeOf(call.workspace, args.path);
  mustBeSearchable(scope);
  const identity = fingerprint(question, args);
  const offset = decodeCursor(identity, args.cursor);
  if (scope.prefix !== "") call.services.shownScopes.set(scope.prefix, scope);
  const found = await ask({ ...codeRequest(args, call.services.config), ...placeOf(scope), offset });
  const masked = await maskedAnswer(found, scope.root, call.services.config);
  return {
    ...shownAs(args, call.services.config),
    filters: filtersOf(args, call),
    answer: withPrefix(scope.package === undefined ? masked : withoutUses(masked), scope.prefix),
    ...(scope.package !== undefined && { package: scope.package }),
    cursorAfter: (shown) => encodeCursor(identity, offset + shown),
  };
}

function placeOf({ root, path }: { readonly root: string; readonly path?: string }) {
  return { root, ...(path !== undefined && { path }) };
}

/** Asks each project in turn for all results up to the end of the page, and merges them by rank. */
async function answerSeveral(
  question: string,
  args: CodeValues,
  { call, ask, several }: { readonly call: Call; readonly ask: Ask; readonly several: SearchedProjects },
): Promise<HitsData> {
  const { config } = call.services;
  const identity = [...fingerprint(question, args), several.projects.map(({ name }) => name)];
  const offset = decodeCursor(identity, args.cursor);
  const page = { offset: 0, limit: offset + args.limit, isWholeList: true };
  const { answers, projects, failed } = await askProjects(several, args, call, async (place) => {
    const found = await ask({ ...codeRequest(args, config), ...placeOf(place), ...page });
    const { projectId, total, metadata } = found;
    const answer = withPrefix(await maskedAnswer(found, place.root, config), place.prefix);
    return { answer, part: { projectId, total, metadata } };
  });
  const answer = mergeAnswers(answers, { offset, limit: args.limit });
  return {
    ...shownAs(args, config),
    answer: failed === undefined ? answer : { ...answer, metadata: { ...answer.metadata, ...PARTIAL } },
    projects,
    filters: filtersOf(args, call),
    cursorAfter: (shown) => encodeCursor(identity, offset + shown),
  };
}

const PARTIAL = { result_completeness: "partial" } as const;

/** Leaves out how often definitions of a dependency are used: inside of it, which says nothing about the workspace. */
function withoutUses(answer: CodeAnswer): CodeAnswer {
  return { ...answer, hits: answer.hits.map(({ uses: _uses, ...hit }) => hit) };
}
