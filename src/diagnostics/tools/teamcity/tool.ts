import { defineBuildTool } from "../../tool.ts";
import { TeamcityParser } from "./parse.ts";

export const teamcity = defineBuildTool({
  id: "teamcity",
  title: "TeamCity service messages",
  url: "https://www.jetbrains.com/help/teamcity/service-messages.html",
  ecosystem: "general",
  kinds: ["build", "lint", "test"],
  signatures: ["##teamcity["],
  priority: 20,
  parser: (sink) => new TeamcityParser(sink),
  repeats: "annotations",
});
