import { required, words } from "../schema/field.ts";
import { defineTool, READ_ONLY } from "../tool.ts";
import {
  checkCodeFields,
  CODE_ALIASES,
  codeFields,
  codeRequest,
  hitsData,
  indexProgress,
  maskedAnswer,
} from "./code-fields.ts";

export const locateSymbolTool = defineTool({
  name: "locate_symbol",
  title: "Locate a symbol",
  toolset: "code",
  description: "Where a name or Class.method is defined, with signature and lines.",
  annotations: READ_ONLY,
  fields: { name: required(words()), ...codeFields },
  aliases: { ...CODE_ALIASES, symbol: "name", query: "name" },
  maxTokens: 1_000,
  check: (args) => checkCodeFields(args),
  async handle(args, call) {
    const { services, workspace, signal } = call;
    const request = codeRequest(args.name, args, services.config);
    const index = await services.index();
    const found = await index.locate({
      ...request,
      name: args.name,
      root: workspace.absolute,
      onProgress: indexProgress(call),
      signal,
    });
    const answer = await maskedAnswer(found, workspace.absolute, services.config);
    return { data: hitsData(args.name, args, services.config, answer) };
  },
  render: async (data, view) => (await import("../../render/code/hits.ts")).renderHits(data, view),
});
