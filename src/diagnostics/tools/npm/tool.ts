import { managerCommands } from "../../javascript/package-scripts.ts";
import { defineBuildTool } from "../../tool.ts";
import { npmParser } from "./parse.ts";

export const npm = defineBuildTool({
  id: "npm",
  title: "npm",
  url: "https://docs.npmjs.com/cli",
  ecosystem: "js",
  kinds: ["install", "build", "test", "run"],
  signatures: ["npm error", "npm ERR!", "npm warn", "npm WARN", "npm notice", "npm verb", "npm info", "> "],
  priority: 6,
  parser: npmParser,
  commands: managerCommands("npm"),
  manifests: ["package.json"],
  packageManager: {
    lockFiles: ["package-lock.json"],
    rank: 0,
    workspace: (name) => ["-w", name],
    optionsAfterDashes: ["run", "run-script", "test", "t", "start"],
  },
});
