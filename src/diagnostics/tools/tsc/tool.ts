import { typescriptStage } from "./stages.ts";
import { defineBuildTool } from "../../tool.ts";
import { tscParser } from "./parse.ts";

export const tsc = defineBuildTool({
  id: "tsc",
  title: "TypeScript compiler",
  url: "https://www.typescriptlang.org",
  ecosystem: "js",
  kinds: ["build", "lint"],
  programs: ["tsc", "vue-tsc"],
  aliases: ["typescript"],
  signatures: ["error TS", "warning TS", "message TS", "error NG", "warning NG", "error ts(", "warning ts("],
  priority: 10,
  parser: tscParser,
  commands: [
    {
      name: "tsc",
      description: "Type check without writing files",
      detect: (folder) => (folder.has("tsconfig.json") ? "tsconfig.json is here" : undefined),
      argv: () => ["npx", "--no-install", "tsc", "--noEmit"],
    },
  ],
  ruleNames: /^TS\d{4,5}$/,
  opens: /^[^\s'"`(]{1,300}\(\d+,\d+\): (?:error|warning) TS\d+: /,
  stageOf: typescriptStage,
});
