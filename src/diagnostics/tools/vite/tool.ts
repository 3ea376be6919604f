import { defineBuildTool } from "../../tool.ts";
import { viteParser } from "./parse.ts";

export const vite = defineBuildTool({
  id: "vite",
  title: "Vite",
  url: "https://vite.dev",
  ecosystem: "js",
  kinds: ["build"],
  signatures: ["error during build:", " building "],
  priority: 5,
  parser: viteParser,
  commands: [
    {
      name: "vite.build",
      description: "Build for production",
      detect: (folder) =>
        folder.packageJson?.dependencies["vite"] === undefined ? undefined : "package.json depends on vite",
      argv: () => ["npx", "--no-install", "vite", "build"],
    },
  ],
});
