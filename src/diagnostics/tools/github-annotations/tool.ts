import { defineBuildTool } from "../../tool.ts";
import { annotationParser } from "./parse.ts";

export const githubAnnotations = defineBuildTool({
  id: "github-annotations",
  title: "GitHub Actions annotations",
  url: "https://docs.github.com/actions/reference/workflow-commands-for-github-actions",
  ecosystem: "general",
  kinds: ["lint", "build", "test"],
  signatures: [
    "::error",
    "::warning",
    "::notice",
    "::group",
    "::add-matcher",
    "::set-output",
    "##vso[task.logissue",
  ],
  priority: 30,
  parser: annotationParser,
});
