import { defineBuildTool } from "../../tool.ts";
import { annotationParser } from "./parse.ts";

export const githubAnnotations = defineBuildTool({
  id: "github-annotations",
  title: "GitHub Actions annotations",
  url: "https://docs.github.com/actions/reference/workflow-commands-for-github-actions",
  ecosystem: "general",
  kinds: ["lint", "build", "test"],
  signatures: ["::error", "::warning", "::notice", "::add-matcher", "::set-output", "##vso[task.logissue"],
  // Test runners read their own annotations first.
  priority: 4,
  parser: annotationParser,
  repeats: "annotations",
});
