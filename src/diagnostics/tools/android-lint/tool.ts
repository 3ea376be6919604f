import { defineBuildTool } from "../../tool.ts";
import { androidLintParser } from "./parse.ts";

export const androidLint = defineBuildTool({
  id: "android-lint",
  title: "Android lint and AAPT",
  url: "https://developer.android.com/studio/write/lint",
  ecosystem: "java",
  kinds: ["lint", "build"],
  signatures: [": Warning: ", ": Error: ", ": Information: ", "AAPT: error", ".xml:"],
  priority: 11,
  parser: androidLintParser,
});
