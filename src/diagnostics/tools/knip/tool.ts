import { defineBuildTool } from "../../tool.ts";
import { knipParser } from "./parse.ts";

export const knip = defineBuildTool({
  id: "knip",
  title: "Knip",
  url: "https://knip.dev",
  ecosystem: "js",
  kinds: ["lint"],
  signatures: [
    "Unused files (",
    "Unused dependencies (",
    "Unused devDependencies (",
    "Unused exports (",
    "Unused exported ",
    "Unused catalog ",
    "Unlisted ",
    "Unresolved imports (",
    "Duplicate exports (",
    "in used namespace (",
    "Referenced optional peerDependencies (",
  ],
  parser: knipParser,
});
