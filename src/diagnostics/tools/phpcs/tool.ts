import { defineBuildTool } from "../../tool.ts";

export const phpcs = defineBuildTool({
  id: "phpcs",
  title: "PHP_CodeSniffer",
  url: "https://github.com/PHPCSStandards/PHP_CodeSniffer",
  ecosystem: "php",
  kinds: ["lint", "format"],
  signatures: ["FILE: ", ": error - ", ": warning - ", "; Memory: "],
  format: {
    sections: [/^FILE: (?<file>.{1,1000}?)\s*$/],
    complaints: [
      {
        pattern: /^ {1,9}(?<line>\d{1,9}) \| (?<severity>ERROR|WARNING) {0,3}\| \[x\] (?<message>.*)$/,
        help: "fixable with phpcbf",
        inSection: true,
      },
      {
        pattern: /^ {1,9}(?<line>\d{1,9}) \| (?<severity>ERROR|WARNING) {0,3}\| (?:\[ \] )?(?<message>.*)$/,
        inSection: true,
      },
      // This pattern and the next one match the report "code".
      {
        pattern: /^LINE {1,9}(?<line>\d{1,9}): (?<severity>ERROR|WARNING) {1,3}\[x\] (?<message>.*)$/,
        help: "fixable with phpcbf",
        inSection: true,
      },
      {
        pattern: /^LINE {1,9}(?<line>\d{1,9}): (?<severity>ERROR|WARNING) {1,3}(?:\[ \] )?(?<message>.*)$/,
        inSection: true,
      },
      // Matches the report "emacs". The file's extension is required because Javadoc prints the same format for Java
      // files.
      /^(?<file>\S.{0,1000}?\.(?:php\d?|phtml|inc|js|css|module|install|theme|profile|tpl)):(?<line>\d{1,9}):(?:(?<column>\d{1,9}):)? (?<severity>error|warning) - (?<message>.*)$/,
    ],
    // Matches the further lines of a long message, which PHP_CodeSniffer wraps.
    continuation: [
      { pattern: /^ {1,12}\| {3,12}\| {1,6}(?<message>\S.*)$/, join: " " },
      { pattern: /^ {16,40}(?<message>\S.*)$/, join: " " },
    ],
    // With the option -s, the message ends with the name of the sniff (the rule).
    inMessage: [/^(?<message>[\s\S]*?) ?\((?<code>\w+(?:\.\w+){2,4})\)$/],
    noise:
      /^(?:-{20,}|FOUND \d+ (?:ERROR|WARNING).*|PHPCBF CAN FIX .*|NO (?:FIXABLE )?ERRORS.*|Time: [\d.]+.*; Memory: .*|[.EWS]{1,60} {1,60}\d+ \/ \d+ \(\d+%\))$/,
    // Matches the source lines that are printed around a complaint.
    noiseOnceSeen: /^(?:>>| {2}) {1,9}\d{1,9}:(?: |$)/,
  },
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
