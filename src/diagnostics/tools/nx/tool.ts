import { defineBuildTool } from "../../tool.ts";
import { nxParser } from "./parse.ts";

export const nx = defineBuildTool({
  id: "nx",
  title: "Nx",
  url: "https://nx.dev",
  ecosystem: "js",
  kinds: ["build", "test", "run"],
  signatures: ["NX  ", "✖  nx run", "Failed tasks:", "(powered by Nx)"],
  priority: 5,
  parser: nxParser,
  commands: [
    {
      name: "nx.build",
      description: "Build all projects",
      detect: (folder) => (folder.has("nx.json") ? "nx.json is here" : undefined),
      argv: () => ["npx", "--no-install", "nx", "run-many", "-t", "build"],
    },
    {
      name: "nx.test",
      description: "Test all projects",
      detect: (folder) => (folder.has("nx.json") ? "nx.json is here" : undefined),
      argv: () => ["npx", "--no-install", "nx", "run-many", "-t", "test"],
    },
  ],
});
