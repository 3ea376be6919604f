import { defineBuildTool } from "../../tool.ts";
import { biomeParser, isBiomeReport, readBiomeReport } from "./parse.ts";

export const biome = defineBuildTool({
  id: "biome",
  title: "Biome",
  url: "https://biomejs.dev",
  ecosystem: "js",
  kinds: ["lint", "format"],
  signatures: ["━━━"],
  priority: 10,
  parser: biomeParser,
  document: { matches: isBiomeReport, parse: readBiomeReport },
  commands: [
    {
      name: "biome.check",
      description: "Lint and check the formatting",
      detect: (folder) => {
        if (folder.has("biome.json") || folder.has("biome.jsonc")) return "biome.json is here";
        return folder.packageJson?.dependencies["@biomejs/biome"] === undefined
          ? undefined
          : "package.json depends on @biomejs/biome";
      },
      argv: () => ["npx", "--no-install", "biome", "check"],
    },
  ],
  ruleNames: /^(?:lint|assist|parse|format)\/\w/,
});
