import { defineBuildTool } from "../../tool.ts";

export const ansibleLint = defineBuildTool({
  id: "ansible-lint",
  title: "ansible-lint",
  url: "https://ansible.readthedocs.io/projects/lint",
  ecosystem: "infra",
  kinds: ["lint"],
  signatures: ["violation(s) that are fatal", "]: ", ".yml:", ".yaml:"],
  priority: 2,
  format: {
    complaints: [
      // Matches the format of versions before 5: main.yml:1: [E201] Trailing whitespace
      /^(?<file>\S.{0,1000}?\.ya?ml):(?<line>\d{1,9}):(?:(?<column>\d{1,9}):)? ?\[(?<code>[EW](?:ANSIBLE)?\d{3,4})\] (?<message>.*)$/,
      // Matches the format since version 5, which itself prints no colon after the rule.
      /^(?<file>\S.{0,1000}?\.ya?ml):(?<line>\d{1,9}):(?:(?<column>\d{1,9}):)? ?(?<code>[a-z][a-z-]{1,60}\[[\w.,/ -]{1,100}\]|(?:name|yaml|fqcn|syntax-check|jinja|risky-|no-|var-|package-|command-|key-|meta-|role-|schema|deprecated-|ignore-|latest|literal-|load-|parser-|partial-|internal-|args|galaxy|loop-|only-|playbook-|run-|sanity|avoid-|complexity|inline-)[a-z-]{0,60}):? (?<message>\S.*?)(?<severity> \(warning\))?$/,
      // Matches a rule and message whose location follows on the next line: play.yml:5:16
      {
        pattern:
          /^(?<code>[a-z][a-z-]{1,60}\[[\w.,/ -]{1,100}\]|(?:name|yaml|fqcn|syntax-check|jinja|risky-|no-|var-|package-|command-|key-|meta-|role-|schema|deprecated-|ignore-|latest|literal-|load-|parser-|partial-|internal-|args|galaxy|loop-|only-|playbook-|run-|sanity|avoid-|complexity|inline-)[a-z-]{0,60}): (?<message>.*?)(?<severity> \(warning\))?$/,
        unproven: true,
      },
    ],
    severities: { " (warning)": "warning" },
    continuation: [
      /^(?<file>\S.{0,1000}?\.(?:ya?ml|cfg|ini|j2|py|yml\.\w+)):(?<line>\d{1,9})(?::(?<column>\d{1,9}))?(?: .*)?$/,
    ],
    noise: /^(?:WARNING|ERROR) {2}Listing \d+ violation\(s\) that are fatal$/,
  },
  commands: [
    {
      name: "ansible-lint.check",
      description: "Check the playbooks and roles",
      detect: (folder) => (folder.has(".ansible-lint") ? ".ansible-lint is here" : undefined),
      argv: () => ["ansible-lint", "--nocolor", "-p"],
    },
  ],
});
