import { defineBuildTool } from "../../tool.ts";
import { jasmineParser } from "./parse.ts";

export const jasmine = defineBuildTool({
  id: "jasmine",
  title: "Jasmine",
  url: "https://jasmine.github.io",
  ecosystem: "js",
  kinds: ["test"],
  programs: ["jasmine"],
  signatures: [" specs, ", " spec, ", "No specs found"],
  priority: 3,
  parser: jasmineParser,
  commands: [
    {
      name: "jasmine.test",
      description: "Run the specs",
      detect: (folder) =>
        folder.packageJson?.dependencies["jasmine"] === undefined
          ? undefined
          : "package.json depends on jasmine",
      argv: () => ["npx", "--no-install", "jasmine"],
    },
  ],
  rerun: "npx jasmine",
});
