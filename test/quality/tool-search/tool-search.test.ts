import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { TOOLS } from "../../../src/app/registry.ts";
import { searchTools } from "./tool-search.ts";

const PHRASINGS = readFileSync(join(import.meta.dirname, "phrasings.txt"), "utf8")
  .split("\n")
  .filter((line) => line !== "" && !line.startsWith("#"))
  .map((line) => {
    const [query = "", ...right] = line.split("|").map((part) => part.trim());
    return { query, right };
  });

// With every toolset, words such as "repository" and "check" are also parts of the names of other tools.
it.each([
  [38, "the default tools", TOOLS.filter(({ toolset }) => toolset !== "index" && toolset !== "jobs")],
  [35, "all tools", TOOLS],
] as const)(
  "a client's tool search finds the right tool first in %i of 40 phrasings, of %s",
  (least, _, tools) => {
    expect(PHRASINGS).toHaveLength(40);
    // A client searches only the tools that it has not loaded yet.
    const deferred = tools.filter(({ alwaysLoad }) => alwaysLoad !== true);
    const missed = PHRASINGS.flatMap(({ query, right }) => {
      const isDeferred = deferred.some(({ name }) => name === right[0]);
      const found = searchTools(query, isDeferred ? deferred : tools);
      return right.includes(found[0] ?? "")
        ? []
        : [`${query}: ${found.slice(0, 2).join(", ")}, not ${right.join(" or ")}`];
    });
    expect(missed.length, missed.join("\n")).toBeLessThanOrEqual(PHRASINGS.length - least);
  },
);
