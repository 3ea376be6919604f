import { responseFormat, workspace } from "../common-fields.ts";
import { hidden } from "../schema/field.ts";
import { defineTool, READ_ONLY } from "../tool.ts";

export const healthCheckTool = defineTool({
  name: "health_check",
  title: "Health check",
  toolset: "index",
  description: "Whether Pith works here: store, grammars, index state.",
  searchHint: "health doctor diagnose problem broken server working self test",
  annotations: READ_ONLY,
  fields: { workspace, response_format: hidden(responseFormat) },
  maxTokens: 1_000,
  handle: async (_args, { services, workspace: folder }) => ({
    data: await services.health(folder.absolute),
  }),
  render: async (data, view) => (await import("../../render/code/health.ts")).renderHealth(data, view),
});
