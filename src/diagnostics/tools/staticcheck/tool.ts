import { defineBuildTool } from "../../tool.ts";
import { staticcheckParser } from "./parse.ts";

export const staticcheck = defineBuildTool({
  id: "staticcheck",
  title: "Staticcheck",
  url: "https://staticcheck.dev",
  ecosystem: "go",
  kinds: ["lint"],
  signatures: [
    " (SA",
    " (ST1",
    " (S1",
    " (U1000)",
    " (QF1",
    " (compile)",
    '{"code":"',
    "  SA",
    "  S1",
    "  ST1",
    "  U1000",
    "  QF1",
  ],
  priority: 6,
  parser: staticcheckParser,
  commands: [
    {
      name: "staticcheck.check",
      description: "Lint all packages",
      detect: (folder) =>
        folder.nearest("staticcheck.conf") === undefined ? undefined : "staticcheck.conf is here",
      argv: () => ["staticcheck", "./..."],
    },
  ],
});
