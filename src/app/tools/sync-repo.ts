import { workspace } from "../common-fields.ts";
import { flag, hidden, text } from "../schema/field.ts";
import { defineTool, READ_ONLY } from "../tool.ts";

export const syncRepoTool = defineTool({
  name: "sync_repo",
  title: "Bring the index up to date",
  toolset: "index",
  description: "Bring all changes into the index.",
  searchHint: "sync update refresh stale out of date changes working tree",
  annotations: READ_ONLY,
  fields: { workspace, ref: text(), force: flag(), wait_for_embeddings: hidden(flag()) },
  aliases: { repo_path: "workspace", force_reindex: "force" },
  maxTokens: 1_000,
  async handle(args, call) {
    const { services, workspace: folder, signal } = call;
    const index = await services.index();
    const report = await index.index({
      root: folder.absolute,
      ...(args.ref !== undefined && { ref: args.ref }),
      ...(args.force !== undefined && { force: args.force }),
      onProgress: (done, total) => call.progress("syncing", done, total),
      ...(args.wait_for_embeddings === true && {
        onEmbedding: (done: number, total: number) => call.progress("embedding", done, total),
      }),
      answerMs: services.config.server.answer_timeout_ms,
      signal,
    });
    return { data: { report, level: "concise" } as const };
  },
  render: async (data, view) =>
    (await import("../../render/code/index-report.ts")).renderIndexReport(data, view),
});
