import { join } from "node:path";
import { applicationData, type Client } from "../client.ts";

export const vscode: Client = {
  id: "vscode",
  title: "VS Code",
  format: "json",
  files: (scope, places) =>
    scope === "project"
      ? [join(places.workspace, ".vscode", "mcp.json")]
      : [join(applicationData(places), "Code", "User", "mcp.json")],
  signs: (places) => [join(places.workspace, ".vscode"), join(applicationData(places), "Code", "User")],
  container: () => ["servers"],
  entry: ({ command, args }) => ({ type: "stdio", command, args }),
  next: "Start the server with the code lens in mcp.json, and trust it when asked.",
};
