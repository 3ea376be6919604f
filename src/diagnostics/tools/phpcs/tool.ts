import { defineBuildTool } from "../../tool.ts";
import { PhpcsParser } from "./parse.ts";

export const phpcs = defineBuildTool({
  id: "phpcs",
  title: "PHP_CodeSniffer",
  url: "https://github.com/PHPCSStandards/PHP_CodeSniffer",
  ecosystem: "php",
  kinds: ["lint", "format"],
  signatures: ["FILE: ", ": error - ", ": warning - ", "; Memory: "],
  parser: (sink) => new PhpcsParser(sink),
  commands: [
    {
      name: "phpcs.check",
      description: "Check the style of the PHP files",
      detect: (folder) =>
        ["phpcs.xml", "phpcs.xml.dist", ".phpcs.xml", ".phpcs.xml.dist"].some((name) => folder.has(name))
          ? "it has a phpcs.xml"
          : undefined,
      argv: () => ["vendor/bin/phpcs", "-s"],
    },
  ],
});
