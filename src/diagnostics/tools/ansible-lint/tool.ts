import { defineBuildTool } from "../../tool.ts";
import { AnsibleLintParser } from "./parse.ts";

export const ansibleLint = defineBuildTool({
  id: "ansible-lint",
  title: "ansible-lint",
  url: "https://ansible.readthedocs.io/projects/lint",
  ecosystem: "infra",
  kinds: ["lint"],
  signatures: ["violation(s) that are fatal", "]: ", ".yml:", ".yaml:"],
  priority: 2,
  parser: (sink) => new AnsibleLintParser(sink),
  commands: [
    {
      name: "ansible-lint.check",
      description: "Check the playbooks and roles",
      detect: (folder) => (folder.has(".ansible-lint") ? ".ansible-lint is here" : undefined),
      argv: () => ["ansible-lint", "--nocolor", "-p"],
    },
  ],
});
