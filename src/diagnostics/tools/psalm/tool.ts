import { defineBuildTool } from "../../tool.ts";
import { PsalmParser } from "./parse.ts";
import { psalmReport } from "./report.ts";

export const psalm = defineBuildTool({
  id: "psalm",
  title: "Psalm",
  url: "https://psalm.dev",
  ecosystem: "php",
  kinds: ["lint"],
  signatures: ["psalm.dev/", "Psalm ", "ERROR: ", ":error - ", ":info - "],
  parser: (sink) => new PsalmParser(sink),
  document: psalmReport,
  commands: [
    {
      name: "psalm.check",
      description: "Analyse the PHP files",
      detect: (folder) =>
        folder.has("psalm.xml") || folder.has("psalm.xml.dist") ? "it has a psalm.xml" : undefined,
      argv: () => ["vendor/bin/psalm", "--no-progress"],
    },
  ],
});
