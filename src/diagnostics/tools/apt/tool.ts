import { defineBuildTool } from "../../tool.ts";
import { aptParser } from "./parse.ts";

export const apt = defineBuildTool({
  id: "apt",
  title: "apt and dpkg",
  url: "https://wiki.debian.org/Apt",
  ecosystem: "infra",
  kinds: ["install"],
  signatures: ["E: ", "W: ", "dpkg: "],
  priority: 2,
  parser: aptParser,
});
