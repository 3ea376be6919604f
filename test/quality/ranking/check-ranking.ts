import { readFileSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import type { CodeIndex } from "../../../src/index/service.ts";
import type { Embedder } from "../../../src/semantic/provider.ts";
import type { TestIndex } from "../../support/code-index.ts";
import { makeMachine } from "../../support/machine.ts";
import { freshStore } from "../../support/postgres.ts";
import { createTestSemanticSearch } from "../../support/test-semantic-search.ts";
import { toyEmbedding } from "../../support/toy-embeddings.ts";
import { ISSUES } from "./issues.ts";
import { QUERIES as QUESTIONS, type LabelledQuery } from "./queries.ts";

const QUERIES: readonly LabelledQuery[] = [...QUESTIONS, ...ISSUES];

/** The queries that are asked with embeddings as well: not those over the largest package, whose vectors take the most time. */
const EMBEDDED = QUERIES.filter(({ corpus }) => corpus !== "knip/dist");

const MODULES = resolve(import.meta.dirname, "../../../node_modules");

const ASK = { limit: 10, offset: 0, level: "location", policy: "balanced" } as const;

interface Measure {
  readonly ndcg: number;
  readonly first: number;
  readonly five: number;
  readonly reciprocal: number;
}

async function measure(index: CodeIndex, { corpus, query, files }: LabelledQuery): Promise<Measure> {
  const answer = await index.search({ ...ASK, root: resolve(MODULES, corpus), query });
  // Further places of a file are not results of their own.
  const paths = [...new Set(answer.hits.map((hit) => hit.path))];
  const ranks = paths.flatMap((path, rank) => (files.includes(path) ? [rank] : []));
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

const SCORES = resolve(import.meta.dirname, "scores.txt");
const FIELDS = ["ndcg", "first", "five", "reciprocal"] as const;
/** Allowed loss, equal to one of sixteen queries moving from first to second place. */
const TOLERANCE = 0.025;

/** The committed table of mean scores by type of query. UPDATE_SCORES=1 writes it again. */
function committed(): ReadonlyMap<string, readonly number[]> {
  const rows = readFileSync(SCORES, "utf8").split("\n").slice(1);
  return new Map(
    rows.map((row) => {
      const [kind = "", , ...values] = row.trim().split(/\s+/);
      return [kind, values.map(Number)];
    }),
  );
}

/** Returns mean scores by type of query; `prefix` distinguishes two search modes. */
async function scoresOf(index: CodeIndex, prefix: string, queries = QUERIES) {
  const byKind = new Map<string, Measure[]>();
  for (const query of queries) {
    const found = await measure(index, query);
    for (const kind of ["all", query.kind]) byKind.set(kind, [...(byKind.get(kind) ?? []), found]);
  }
  return [...byKind]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([kind, list]) => ({
      kind: `${prefix}${kind}`,
      count: list.length,
      values: FIELDS.map((field) => list.reduce((sum, entry) => sum + entry[field], 0) / list.length),
    }));
}

/** Creates an index with meaningless embeddings, which must not make the results worse. */
async function withToyEmbeddings(test: TestIndex): Promise<CodeIndex> {
  // The provider runs in this process; the network protocol is tested elsewhere and would take most of the time here.
  const embedder: Embedder = {
    provider: "toy",
    shownEndpoint: "this process",
    embed: (_model, texts) =>
      Promise.resolve(texts.map((text) => Float32Array.from(toyEmbedding(text, 256)))),
  };
  const index = test.second((database) =>
    createTestSemanticSearch("http://127.0.0.1", database, { embedder, batchSize: 64 }),
  );
  for (const corpus of new Set(EMBEDDED.map((query) => query.corpus))) {
    const report = await index.index({ root: resolve(MODULES, corpus), onEmbedding: () => undefined });
    expect(report.semantic).toMatchObject({ state: "ready" });
  }
  return index;
}

/** Checks the order of results over packages that package-lock.json pins. */
export function checkRanking(test: TestIndex): void {
  describe("the order of results", () => {
    it("is as good as the committed scores for every type of query, with and without embeddings", async () => {
      const plain = await scoresOf(test.index, "");
      const hybrid = await scoresOf(await withToyEmbeddings(test), "toy-hybrid-", EMBEDDED);
      const means = [...plain, ...hybrid];
      if (process.env["UPDATE_SCORES"] !== undefined) {
        const rows = means.map(({ kind, count, values }) =>
          [kind.padEnd(23), String(count).padStart(3), ...values.map((value) => value.toFixed(3))].join("  "),
        );
        writeFileSync(
          SCORES,
          [`${"kind".padEnd(23)}    n  ndcg10  rec@1  rec@5  mrr`, ...rows, ""].join("\n"),
        );
      }
      const wanted = committed();
      for (const { kind, values } of means)
        for (const [index, value] of values.entries())
          expect(value, `${kind} ${FIELDS[index]}`).toBeGreaterThanOrEqual(
            (wanted.get(kind)?.[index] ?? 1) - TOLERANCE,
          );
      // An exact name is found literally, independent of the vectors.
      const symbols = (list: typeof plain) => list.find(({ kind }) => kind.endsWith("symbol"))?.values;
      expect(symbols(hybrid)).toEqual(symbols(plain));
    }, 300_000);

    it("has identical scores if the index is in PostgreSQL", async () => {
      const database = await freshStore();
      onTestFinished(() => database.drop());
      // A part of one package is enough to compare the stores.
      const root = resolve(MODULES, "knip/dist/util");
      const team = await makeMachine(database.url, root).index();
      const queries = QUERIES.filter(({ corpus }) => corpus === "knip/dist");
      let hits = 0;
      for (const { query } of queries) {
        const embedded = await test.index.search({ ...ASK, root, query });
        expect((await team.search({ ...ASK, root, query })).hits, query).toEqual(embedded.hits);
        hits += embedded.hits.length;
      }
      expect(hits).toBeGreaterThan(100);
    }, 300_000);
  });
}
