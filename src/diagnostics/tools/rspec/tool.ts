import { defineBuildTool } from "../../tool.ts";
import { rspecParser, rspecReport } from "./parse.ts";

export const rspec = defineBuildTool({
  id: "rspec",
  title: "RSpec",
  url: "https://rspec.info",
  ecosystem: "ruby",
  kinds: ["test"],
  programs: ["rspec"],
  signatures: [
    "Failures:",
    "Failed examples:",
    " examples, ",
    " example, ",
    "An error occurred while loading",
    "An error occurred in a",
    "_spec.rb:",
  ],
  parser: rspecParser,
  document: rspecReport,
  commands: [
    {
      name: "rspec.test",
      description: "Run the specs",
      detect: (folder) => (folder.has(".rspec") || folder.has("spec") ? "it has specs" : undefined),
      argv: (folder) => (folder.nearest("Gemfile") === undefined ? ["rspec"] : ["bundle", "exec", "rspec"]),
    },
  ],
  rerun: "rspec",
  selectTests: {
    filter: (text) => ["-e", text],
    package: (name) => [name],
    files: (argv, paths) => [...argv, ...paths],
  },
});
