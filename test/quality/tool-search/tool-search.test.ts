import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { TOOLS } from "../../../src/app/registry.ts";
import { searchTools } from "./tool-search.ts";

interface Phrasing {
  readonly query: string;
  readonly right: readonly string[];
}

function phrasingsOf(file: string): readonly Phrasing[] {
  return readFileSync(join(import.meta.dirname, file), "utf8")
    .split("\n")
    .filter((line) => line !== "" && !line.startsWith("#"))
    .map((line) => {
      const [query = "", ...right] = line.split("|").map((part) => part.trim());
      return { query, right };
    });
}

const DEFAULT_TOOLS = TOOLS.filter(({ toolset }) => toolset !== "index" && toolset !== "jobs");

// With every toolset, words such as "repository" and "check" are also parts of the names of other tools.
it.each([
  [38, "phrasings.txt", "the default tools", DEFAULT_TOOLS],
  [35, "phrasings.txt", "all tools", TOOLS],
  [38, "held-out.txt", "the default tools", DEFAULT_TOOLS],
  [34, "held-out.txt", "all tools", TOOLS],
  [38, "held-out-2.txt", "the default tools", DEFAULT_TOOLS],
] as const)(
  "a client's tool search finds the right tool first in %i of 40 in %s, of %s",
  (least, file, _, tools) => {
    const phrasings = phrasingsOf(file);
    expect(phrasings).toHaveLength(40);
    // A client searches only the tools that it has not loaded yet.
    const deferred = tools.filter(({ alwaysLoad }) => alwaysLoad !== true);
    const missed = phrasings.flatMap(({ query, right }) => {
      const isDeferred = deferred.some(({ name }) => name === right[0]);
      const found = searchTools(query, isDeferred ? deferred : tools);
      return right.includes(found[0] ?? "")
        ? []
        : [`${query}: ${found.slice(0, 2).join(", ")}, not ${right.join(" or ")}`];
    });
    expect(missed.length, missed.join("\n")).toBeLessThanOrEqual(phrasings.length - least);
  },
);
