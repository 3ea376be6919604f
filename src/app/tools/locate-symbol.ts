import type { NamedHits, HitsByName } from "../../render/code/hits-by-name.ts";
import type { HitsData } from "../../render/code/hits-data.ts";
import { PithError } from "../../kernel/errors.ts";
import { answerCode } from "../answers/answer-code.ts";
import { RELATIONS } from "../../model/relation.ts";
import type { RelationData } from "../../render/code/relations.ts";
import { answerRelation } from "../answers/answer-relation.ts";
import { choice, names, required } from "../schema/field.ts";
import { type Call, defineTool, READ_ONLY, type Reply } from "../tool.ts";
import {
  checkCodeFields,
  CODE_ALIASES,
  codeFields,
  type CodeValues,
  filtersOf,
  indexProgress,
} from "./code-fields.ts";

/** The most names in one call. They share the budget of the reply. */
const MAX_NAMES = 20;

export const locateSymbolTool = defineTool({
  name: "locate_symbol",
  title: "Locate a symbol",
  toolset: "code",
  description: "Where names are defined, or one relation.",
  searchHint:
    "go to definition definitions goto declaration declared jump find resolve symbol lookup identifier function class method type interface struct enum trait variable constant property field name module defined defines where is who calls called used references reference callers caller callees usages usage uses dependents implementations subclasses inherits extends overrides call hierarchy graph tests impact affected signature docs workspace symbols lsp of in an the for on by with",
  annotations: READ_ONLY,
  fields: { name: required(names(MAX_NAMES)), relation: choice(RELATIONS), ...codeFields },
  aliases: { ...CODE_ALIASES, symbol: "name", query: "name", names: "name", symbols: "name" },
  dependencies: "folders",
  severalProjects: true,
  maxTokens: 1_000,
  check: (args) => checkCodeFields(args),
  async handle(args, call): Promise<Reply<HitsData | HitsByName | RelationData>> {
    const { splitNames } = await import("../../index/query/split-names.ts");
    const wanted = [...new Set(args.name.flatMap(splitNames))];
    const [only = ""] = wanted;
    if (args.relation !== undefined) {
      if (wanted.length > 1)
        throw new PithError("invalid_input", "a relation goes with one name only", {
          field: "relation",
        });
      return { data: await answerRelation(only, args.relation, args, call) };
    }
    if (wanted.length === 1) return { data: await locate(only, args, call) };
    if (wanted.length > MAX_NAMES)
      throw new PithError("invalid_input", `${wanted.length} names; at most ${MAX_NAMES} at once`);
    if (args.cursor !== undefined)
      throw new PithError("invalid_input", "a cursor goes with one name only", {
        suggestion: "Repeat the call that the last reply names for more results of one name.",
      });
    const filters = filtersOf(args, call);
    const found: NamedHits[] = [];
    for (const name of wanted)
      found.push({ ...(await locate(name, args, call)), requestedName: name, filters });
    return { data: { names: found } };
  },
  render: async (data, view) =>
    "related" in data
      ? (await import("../../render/code/relations.ts")).renderRelations(data, view)
      : "names" in data
        ? (await import("../../render/code/hits-by-name.ts")).renderHitsByName(data, view)
        : (await import("../../render/code/hits.ts")).renderHits(data, view),
});

async function locate(name: string, args: CodeValues, call: Call): Promise<HitsData> {
  const { services, signal } = call;
  const index = await services.index();
  return answerCode(name, args, call, (request) =>
    index.locate({ ...request, name, onProgress: indexProgress(call), signal }),
  );
}
