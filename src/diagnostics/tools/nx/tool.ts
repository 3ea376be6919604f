import { defineBuildTool } from "../../tool.ts";

export const nx = defineBuildTool({
  id: "nx",
  title: "Nx",
  url: "https://nx.dev",
  ecosystem: "js",
  kinds: ["build", "test", "run"],
  signatures: ["NX  ", "✖  nx run", "Failed tasks:", "(powered by Nx)"],
  priority: 5,
  format: {
    sections: [
      {
        pattern: /^ *(?:Failed tasks:|✖ +\d+\/\d+ (?:targets|tasks) failed, including the following:)$/,
        until: /\S/,
      },
    ],
    complaints: [
      // Matches the reason why Nx could not run at all.
      /^ {0,40}>? {0,40}(?:NX|Lerna \(powered by Nx\)) {2,}(?:ERROR {2,})?(?<message>(?:Cannot |Could not |Unable to |Failed to |Error: |No projects? ).*)$/,
      { pattern: /^ *- (?<task>\S+)$/, message: "Failed: {task}", inSection: true },
      { pattern: /^ *✖ {1,4}nx run (?<task>\S+)/, message: "Failed: {task}" },
    ],
    noise:
      /^ {0,40}>? {0,40}(?:NX|Lerna \(powered by Nx\)) {2,}\S|^(?:Output of \d+ successful tasks|Hint: run the command with --verbose| {2}(?:Run duration|Cache|Critical path|Recoverable time): )/,
  },
  commands: [
    {
      name: "nx.build",
      description: "Build all projects",
      detect: (folder) => (folder.has("nx.json") ? "nx.json is here" : undefined),
      argv: () => ["npx", "--no-install", "nx", "run-many", "-t", "build"],
    },
    {
      name: "nx.test",
      description: "Test all projects",
      detect: (folder) => (folder.has("nx.json") ? "nx.json is here" : undefined),
      argv: () => ["npx", "--no-install", "nx", "run-many", "-t", "test"],
    },
  ],
  manifests: ["project.json"],
  announces: { package: /^> nx run (?<package>@?[\w./-]{1,200}):/ },
});
