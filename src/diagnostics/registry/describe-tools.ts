import { buildTools } from "./build-tools.ts";
import type { BuildTool, Ecosystem } from "../tool.ts";

/** One row of the generated table of build tools. */
export interface ToolDescription {
  readonly id: string;
  readonly title: string;
  readonly url: string;
  readonly ecosystem: Ecosystem;
  readonly kinds: readonly string[];
  /** Description of how the tool's output is recognized: by texts in it, by a document's format, or both. */
  readonly knownBy: string;
  /** Names of the tool's commands that `build` can run. */
  readonly commands: readonly string[];
}

/** Describes every registered tool for the generated documentation. Versions come from the fixtures, which only the generator reads. */
export function describeTools(tools: readonly BuildTool[] = buildTools): readonly ToolDescription[] {
  return tools.map((tool) => ({
    id: tool.id,
    title: tool.title,
    url: tool.url,
    ecosystem: tool.ecosystem,
    kinds: tool.kinds,
    knownBy: [
      ...(tool.parser === undefined && tool.format === undefined
        ? []
        : [tool.signatures.map((text) => `\`${text.trim()}\``).join(", ")]),
      ...(tool.document === undefined ? [] : ["a document of its format"]),
    ].join("; "),
    commands: (tool.commands ?? []).map((command) => command.name),
  }));
}
