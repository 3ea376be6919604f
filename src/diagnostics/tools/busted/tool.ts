import { defineBuildTool } from "../../tool.ts";
import { BustedParser } from "./parse.ts";

export const busted = defineBuildTool({
  id: "busted",
  title: "busted",
  url: "https://lunarmodules.github.io/busted/",
  ecosystem: "general",
  kinds: ["test"],
  signatures: [" success / ", " successes / "],
  priority: 6,
  parser: (sink) => new BustedParser(sink),
  commands: [
    {
      name: "busted.test",
      description: "Run the tests",
      detect: (folder) => (folder.has(".busted") ? ".busted is here" : undefined),
      argv: () => ["busted"],
    },
  ],
});
