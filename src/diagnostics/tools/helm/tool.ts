import { defineBuildTool } from "../../tool.ts";
import { helmParser } from "./parse.ts";

export const helm = defineBuildTool({
  id: "helm",
  title: "Helm and kubectl",
  url: "https://helm.sh",
  ecosystem: "infra",
  kinds: ["lint", "run"],
  signatures: [
    "Error: ",
    "error: ",
    "Error from server",
    " is invalid: ",
    "[ERROR] templates/",
    "[WARNING] templates/",
    "[INFO] Chart.yaml",
    "[ERROR] Chart.yaml",
  ],
  priority: 3,
  parser: helmParser,
  commands: [
    {
      name: "helm.lint",
      description: "Check the chart",
      detect: (folder) => (folder.has("Chart.yaml") ? "Chart.yaml is here" : undefined),
      argv: () => ["helm", "lint", "."],
    },
  ],
});
