import { defineBuildTool } from "../../tool.ts";
import { ginkgoParser } from "./parse.ts";

export const ginkgo = defineBuildTool({
  id: "ginkgo",
  title: "Ginkgo",
  url: "https://onsi.github.io/ginkgo/",
  ecosystem: "go",
  kinds: ["test"],
  signatures: ["Running Suite: "],
  priority: 9,
  parser: ginkgoParser,
});
