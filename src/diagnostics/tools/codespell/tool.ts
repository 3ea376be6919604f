import { defineBuildTool } from "../../tool.ts";

export const codespell = defineBuildTool({
  id: "codespell",
  title: "codespell",
  url: "https://github.com/codespell-project/codespell",
  ecosystem: "general",
  kinds: ["lint"],
  signatures: [" ==> "],
  format: {
    complaints: [/^(?:\.\/)?(?<file>\S.{0,1000}?):(?<line>\d{1,9}): (?<message>\S{1,200} ==> .*)$/],
  },
});
