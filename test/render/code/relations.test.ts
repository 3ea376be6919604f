import { encode } from "gpt-tokenizer/encoding/o200k_base";
import { describe, expect, it } from "vitest";
import { Budget } from "../../../src/kernel/budget.ts";
import {
  RELATIONS,
  sortPlaces,
  type RelatedPlace,
  type RelationAnswer,
} from "../../../src/model/relation.ts";
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
    const file = /part\d+\.ts/.exec(line)?.[0];
    // Files of one folder are listed under it.
    if (file !== undefined) path = `src/service/${file}`;
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

  it("list a few other uses, such as functions that are passed on, instead of the call for them", () => {
    const otherPlaces = [
      { path: "src/a.ts", line: 3, certainty: "sure" as const },
      { path: "src/a.ts", line: 9, certainty: "possible" as const },
    ];
    expect(render({ ...answer("callers", []), otherPlaces }, "text")).toContain(
      "+2 other uses: src/a.ts:3,9?",
    );
    expect(JSON.parse(render({ ...answer("callers", []), otherPlaces }, "json"))).toMatchObject({
      other_uses: 2,
      other_places: otherPlaces,
    });
  });

  it("name each of several definitions before its own places, and those without any", () => {
    const definitions = ["a", "b", "c"].map((name) => ({
      name: `${name.toUpperCase()}.save`,
      kind: "method" as const,
      path: `src/${name}.ts`,
      line: 3,
    }));
    const [one, two, three] = PLACES;
    if (one === undefined || two === undefined || three === undefined) throw new Error("three places");
    const places = sortPlaces([
      { ...one, path: "lib/x.ts", certainty: "possible", of: [0, 1] },
      { ...two, path: "lib/Store.ts", within: "Store.flush", of: [1] },
      { ...three, of: [0] },
    ]);
    expect(
      render({ ...answer("callers", places), definitions }, "text")
        .split("\n")
        .slice(0, 8),
    ).toEqual([
      "callers of save (3 definitions): 2 sure, 1 possible in 3 files",
      "of A.save (src/a.ts:3): 1 sure",
      "src/service/part0.ts Handler.handle2:27",
      "of B.save (src/b.ts:3): 1 sure",
      "lib/Store.ts flush:17",
      "of any of them: 1 possible",
      "lib/x.ts Handler.handle0:7?",
      "of C.save (src/c.ts:3): none",
    ]);
    const json = JSON.parse(render({ ...answer("callers", places), definitions }, "json")) as RelationAnswer;
    expect(json.places.map(({ of }) => of)).toEqual([[0], [1], [0, 1]]);
  });

  it("take at most 15 tokens a place, 400 for 25 places, and count what does not fit", () => {
    expect(encode(render(answer("callers"), "text")).length).toBeLessThanOrEqual(15 * PLACES.length);
    const text = render(answer("callers"), "text", 120);
    expect(placesOf(text).length + Number(/\+(\d+) more places/.exec(text)?.[1])).toBe(PLACES.length);
  });
});
