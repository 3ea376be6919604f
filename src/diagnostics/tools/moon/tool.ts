import { defineBuildTool } from "../../tool.ts";

export const moon = defineBuildTool({
  id: "moon",
  title: "moon",
  url: "https://moonrepo.dev",
  ecosystem: "js",
  kinds: ["build", "test", "run"],
  signatures: ["▮▮▮▮ ", "task_runner::", "project_graph::", "  × "],
  priority: 5,
  format: {
    // Matches the line above an error, which is its code, for example task_runner::run_failed.
    sections: [
      { pattern: /^(?:Error: )?(?<code>[a-z][a-z_]{1,60}(?:::[a-z][a-z_]{1,60}){1,4})$/, until: /\S/ },
    ],
    complaints: [{ pattern: /^ {2}× (?<message>\S.*)$/, inSection: true }],
    continuation: [
      /^ {1,4}help: (?<help>.*)$/,
      // Matches the causes of an error and further lines of its message.
      /^ {2}(?:[╰├]─▶ |│ | {2})(?<message>\S.*)$/u,
      /^\s*$/,
    ],
    noise: /^▮{4} \S|^Tasks: \d+ |^ Time: \d/,
  },
  commands: [
    {
      name: "moon.build",
      description: "Build all projects",
      detect: (folder) => (folder.has(".moon") ? ".moon is here" : undefined),
      argv: () => ["npx", "--no-install", "moon", "run", ":build"],
    },
  ],
});
