import { defineBuildTool } from "../../tool.ts";
import type { FolderFacts } from "../../tool.ts";
import { MixParser } from "./parse.ts";

export const mix = defineBuildTool({
  id: "mix",
  title: "Elixir, Mix and Credo",
  url: "https://hexdocs.pm/mix",
  ecosystem: "general",
  kinds: ["build", "format", "lint"],
  signatures: [".ex:", ".exs:", "** (Mix)", "┃ [", ".heex:"],
  priority: -3,
  parser: (sink) => new MixParser(sink),
  commands: [
    {
      name: "mix.compile",
      description: "Compile the project",
      detect: hasMixFile,
      argv: () => ["mix", "compile"],
    },
  ],
});

/** Returns why the folder is a Mix project. */
export function hasMixFile(folder: FolderFacts): string | undefined {
  return folder.has("mix.exs") ? "mix.exs is here" : undefined;
}
