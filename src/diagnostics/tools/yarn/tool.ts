import { managerCommands } from "../../javascript/package-scripts.ts";
import { defineBuildTool } from "../../tool.ts";
import { yarnParser } from "./parse.ts";

export const yarn = defineBuildTool({
  id: "yarn",
  title: "Yarn",
  url: "https://yarnpkg.com",
  ecosystem: "js",
  kinds: ["install", "build", "test", "run"],
  signatures: [
    "yarn install v",
    "yarn run v",
    "yarn v",
    "yarn add v",
    "yarn upgrade v",
    "➤ ",
    "Usage Error: ",
    "Internal Error: ",
    "Unknown Syntax Error: ",
    "The command failed in workspace ",
  ],
  priority: 2,
  parser: yarnParser,
  commands: managerCommands("yarn"),
  packageManager: { lockFiles: ["yarn.lock"], rank: 2, workspace: (name) => ["workspace", name] },
});
