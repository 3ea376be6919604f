import { defineBuildTool } from "../../tool.ts";
import { PhpstanParser, phpstanReport } from "./parse.ts";

export const phpstan = defineBuildTool({
  id: "phpstan",
  title: "PHPStan",
  url: "https://phpstan.org",
  ecosystem: "php",
  kinds: ["lint"],
  signatures: [" ------ ", "  Line   ", ".php:", " -- ---"],
  priority: -1,
  parser: (sink) => new PhpstanParser(sink),
  document: phpstanReport,
  commands: [
    {
      name: "phpstan.check",
      description: "Analyse the PHP files",
      detect: (folder) =>
        ["phpstan.neon", "phpstan.neon.dist", "phpstan.dist.neon"].some((name) => folder.has(name))
          ? "it has a phpstan.neon"
          : undefined,
      argv: () => ["vendor/bin/phpstan", "analyse", "--no-progress"],
    },
  ],
});
