import { defineBuildTool } from "../../tool.ts";
import { TerraformParser, terraformReport } from "./parse.ts";

export const terraform = defineBuildTool({
  id: "terraform",
  title: "Terraform, OpenTofu and TFLint",
  url: "https://developer.hashicorp.com/terraform/cli",
  ecosystem: "infra",
  kinds: ["lint", "test", "run"],
  programs: ["terraform", "tofu"],
  aliases: ["opentofu"],
  signatures: [
    "│ Error:",
    "│ Warning:",
    "| Error:",
    '{"@level"',
    "Terraform ",
    "OpenTofu ",
    "Refreshing state...",
    ".tf line ",
    " issue(s) found:",
    ".tf.json line ",
    ".hcl line ",
    ".tfvars line ",
    ".tftest.hcl... ",
    "Initializing the backend",
    "Initializing provider plugins",
    "Success! ",
    "Failure! ",
  ],
  priority: 5,
  parser: (sink) => new TerraformParser(sink),
  document: terraformReport,
  commands: [
    {
      name: "terraform.validate",
      description: "Check the configuration",
      detect: (folder) => (folder.has("*.tf") ? "*.tf files are here" : undefined),
      argv: () => ["terraform", "validate", "-no-color"],
    },
  ],
});
