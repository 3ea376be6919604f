import { defineBuildTool } from "../../tool.ts";
import { PhpCsFixerParser } from "./parse.ts";

export const phpCsFixer = defineBuildTool({
  id: "php-cs-fixer",
  title: "PHP CS Fixer",
  url: "https://cs.symfony.com",
  ecosystem: "php",
  kinds: ["format"],
  signatures: ["PHP CS Fixer", "files that can be fixed in", "Loaded config "],
  parser: (sink) => new PhpCsFixerParser(sink),
  commands: [
    {
      name: "php-cs-fixer.check",
      description: "Check the formatting of the PHP files",
      detect: (folder) =>
        folder.has(".php-cs-fixer.php") || folder.has(".php-cs-fixer.dist.php")
          ? "it has a .php-cs-fixer.php"
          : undefined,
      argv: () => ["vendor/bin/php-cs-fixer", "fix", "--dry-run", "--diff"],
    },
  ],
});
