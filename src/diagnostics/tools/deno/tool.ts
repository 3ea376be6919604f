import { keysOfSection } from "../../parsing/json.ts";
import type { FolderFacts } from "../../tool.ts";
import { defineBuildTool } from "../../tool.ts";
import { denoParser } from "./parse.ts";

function detect(folder: FolderFacts): string | undefined {
  return folder.has("deno.json") || folder.has("deno.jsonc") ? "deno.json is here" : undefined;
}

export const deno = defineBuildTool({
  id: "deno",
  title: "Deno",
  url: "https://deno.com",
  ecosystem: "js",
  kinds: ["lint", "test", "build", "format"],
  signatures: [
    " [ERROR]: ",
    "running ",
    " ERRORS ",
    "ok | ",
    "FAILED | ",
    "error: Uncaught ",
    "error: Module not found",
    "error: Import '",
    "error[",
    "warning[",
    "file:///",
    "from /",
  ],
  priority: 12,
  parser: denoParser,
  commands: [
    { name: "deno.test", description: "Run the tests", detect, argv: () => ["deno", "test"] },
    { name: "deno.check", description: "Type check", detect, argv: () => ["deno", "check", "."] },
    { name: "deno.lint", description: "Lint the folder", detect, argv: () => ["deno", "lint"] },
  ],
  rerun: "deno test",
  selectTests: { files: (argv, paths) => [...argv, ...paths] },
  targets: {
    command: "deno task",
    files: ["deno.json", "deno.jsonc"],
    above: true,
    names: (text) => keysOfSection(text, "tasks"),
  },
});
