import { managerCommands } from "../../javascript/package-scripts.ts";
import { defineBuildTool } from "../../tool.ts";
import { pnpmParser } from "./parse.ts";

export const pnpm = defineBuildTool({
  id: "pnpm",
  title: "pnpm",
  url: "https://pnpm.io",
  ecosystem: "js",
  kinds: ["install", "build", "test", "run"],
  signatures: ["ERR_PNPM_", "ELIFECYCLE", "\u2009ERROR\u2009", "WARN\u2009", " WARN  ", "Progress: resolved"],
  priority: 5,
  parser: pnpmParser,
  commands: managerCommands("pnpm"),
  packageManager: { lockFiles: ["pnpm-lock.yaml"], rank: 3, workspace: (name) => ["--filter", name] },
});
