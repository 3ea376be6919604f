import { defineBuildTool } from "../../tool.ts";
import { tapParser } from "./parse.ts";

export const tap = defineBuildTool({
  id: "tap",
  title: "TAP 13 and 14",
  url: "https://testanything.org",
  ecosystem: "general",
  kinds: ["test"],
  programs: ["node", "tap", "tape"],
  signatures: ["TAP version ", "not ok ", "ok 1"],
  parser: tapParser,
  rerun: "node --test",
});
