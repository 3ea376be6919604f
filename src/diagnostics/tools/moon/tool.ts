import { defineBuildTool } from "../../tool.ts";
import { moonParser } from "./parse.ts";

export const moon = defineBuildTool({
  id: "moon",
  title: "moon",
  url: "https://moonrepo.dev",
  ecosystem: "js",
  kinds: ["build", "test", "run"],
  signatures: ["▮▮▮▮ ", "task_runner::", "project_graph::", "  × "],
  priority: 5,
  parser: moonParser,
  commands: [
    {
      name: "moon.build",
      description: "Build all projects",
      detect: (folder) => (folder.has(".moon") ? ".moon is here" : undefined),
      argv: () => ["npx", "--no-install", "moon", "run", ":build"],
    },
  ],
});
