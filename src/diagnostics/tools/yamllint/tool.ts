import { defineBuildTool } from "../../tool.ts";

export const yamllint = defineBuildTool({
  id: "yamllint",
  title: "yamllint",
  url: "https://yamllint.readthedocs.io",
  ecosystem: "infra",
  kinds: ["lint"],
  signatures: [".yaml", ".yml", ": [error] ", ": [warning] "],
  priority: 11,
  format: {
    complaints: [
      {
        pattern:
          /^ {0,2}(?<line>\d{1,9}):(?<column>\d{1,9}) {1,12}(?<severity>error|warning) {1,4}(?<message>.*?) {1,2}\((?<code>[\w-]+)\)$/,
        inSection: true,
      },
      // Matches the format "parsable".
      /^(?<file>\S.{0,1000}?):(?<line>\d{1,9}):(?<column>\d{1,9}): \[(?<severity>error|warning)\] (?<message>.*?)(?: \((?<code>[\w-]+)\))?$/,
    ],
    sections: [
      { pattern: /^(?!.* [-/])(?<file>[^:]{1,300}\.ya?ml)$/, until: /./ },
      // Matches a file name with any other extension, which is recognised only by the rows below it.
      { pattern: /^(?<file>\S.{0,998})$/, until: /./, unproven: true },
    ],
  },
  commands: [
    {
      name: "yamllint.check",
      description: "Check the YAML files",
      detect: (folder) =>
        folder.has(".yamllint") || folder.has(".yamllint.yml") || folder.has(".yamllint.yaml")
          ? "it has a .yamllint"
          : undefined,
      argv: () => ["yamllint", "."],
    },
  ],
});
