import { defineBuildTool } from "../../tool.ts";
import { OcamlParser } from "./parse.ts";

export const ocaml = defineBuildTool({
  id: "ocaml",
  title: "OCaml and dune",
  url: "https://dune.build",
  ecosystem: "general",
  kinds: ["build"],
  signatures: ['File "'],
  priority: 4,
  parser: (sink) => new OcamlParser(sink),
  commands: [
    {
      name: "dune.build",
      description: "Build the project",
      detect: (folder) => (folder.has("dune-project") ? "dune-project is here" : undefined),
      argv: () => ["dune", "build"],
    },
  ],
});
