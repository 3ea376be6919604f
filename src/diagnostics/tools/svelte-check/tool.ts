import { defineBuildTool } from "../../tool.ts";
import { svelteCheckParser } from "./parse.ts";

export const svelteCheck = defineBuildTool({
  id: "svelte-check",
  title: "svelte-check",
  url: "https://svelte.dev/docs/cli/sv-check",
  ecosystem: "js",
  kinds: ["lint"],
  signatures: [
    "svelte-check",
    "Getting Svelte diagnostics",
    ' START "',
    ' ERROR "',
    ' WARNING "',
    '{"type":"ERROR"',
    '{"type":"WARNING"',
    ".svelte:",
  ],
  priority: 9,
  parser: svelteCheckParser,
  commands: [
    {
      name: "svelte.check",
      description: "Check Svelte components and types",
      detect: (folder) =>
        folder.packageJson?.dependencies["svelte-check"] === undefined
          ? undefined
          : "package.json depends on svelte-check",
      argv: () => ["npx", "--no-install", "svelte-check"],
    },
  ],
});
