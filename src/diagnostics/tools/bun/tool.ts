import { managerCommands } from "../../javascript/package-scripts.ts";
import { defineBuildTool } from "../../tool.ts";
import { bunParser } from "./parse.ts";

export const bun = defineBuildTool({
  id: "bun",
  title: "Bun",
  url: "https://bun.sh",
  ecosystem: "js",
  kinds: ["install", "build", "test", "run"],
  signatures: ["bun test v", "bun install v", "bun add v", "bun update v", "error: ", "warn: ", "Error: "],
  priority: 1,
  parser: bunParser,
  commands: managerCommands("bun", ["run", "test"]),
  rerun: "bun test",
  selectTests: {
    filter: (text) => ["-t", text],
    files: (_, paths) => ["bun", "test", ...paths.map((path) => `./${path}`)],
  },
  packageManager: { lockFiles: ["bun.lock", "bun.lockb"], rank: 1, workspace: (name) => ["--filter", name] },
});
