import { defineBuildTool } from "../../tool.ts";
import { RubocopParser, rubocopReport } from "./parse.ts";

export const rubocop = defineBuildTool({
  id: "rubocop",
  title: "RuboCop and Standard Ruby",
  url: "https://docs.rubocop.org",
  ecosystem: "ruby",
  kinds: ["lint", "format"],
  signatures: [
    ": C: ",
    ": W: ",
    ": E: ",
    ": F: ",
    ": R: ",
    ": I: ",
    "Inspecting ",
    "standard: ",
    " inspected, ",
    "[Correctable] ",
    "unrecognized cop",
    ".haml:",
    ".slim:",
  ],
  parser: (sink) => new RubocopParser(sink),
  document: rubocopReport,
  commands: [
    {
      name: "rubocop.check",
      description: "Check the style of the Ruby files",
      detect: (folder) => (folder.has(".rubocop.yml") ? ".rubocop.yml is here" : undefined),
      argv: (folder) =>
        folder.nearest("Gemfile") === undefined ? ["rubocop"] : ["bundle", "exec", "rubocop"],
    },
  ],
  ruleNames: /^(?:Layout|Style|Lint|Metrics|Naming|Security|Bundler|Gemspec|Rails)\/[A-Z]/,
});
