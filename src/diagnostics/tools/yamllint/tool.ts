import { defineBuildTool } from "../../tool.ts";
import { YamllintParser } from "./parse.ts";

export const yamllint = defineBuildTool({
  id: "yamllint",
  title: "yamllint",
  url: "https://yamllint.readthedocs.io",
  ecosystem: "infra",
  kinds: ["lint"],
  signatures: [".yaml", ".yml", ": [error] ", ": [warning] "],
  priority: 11,
  parser: (sink) => new YamllintParser(sink),
  commands: [
    {
      name: "yamllint.check",
      description: "Check the YAML files",
      detect: (folder) =>
        folder.has(".yamllint") || folder.has(".yamllint.yml") || folder.has(".yamllint.yaml")
          ? "it has a .yamllint"
          : undefined,
      argv: () => ["yamllint", "."],
    },
  ],
});
