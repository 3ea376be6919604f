import { defineBuildTool } from "../../tool.ts";
import { nextParser } from "./parse.ts";

export const next = defineBuildTool({
  id: "next",
  title: "Next.js",
  url: "https://nextjs.org",
  ecosystem: "js",
  kinds: ["build"],
  signatures: [
    "Failed to compile",
    "Compiled with warnings",
    "Turbopack build failed",
    "Linting and checking",
    "Error occurred prerendering page",
    "⨯ ",
    "▲ Next.js",
  ],
  priority: 6,
  parser: nextParser,
  commands: [
    {
      name: "next.build",
      description: "Build for production",
      detect: (folder) =>
        folder.packageJson?.dependencies["next"] === undefined ? undefined : "package.json depends on next",
      argv: () => ["npx", "--no-install", "next", "build"],
    },
  ],
  ownsIndented: /^ {3}▲ Next\.js \d/,
});
