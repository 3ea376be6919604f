import { defineBuildTool } from "../../tool.ts";
import { hadolintParser } from "./parse.ts";
import { hadolintReport } from "./report.ts";

export const hadolint = defineBuildTool({
  id: "hadolint",
  title: "Hadolint",
  url: "https://github.com/hadolint/hadolint",
  ecosystem: "infra",
  kinds: ["lint"],
  signatures: [" DL3", " DL4", " DL1", " SC1", " SC2", " SC3", "Dockerfile:", "hadolint:"],
  parser: hadolintParser,
  document: hadolintReport,
  commands: [
    {
      name: "hadolint.check",
      description: "Check the Dockerfile",
      detect: (folder) => (folder.has("Dockerfile") ? "Dockerfile is here" : undefined),
      argv: () => ["hadolint", "Dockerfile"],
    },
  ],
});
