import { workspace } from "../common-fields.ts";
import { text } from "../schema/field.ts";
import { defineTool, READ_ONLY } from "../tool.ts";

export const indexStatusTool = defineTool({
  name: "index_status",
  title: "State of the index",
  toolset: "index",
  description: "What is indexed and how fresh.",
  searchHint: "status progress freshness stale indexed files ready",
  annotations: READ_ONLY,
  fields: { workspace, ref: text() },
  aliases: { repo_path: "workspace" },
  maxTokens: 1_000,
  async handle(args, { services, workspace: folder }) {
    const index = await services.index();
    const status = await index.status({
      root: folder.absolute,
      ...(args.ref !== undefined && { ref: args.ref }),
    });
    return { data: status };
  },
  render: async (data, view) =>
    (await import("../../render/code/index-report.ts")).renderProjectStatus(data, view),
});
