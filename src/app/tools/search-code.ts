import { answerCode } from "../answers/answer-code.ts";
import type { ChangesData } from "../../render/code/changes/changes.ts";
import type { OverviewData } from "../../render/code/overview.ts";
import type { OverviewsData } from "../../render/code/overviews.ts";
import type { HitsData } from "../../render/code/hits-data.ts";
import { choice, hidden, required, text, words } from "../schema/field.ts";
import { defineTool, READ_ONLY, type Reply } from "../tool.ts";
import type { RelationData } from "../../render/code/relations.ts";
import { answerChanges } from "../answers/answer-changes.ts";
import { overviewForQuery } from "../answers/answer-overview.ts";
import { answerRelationQuestion } from "../answers/answer-relation.ts";
import { checkCodeFields, CODE_ALIASES, codeFields, indexProgress } from "./code-fields.ts";

type Found = HitsData | ChangesData | OverviewData | OverviewsData | RelationData;

export const searchCodeTool = defineTool({
  name: "search_code",
  title: "Search code",
  toolset: "code",
  description:
    'Finds the code for a question, issue text, error, name, path or "phrase", best first, with line ranges for read. Always up to date with the files.',
  searchHint:
    "find code semantic search codebase repository repo question natural language query where what which how why is handled implemented implementation look up in at feature concept keyword logic relevant related text error message stack trace issue similar example snippet snippets files about explore unfamiliar understand changes overview entry point of an the to for on by with",
  annotations: READ_ONLY,
  fields: {
    query: required(words()),
    ...codeFields,
    mode: hidden(choice(["auto", "lexical", "semantic", "hybrid"])),
    changes: hidden(text("REF..REF, --staged, or empty for the working tree")),
  },
  fieldsFor: (config) => (config["search.semantic"].provider === "off" ? [] : ["mode"]),
  aliases: { ...CODE_ALIASES, result_id: "query", chunk_id: "query" },
  slimFields: ["query", "path", "kind", "limit", "detail_level", "cursor"],
  dependencies: "folders",
  severalProjects: true,
  maxTokens: 2_000,
  alwaysLoad: true,
  check: (args) => checkCodeFields(args),
  async handle(args, call): Promise<Reply<Found>> {
    const changed = await answerChanges(args, args, call);
    if (changed !== undefined) return { data: changed };
    const map = await overviewForQuery(args.query, args, call);
    if (map !== undefined) return { data: map };
    const related = await answerRelationQuestion(args.query, args, call);
    if (related !== undefined) return { data: related };
    const { services, signal } = call;
    const { mode } = args;
    const question = mode === undefined ? args.query : `${mode} ${args.query}`;
    const index = await services.index();
    const data = await answerCode(question, args, call, (request) =>
      index.search({
        ...request,
        query: args.query,
        ...(mode !== undefined && { mode }),
        onProgress: indexProgress(call),
        signal,
      }),
    );
    return { data };
  },
  async render(data, view) {
    if ("changes" in data)
      return (await import("../../render/code/changes/changes.ts")).renderChanges(data, view);
    if ("overview" in data) return (await import("../../render/code/overview.ts")).renderOverview(data, view);
    if ("overviews" in data)
      return (await import("../../render/code/overviews.ts")).renderOverviews(data, view);
    if ("related" in data)
      return (await import("../../render/code/relations.ts")).renderRelations(data, view);
    return (await import("../../render/code/hits.ts")).renderHits(data, view);
  },
});
