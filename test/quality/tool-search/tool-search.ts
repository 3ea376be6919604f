import type { AnyTool } from "../../../src/app/tool.ts";
import { listTool } from "../../../src/mcp/listing.ts";

/**
 * Points per word of a query, as the search for deferred tools in Claude Code 2.1.197 gives them to tools of MCP servers: for
 * a part of the server's or tool's name, for text inside such a part, for the whole name, for text inside it, and for words of
 * the search hint and of the description.
 */
const POINTS = { part: 12, insidePart: 6, name: 12, insideName: 4, hint: 4, description: 2 };

/** Returns the names of the tools that a client's tool search finds, best first; equal ones stay in the list's order. */
export function searchTools(query: string, tools: readonly AnyTool[]): readonly string[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  return tools
    .map((tool) => ({ name: tool.name, score: words.reduce((sum, word) => sum + scoreOf(word, tool), 0) }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score)
    .map(({ name }) => name);
}

function scoreOf(word: string, tool: AnyTool): number {
  const { name, description = "", _meta } = listTool(tool, false);
  const names = ["pith", name.toLowerCase()];
  const parts = names.flatMap((one) => one.split("_"));
  const among = (texts: readonly string[], whole: number, inside: number): number =>
    texts.includes(word) ? whole : texts.some((text) => text.includes(word)) ? inside : 0;
  const isWordOf = (text: unknown): boolean =>
    typeof text === "string" && text.toLowerCase().split(/\W+/).includes(word);
  return (
    among(parts, POINTS.part, POINTS.insidePart) +
    among(names, POINTS.name, POINTS.insideName) +
    (isWordOf(_meta?.["anthropic/searchHint"]) ? POINTS.hint : 0) +
    (isWordOf(description) ? POINTS.description : 0)
  );
}
