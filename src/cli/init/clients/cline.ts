import { join } from "node:path";
import { applicationData, type Client, servingWorkspace } from "../client.ts";

export const cline: Client = {
  id: "cline",
  title: "Cline",
  format: "json",
  userOnly: true,
  // The first file is shared by Cline's command line and newer editor extensions, the second is that of older extensions.
  files: (_, places) => {
    const shared = join(places.home, ".cline", "data", "settings", "cline_mcp_settings.json");
    const extension = ["Code", "User", "globalStorage", "saoudrizwan.claude-dev", "settings"];
    return [shared, join(applicationData(places), ...extension, "cline_mcp_settings.json")];
  },
  signs: (places) => [
    join(places.workspace, ".clinerules"),
    join(places.home, ".cline"),
    join(applicationData(places), "Code", "User", "globalStorage", "saoudrizwan.claude-dev"),
  ],
  container: () => ["mcpServers"],
  entry: (server, places) => ({ ...servingWorkspace(server, places), disabled: false }),
};
