import { keysOfSection } from "../../parsing/json.ts";
import { defineBuildTool } from "../../tool.ts";
import { ComposerParser } from "./parse.ts";

export const composer = defineBuildTool({
  id: "composer",
  title: "Composer",
  url: "https://getcomposer.org",
  ecosystem: "php",
  kinds: ["install"],
  signatures: [
    "Your requirements could not be resolved",
    "Your lock file ",
    ".php line ",
    " returned with error code ",
    "composer",
    "is abandoned, ",
  ],
  parser: (sink) => new ComposerParser(sink),
  commands: [
    {
      name: "composer.install",
      description: "Install the packages",
      detect: (folder) => (folder.has("composer.json") ? "composer.json is here" : undefined),
      argv: () => ["composer", "install", "--no-interaction", "--no-progress"],
    },
  ],
  manifests: ["composer.json"],
  targets: {
    command: "composer run",
    files: ["composer.json"],
    above: false,
    names: (text) => keysOfSection(text, "scripts"),
  },
});
