import { defineBuildTool } from "../../tool.ts";
import { parseCodeQuality } from "./parse.ts";

export const gitlabCodeQuality = defineBuildTool({
  id: "gitlab-code-quality",
  title: "GitLab code quality report",
  url: "https://docs.gitlab.com/ci/testing/code_quality/",
  ecosystem: "general",
  kinds: ["lint"],
  signatures: [],
  document: {
    matches: (start) =>
      start.startsWith("[") && start.includes('"description"') && /"(?:fingerprint|check_name)"/.test(start),
    parse: parseCodeQuality,
  },
});
