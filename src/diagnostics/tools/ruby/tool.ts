import { defineBuildTool } from "../../tool.ts";
import { RubyParser } from "./parse.ts";

export const ruby = defineBuildTool({
  id: "ruby",
  title: "Ruby",
  url: "https://www.ruby-lang.org",
  ecosystem: "ruby",
  kinds: ["run", "lint"],
  signatures: [":in `", ":in '", ": syntax error", ".rb:", "-e:", "Syntax OK"],
  priority: -5,
  parser: (sink) => new RubyParser(sink),
});
