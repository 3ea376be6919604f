import { buildTools } from "./build-tools.ts";
import type { BuildTool, Ecosystem } from "../tool.ts";

/** One row of the generated table of build tools. */
export interface ToolDescription {
  readonly id: string;
  readonly title: string;
  readonly url: string;
  readonly ecosystem: Ecosystem;
  readonly kinds: readonly string[];
  /** How its output is known: texts that stand in it, a document's shape, or both. */
  readonly knownBy: string;
  /** Names of the commands that `build` runs. */
  readonly commands: readonly string[];
}

/** Every registered tool, for the generated documentation. Versions come from the fixtures, which only the generator reads. */
export function describeTools(tools: readonly BuildTool[] = buildTools): readonly ToolDescription[] {
  return tools.map((tool) => ({
    id: tool.id,
    title: tool.title,
    url: tool.url,
    ecosystem: tool.ecosystem,
    kinds: tool.kinds,
    knownBy: [
      ...(tool.parser === undefined ? [] : [tool.signatures.map((text) => `\`${text.trim()}\``).join(", ")]),
      ...(tool.document === undefined ? [] : ["a document of its format"]),
    ].join("; "),
    commands: (tool.commands ?? []).map((command) => command.name),
  }));
}
