import { defineBuildTool } from "../../tool.ts";
import { karmaParser } from "./parse.ts";

export const karma = defineBuildTool({
  id: "karma",
  title: "Karma",
  url: "https://karma-runner.github.io",
  ecosystem: "js",
  kinds: ["test"],
  programs: ["karma"],
  signatures: [": Executed ", " FAILED", "[karma", "[launcher]", ") ERROR"],
  priority: 5,
  parser: karmaParser,
  commands: [
    {
      name: "karma.test",
      description: "Run the tests once",
      detect: (folder) => (folder.has("karma.conf.js") ? "karma.conf.js is here" : undefined),
      argv: () => ["npx", "--no-install", "karma", "start", "--single-run"],
    },
    {
      name: "ng.build",
      description: "Build the Angular application",
      detect: (folder) => (folder.has("angular.json") ? "angular.json is here" : undefined),
      argv: () => ["npx", "--no-install", "ng", "build"],
    },
    {
      name: "ng.test",
      description: "Run the Angular tests once",
      detect: (folder) => (folder.has("angular.json") ? "angular.json is here" : undefined),
      argv: () => ["npx", "--no-install", "ng", "test", "--watch=false"],
    },
  ],
});
