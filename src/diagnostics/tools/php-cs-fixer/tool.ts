import { defineBuildTool } from "../../tool.ts";

export const phpCsFixer = defineBuildTool({
  id: "php-cs-fixer",
  title: "PHP CS Fixer",
  url: "https://cs.symfony.com",
  ecosystem: "php",
  kinds: ["format"],
  signatures: ["PHP CS Fixer", "files that can be fixed in", "Loaded config "],
  format: {
    sections: [
      {
        pattern:
          /^(?:PHP CS Fixer .*|PHP runtime: .*|Running analysis on .*|Loaded config .*|Using cache file .*)$/,
        until: /^(?:Found|Fixed) \d+ of \d+ files /,
      },
    ],
    complaints: [
      {
        pattern: /^ {1,6}\d{1,6}\) (?<file>\S.{0,1000}?) \((?<rules>[\w/ ,]{1,2000})\)$/,
        message: "not formatted: {rules}",
        inSection: true,
      },
      { pattern: /^ {1,6}\d{1,6}\) (?<file>\S.{0,1000}?)$/, message: "not formatted", inSection: true },
    ],
    noise: /^(?:Found \d+ of \d+ files that can be fixed in .*|Fixed \d+ of \d+ files in .*)$/,
  },
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
