import { encode } from "gpt-tokenizer/encoding/o200k_base";
import { describe, expect, it } from "vitest";
import { Budget } from "../../../src/kernel/budget.ts";
import { RELATIONS, type RelatedPlace, type RelationAnswer } from "../../../src/model/relation.ts";
import { renderRelations } from "../../../src/render/code/relations.ts";

const PLACES: readonly RelatedPlace[] = Array.from({ length: 25 }, (_, i) => ({
  path: `src/service/part${Math.floor(i / 3)}.ts`,
  line: 10 * i + 7,
  certainty: i % 5 === 4 ? "possible" : "sure",
  role: "call",
  within: `Handler.handle${i}`,
}));

function answer(relation: RelationAnswer["relation"], places = PLACES): RelationAnswer {
  return {
    relation,
    name: "save",
    definitions: [{ name: "Store.save", kind: "method", path: "src/store.ts", line: 3 }],
    places,
    unresolved: 1,
    otherUses: 2,
    isByName: false,
    metadata: {
      freshness_status: "fresh",
      indexing_status: "ready",
      result_completeness: "complete",
      ref: "live",
    },
    searched: {
      filtered: false,
      files: 9,
      pending: 0,
      tooLarge: 0,
      binary: 0,
      minified: 0,
      notParsed: 0,
    },
    projectId: "p",
    elapsedMs: 1,
  };
}

function render(related: RelationAnswer, format: "text" | "json" | "markdown", budget = 4_000): string {
  const data = {
    related,
    filters: {},
    offset: 0,
    limit: 100,
    cursorAfter: (shown: number) => `after-${shown}`,
  };
  return renderRelations(data, { format, budget: new Budget(budget) }).text;
}

/** Returns the lines of places in a reply as `path:line`, with `?` after those that are only possible. */
function placesOf(text: string): string[] {
  const found: string[] = [];
  let path = "";
  for (const line of text.split("\n")) {
    path = /(src\/service\/part\d+\.ts)/.exec(line)?.[1] ?? path;
    for (const [, at = "", mark = ""] of line.matchAll(/handle\d+:(\d+)(\??)/g))
      found.push(`${path}:${at}${mark}`);
  }
  return found;
}

describe("relations", () => {
  it.each(RELATIONS)("of the kind %s are the same in every format", (relation) => {
    const expected = PLACES.map(
      ({ path, line, certainty }) => `${path}:${line}${certainty === "sure" ? "" : "?"}`,
    );
    const text = render(answer(relation), "text");
    expect(placesOf(text)).toEqual(expected);
    expect(placesOf(render(answer(relation), "markdown"))).toEqual(expected);
    const json = JSON.parse(render(answer(relation), "json")) as Omit<RelationAnswer, "relation"> & {
      readonly relation: string;
    };
    expect(json.relation).toBe(relation);
    expect(
      json.places.map(({ path, line, certainty }) => `${path}:${line}${certainty === "sure" ? "" : "?"}`),
    ).toEqual(expected);
    expect(text.split("\n")[0]).toContain("20 sure, 5 possible in 9 files");
    expect(render(answer(relation, []), "text").split("\n")[0]).toMatch(/^No .* of Store\.save .*found$/);
  });

  it("take at most 400 tokens for 25 places, and count what does not fit", () => {
    expect(encode(render(answer("callers"), "text")).length).toBeLessThanOrEqual(400);
    const text = render(answer("callers"), "text", 120);
    expect(placesOf(text).length + Number(/\+(\d+) more places/.exec(text)?.[1])).toBe(PLACES.length);
  });
});
