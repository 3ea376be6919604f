import { defineBuildTool } from "../../tool.ts";
import { ShellcheckParser, shellcheckReport } from "./parse.ts";

export const shellcheck = defineBuildTool({
  id: "shellcheck",
  title: "ShellCheck",
  url: "https://www.shellcheck.net",
  ecosystem: "infra",
  kinds: ["lint"],
  signatures: ["-- SC", "^ SC", " [SC", "openBinaryFile", "shellcheck.net/wiki"],
  priority: 12,
  parser: (sink) => new ShellcheckParser(sink),
  document: shellcheckReport,
  commands: [
    {
      name: "shellcheck.check",
      description: "Check the shell scripts of the folder",
      detect: (folder) => (folder.has("*.sh") ? "*.sh files are here" : undefined),
      argv: () => ["sh", "-c", "exec shellcheck -- *.sh"],
    },
  ],
  ruleNames: /^SC\d{4}$/,
});
