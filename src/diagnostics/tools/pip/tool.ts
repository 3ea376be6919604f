import { defineBuildTool } from "../../tool.ts";
import { pipParser } from "./parse.ts";
import { interpreter } from "../python/command.ts";

export const pip = defineBuildTool({
  id: "pip",
  title: "pip",
  url: "https://pip.pypa.io",
  ecosystem: "python",
  kinds: ["install"],
  signatures: [
    "No matching distribution found",
    "Could not find a version that satisfies",
    "-with-error",
    "-failed",
    "externally-managed-environment",
    "ERROR: ",
    "WARNING: Running pip",
    "pip's dependency resolver",
  ],
  priority: 4,
  parser: pipParser,
  commands: [
    {
      name: "pip.install",
      description: "Install the requirements",
      detect: (folder) => (folder.has("requirements.txt") ? "requirements.txt is here" : undefined),
      argv: () => [interpreter, "-m", "pip", "install", "-r", "requirements.txt"],
    },
  ],
});
