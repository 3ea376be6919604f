import { defineBuildTool } from "../../tool.ts";
import { turboParser } from "./parse.ts";

export const turbo = defineBuildTool({
  id: "turbo",
  title: "Turborepo",
  url: "https://turborepo.com",
  ecosystem: "js",
  kinds: ["build", "test", "run"],
  signatures: ["Failed:    ", "Tasks:    ", "• turbo ", "• Packages in scope", "`->", "╰─▶"],
  priority: 5,
  parser: turboParser,
  commands: [
    {
      name: "turbo.build",
      description: "Build all packages",
      detect: (folder) => (folder.has("turbo.json") ? "turbo.json is here" : undefined),
      argv: () => ["npx", "--no-install", "turbo", "run", "build"],
    },
    {
      name: "turbo.test",
      description: "Test all packages",
      detect: (folder) => (folder.has("turbo.json") ? "turbo.json is here" : undefined),
      argv: () => ["npx", "--no-install", "turbo", "run", "test"],
    },
  ],
  ownsIndented: /^ {3}• (?:turbo \d|Packages in scope)/,
});
