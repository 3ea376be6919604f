import { defineBuildTool } from "../../tool.ts";
import { hasMixFile } from "../mix/tool.ts";
import { ExunitParser } from "./parse.ts";

export const exunit = defineBuildTool({
  id: "exunit",
  title: "ExUnit (mix test)",
  url: "https://hexdocs.pm/ex_unit",
  ecosystem: "general",
  kinds: ["test"],
  signatures: [") test ", ") doctest ", " tests, ", " test, ", ") property "],
  priority: 1,
  parser: (sink) => new ExunitParser(sink),
  commands: [
    {
      name: "mix.test",
      description: "Run the tests",
      detect: hasMixFile,
      argv: () => ["mix", "test"],
    },
  ],
  rerun: "mix test",
  ownsIndented: /^ {1,4}\d{1,6}\) (?:doc)?test .{1,500} \([\w.]{1,300}\)$/,
});
