import { defineBuildTool } from "../../tool.ts";
import { detektParser } from "./parse.ts";

export const detekt = defineBuildTool({
  id: "detekt",
  title: "detekt",
  url: "https://detekt.dev",
  ecosystem: "java",
  kinds: ["lint"],
  signatures: [".kt:", ".kts:"],
  priority: 12,
  parser: detektParser,
});
