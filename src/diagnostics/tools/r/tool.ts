import { defineBuildTool } from "../../tool.ts";
import { RParser } from "./parse.ts";

export const r = defineBuildTool({
  id: "r",
  title: "R and R CMD check",
  url: "https://www.r-project.org",
  ecosystem: "general",
  kinds: ["build", "test", "run"],
  signatures: ["* checking ", "Execution halted", "Error in ", "Warning message"],
  priority: 3,
  parser: (sink) => new RParser(sink),
  commands: [
    {
      name: "r.check",
      description: "Check the package",
      detect: (folder) =>
        folder.has("DESCRIPTION") && folder.has("NAMESPACE")
          ? "DESCRIPTION and NAMESPACE are here"
          : undefined,
      argv: () => ["R", "CMD", "check", "--no-manual", "."],
    },
  ],
});
