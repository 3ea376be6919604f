import { defineBuildTool } from "../../tool.ts";
import { golangciDocument, golangciParser } from "./parse.ts";

export const golangciLint = defineBuildTool({
  id: "golangci-lint",
  title: "golangci-lint",
  url: "https://golangci-lint.run",
  ecosystem: "go",
  kinds: ["lint"],
  signatures: [".go:", "level=error", "level=warning", "level=fatal", "ERRO ", "WARN [", "ERRO["],
  priority: 3,
  parser: golangciParser,
  document: golangciDocument,
  commands: [
    {
      name: "golangci-lint.check",
      description: "Lint all packages",
      detect: (folder) => {
        const config = [".golangci.yml", ".golangci.yaml", ".golangci.toml", ".golangci.json"].find(
          (name) => folder.nearest(name) !== undefined,
        );
        return config === undefined ? undefined : `${config} is here`;
      },
      argv: () => ["golangci-lint", "run"],
    },
  ],
});
