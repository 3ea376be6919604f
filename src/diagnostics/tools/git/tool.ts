import { defineBuildTool } from "../../tool.ts";
import { GitParser } from "./parse.ts";

export const git = defineBuildTool({
  id: "git",
  title: "git",
  url: "https://git-scm.com",
  ecosystem: "general",
  kinds: ["run"],
  signatures: ["fatal: ", "CONFLICT (", "rejected]", "error: ", "warning: "],
  priority: -10,
  parser: (sink) => new GitParser(sink),
});
