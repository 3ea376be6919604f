import { defineBuildTool } from "../../tool.ts";
import { KtlintParser } from "./parse.ts";
import { ktlintReport } from "./report.ts";

export const ktlint = defineBuildTool({
  id: "ktlint",
  title: "ktlint",
  url: "https://pinterest.github.io/ktlint",
  ecosystem: "java",
  kinds: ["lint", "format"],
  signatures: ["(standard:", ".kt:", ".kts:", "ktlint"],
  priority: 12,
  parser: (sink) => new KtlintParser(sink),
  document: ktlintReport,
});
