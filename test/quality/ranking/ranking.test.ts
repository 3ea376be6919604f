import { resolve } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { createTestIndex } from "../../support/code-index.ts";
import { QUERIES, type LabelledQuery } from "./queries.ts";

const MODULES = resolve(import.meta.dirname, "../../../node_modules");
const test = createTestIndex();
afterAll(() => test.dispose());

interface Measure {
  readonly ndcg: number;
  readonly first: number;
  readonly five: number;
  readonly reciprocal: number;
}

async function measure({ corpus, query, files }: LabelledQuery): Promise<Measure> {
  const answer = await test.search(resolve(MODULES, corpus), query, { level: "location" });
  const ranks = answer.hits.flatMap((hit, rank) => (files.includes(hit.path) ? [rank] : []));
  const gain = (rank: number) => 1 / Math.log2(rank + 2);
  const ideal = files.map((_, rank) => gain(rank)).reduce((sum, value) => sum + value, 0);
  const [best] = ranks;
  return {
    ndcg: ranks.reduce((sum, rank) => sum + gain(rank), 0) / ideal,
    first: best === 0 ? 1 : 0,
    five: best !== undefined && best < 5 ? 1 : 0,
    reciprocal: best === undefined ? 0 : 1 / (best + 1),
  };
}

describe("the order of results", () => {
  it("has the committed score for every kind of query", async () => {
    const byKind = new Map<string, Measure[]>();
    for (const query of QUERIES) {
      const found = await measure(query);
      for (const kind of ["all", query.kind]) byKind.set(kind, [...(byKind.get(kind) ?? []), found]);
    }
    const mean = (list: readonly Measure[], field: keyof Measure) =>
      (list.reduce((sum, entry) => sum + entry[field], 0) / list.length).toFixed(3);
    const rows = [...byKind]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([kind, list]) =>
        [
          kind.padEnd(12),
          String(list.length).padStart(3),
          mean(list, "ndcg"),
          mean(list, "first"),
          mean(list, "five"),
          mean(list, "reciprocal"),
        ].join("  "),
      );
    const table = ["kind            n  ndcg10  rec@1  rec@5  mrr", ...rows, ""].join("\n");
    await expect(table).toMatchFileSnapshot("scores.txt");
  });
});
