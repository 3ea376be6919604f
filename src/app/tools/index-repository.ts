import { responseFormat } from "../common-fields.ts";
import { choice, flag, hidden, path, text } from "../schema/field.ts";
import { defineTool } from "../tool.ts";

export const indexRepositoryTool = defineTool({
  name: "index_repository",
  title: "Index a repository",
  toolset: "index",
  description: "Build the code index; searches do it by themselves.",
  searchHint: "index codebase reindex rebuild create code search database force refresh",
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  fields: {
    repo_path: path(),
    force_reindex: flag(),
    ref: text(),
    response_format: responseFormat,
    detail_level: choice(["concise", "detailed"], "default detailed"),
    wait_for_embeddings: hidden(flag()),
  },
  aliases: { path: "repo_path", force: "force_reindex" },
  maxTokens: 1_000,
  async handle(args, call) {
    const { services, workspace, signal } = call;
    const index = await services.index();
    const report = await index.index({
      root: args.repo_path?.absolute ?? workspace.absolute,
      ...(args.ref !== undefined && { ref: args.ref }),
      ...(args.force_reindex !== undefined && { force: args.force_reindex }),
      onProgress: (done, total) => call.progress("indexing", done, total),
      ...(args.wait_for_embeddings === true && {
        onEmbedding: (done: number, total: number) => call.progress("embedding", done, total),
      }),
      answerMs: services.config.server.answer_timeout_ms,
      signal,
    });
    return { data: { report, level: args.detail_level ?? "detailed" } };
  },
  render: async (data, view) =>
    (await import("../../render/code/index-report.ts")).renderIndexReport(data, view),
});
