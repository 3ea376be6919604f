import { defineBuildTool } from "../../tool.ts";
import { webpackParser } from "./parse.ts";

export const webpack = defineBuildTool({
  id: "webpack",
  title: "webpack",
  url: "https://webpack.js.org",
  ecosystem: "js",
  kinds: ["build"],
  signatures: ["ERROR in ", "WARNING in ", "[webpack-cli] ", " compiled ", " - Error: ", " - Warning: "],
  priority: 5,
  parser: webpackParser,
  commands: [
    {
      name: "webpack.build",
      description: "Bundle",
      detect: (folder) =>
        folder.packageJson?.dependencies["webpack-cli"] === undefined
          ? undefined
          : "package.json depends on webpack-cli",
      argv: () => ["npx", "--no-install", "webpack"],
    },
  ],
});
