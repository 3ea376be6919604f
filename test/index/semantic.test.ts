import { describe, expect, it, onTestFinished } from "vitest";
import type { CodeIndex } from "../../src/index/service.ts";
import { createTestIndex, placesOf, type TestIndex } from "../support/code-index.ts";
import {
  answer,
  json,
  sendVectors,
  startEmbeddingServer,
  type EmbeddingServer,
} from "../support/embedding-server.ts";
import { folderAt, temporaryRepository, type GitFolder } from "../support/git-folder.ts";
import { createTestSemanticSearch, type TestSemanticSearchOptions } from "../support/test-semantic-search.ts";
import { toyEmbedding } from "../support/toy-embeddings.ts";

const FILES = {
  "src/vehicle.ts":
    "/** Ignites the engine of the vehicle. */\nexport function ignite(key: string): void {\n  turn(key);\n}\n",
  "src/invoice.ts":
    "/** Sums the positions of an invoice. */\nexport function total(positions: number[]): number {\n  return positions.length;\n}\n",
  "src/store.py":
    'def save_record(record):\n    """Writes a record to the disk."""\n    return write(record)\n',
  "api/car.proto": "message Car {\n  string name = 1;\n}\n",
  "docs/guide.md": "# Guide\n\nHow to bake bread with yeast and flour.\n",
};
const SYNONYMS = { automobile: "vehicle", motor: "engine", starts: "ignites" };

interface Setup {
  readonly repository: GitFolder;
  readonly server: EmbeddingServer;
  readonly test: TestIndex;
  readonly index: CodeIndex;
  /** Indexes and embeds all files. */
  readonly embedAll: (root?: string) => Promise<void>;
  readonly search: (query: string, more?: object) => ReturnType<TestIndex["search"]>;
}

async function setUp(
  options: TestSemanticSearchOptions & { files?: Readonly<Record<string, string>>; dimensions?: number } = {},
): Promise<Setup> {
  const { files = FILES, dimensions = 64, ...settings } = options;
  const server = await startEmbeddingServer({ synonyms: SYNONYMS, dimensions });
  const repository = temporaryRepository(files);
  const test = createTestIndex({
    meaning: (database) => createTestSemanticSearch(server.url, database, settings),
  });
  onTestFinished(async () => {
    await test.dispose();
    repository.dispose();
  });
  return {
    repository,
    server,
    test,
    index: test.index,
    embedAll: async (root = repository.root) => {
      await test.index.index({ root, onEmbedding: () => undefined });
    },
    search: (query, more) => test.search(repository.root, query, more),
  };
}

/** Polls until the condition holds. */
async function until(condition: () => Promise<boolean> | boolean): Promise<void> {
  while (!(await condition())) await new Promise((resolve) => setTimeout(resolve, 20));
}

const semanticOf = async (index: CodeIndex, root: string) => (await index.status({ root })).semantic;

describe("semantic search", () => {
  it("finds code that shares no word with the question, reports its similarity and obeys filters", async () => {
    const { embedAll, search } = await setUp();
    await embedAll();
    const found = await search("automobile motor", { level: "detailed" });
    expect(placesOf(found)[0]).toBe("src/vehicle.ts:2 ignite");
    expect(found.hits[0]).toMatchObject({ semanticOnly: true, similarity: expect.closeTo(0.5, 0) });
    expect(found.metadata).toMatchObject({
      search_mode: "hybrid",
      semantic: { status: "used", model: "toy" },
    });
    const reasons = found.hits[0]?.reasons;
    expect(reasons?.semantic_similarity).toBeGreaterThan(0.2);
    expect(reasons?.semantic_contribution).toBeGreaterThan(0.9);
    expect(placesOf(await search("automobile motor", { language: "py" }))).toEqual([
      "src/store.py:1 save_record",
    ]);
    expect((await search("automobile motor", { language: ".proto" })).hits.map(({ path }) => path)).toEqual([
      "api/car.proto",
    ]);
    expect(placesOf(await search("automobile motor", { path: "docs" }))[0]).toMatch(/^docs\/guide.md/);
    expect(placesOf(await search("automobile motor", { kind: "class" }))).toEqual([]);
  });

  it("obeys the search mode", async () => {
    const { embedAll, search, server } = await setUp();
    await embedAll();
    const calls = () => server.calls.length;
    let before = calls();
    const exact = await search("save_record");
    expect(placesOf(exact)[0]).toBe("src/store.py:1 save_record");
    expect(exact.metadata).toMatchObject({ search_mode: "lexical", semantic: { status: "not_needed" } });
    const lexical = await search("how to sum an invoice", { mode: "lexical" });
    expect(lexical.hits[0]?.similarity).toBeUndefined();
    expect(calls()).toBe(before);
    const semantic = await search("save_record", { mode: "semantic" });
    expect(semantic.metadata.search_mode).toBe("semantic");
    expect(semantic.hits.every((hit) => hit.similarity !== undefined)).toBe(true);
    const similarities = semantic.hits.map((hit) => hit.similarity ?? 0);
    expect(similarities).toEqual(similarities.toSorted((a, b) => b - a));
    const hybrid = await search("save_record", { mode: "hybrid" });
    expect(placesOf(hybrid)[0]).toBe("src/store.py:1 save_record");
    expect(hybrid.metadata.search_mode).toBe("hybrid");
    before = calls();
    await search("save_record", { mode: "hybrid" });
    expect(calls(), "the same question is not sent twice").toBe(before);
    const misspelled = await search("automobileMotor");
    expect(placesOf(misspelled)[0]).toBe("src/vehicle.ts:2 ignite");
    expect(misspelled.metadata.search_mode).toBe("semantic");
  });

  it("changes nothing without a configured provider, and says so when requested", async () => {
    const { repository } = await setUp();
    const plain = createTestIndex();
    onTestFinished(() => plain.dispose());
    const answerOf = await plain.search(repository.root, "how to sum an invoice");
    expect(Object.keys(answerOf.metadata).sort()).toEqual([
      "freshness_status",
      "indexing_status",
      "ref",
      "result_completeness",
    ]);
    const asked = await plain.search(repository.root, "how to sum an invoice", { mode: "semantic" });
    expect(placesOf(asked)).toEqual(placesOf(answerOf));
    expect(asked.metadata.semantic).toMatchObject({ status: "off" });
    expect((await plain.index.status({ root: repository.root })).semantic).toBeUndefined();
  });
});

describe("embedding", () => {
  it("sends a text once, even if several branches, worktrees, clones or files contain it", async () => {
    const { repository, server, test, embedAll } = await setUp();
    await embedAll();
    const sent = server.texts().length;
    expect(sent).toBe(Object.keys(FILES).length);
    expect(server.texts()[0]).toMatch(/^(?:src|docs|api)\//);
    repository.git("worktree", "add", "-q", `${repository.root}-side`, "-b", "side");
    const side = folderAt(`${repository.root}-side`);
    const clone = folderAt(`${repository.root}-clone`);
    onTestFinished(() => {
      side.dispose();
      clone.dispose();
    });
    repository.git("clone", "-q", repository.root, clone.root);
    side.git("mv", "src/invoice.ts", "src/bill.ts");
    for (const root of [side.root, clone.root]) await embedAll(root);
    await test.index.index({ root: repository.root, ref: "main", onEmbedding: () => undefined });
    expect(server.texts()).toHaveLength(sent);
    side.write("src/bill.ts", "export function sum_bill(): void {}\n");
    await embedAll(side.root);
    expect(server.texts()).toHaveLength(sent + 1);
    const found = await test.search(side.root, "automobile motor", { mode: "semantic" });
    expect(placesOf(found)[0]).toBe("src/vehicle.ts:2 ignite");
  });

  it("continues where a killed process stopped", async () => {
    const files = Object.fromEntries(
      Array.from({ length: 12 }, (_, i) => [`src/file${i}.ts`, `export const value${i} = "text ${i}";\n`]),
    );
    const { repository, server, test, index } = await setUp({ files, batchSize: 2, concurrency: 1 });
    // From the fourth call on, the server does not answer, as if the process had died there.
    server.behave((_call, _response, number) => number > 3);
    // A search by words alone makes no call of its own.
    await index.search({ ...ASK, root: repository.root, query: "what is in there", mode: "lexical" });
    await until(() => server.calls.length > 3);
    await index.close();
    server.behave(undefined);
    const next = test.second((database) => createTestSemanticSearch(server.url, database, { batchSize: 2 }));
    const before = server.texts().length;
    await next.index({ root: repository.root, onEmbedding: () => undefined });
    expect(await semanticOf(next, repository.root)).toMatchObject({ state: "ready", chunks_embedded: 12 });
    expect(server.texts().length - before).toBe(6);
  });

  it("shares the work between two servers on one store", async () => {
    const files = Object.fromEntries(
      Array.from({ length: 30 }, (_, i) => [`src/file${i}.ts`, `export const value${i} = "text ${i}";\n`]),
    );
    const { repository, server, test } = await setUp({ files, batchSize: 3 });
    const other = test.second();
    await Promise.all(
      [test.index, other].map((one) => one.index({ root: repository.root, onEmbedding: () => undefined })),
    );
    expect(server.texts()).toHaveLength(30);
    for (const one of [test.index, other])
      expect(await semanticOf(one, repository.root)).toMatchObject({ state: "ready", chunks_embedded: 30 });
  });

  it("embeds only what was edited", async () => {
    const { repository, server, embedAll, search } = await setUp({ dimensions: 512 });
    await embedAll();
    const sent = server.texts().length;
    repository.write("src/invoice.ts", "/** Parks the vehicle. */\nexport function park(): void {}\n");
    await embedAll();
    expect(server.texts().slice(sent)).toHaveLength(1);
    const found = await search("automobile", { mode: "semantic" });
    expect(new Set(found.hits.slice(0, 2).map(({ path }) => path))).toEqual(
      new Set(["src/invoice.ts", "src/vehicle.ts"]),
    );
  });

  it("serves the vectors of the previous model, marked as such, until the new ones are complete", async () => {
    const { repository, server, test, embedAll } = await setUp();
    await embedAll();
    // Only texts of the new model are delayed; questions to the old model are answered.
    server.behave((call) => call.model === "newer");
    const next = test.second((database) =>
      createTestSemanticSearch(server.url, database, { modelName: "newer", provider: "ollama" }),
    );
    const ask = { ...ASK, root: repository.root, query: "automobile motor" };
    const during = await next.search(ask);
    expect(placesOf(during)[0]).toBe("src/vehicle.ts:2 ignite");
    expect(during.metadata.semantic).toEqual({ status: "former_model", model: "toy", coverage: 0 });
    expect(await semanticOf(next, repository.root)).toMatchObject({ model: "newer", serving_model: "toy" });
    await next.close();
    server.behave(undefined);
    const whole = test.second((database) =>
      createTestSemanticSearch(server.url, database, { modelName: "newer" }),
    );
    await whole.index({ root: repository.root, onEmbedding: () => undefined });
    expect((await whole.search(ask)).metadata.semantic).toEqual({ status: "used", model: "newer" });
  });

  it("returns the same results with a small memory limit as with a large one", async () => {
    const files = Object.fromEntries(
      Array.from({ length: 60 }, (_, i) => [
        `src/file${i}.ts`,
        `export const value${i} = "about ${["bread", "wine", "steel", "clouds"][i % 4]} and ${i * 7}";\n`,
      ]),
    );
    const { repository, server, test, embedAll } = await setUp({ files });
    await embedAll();
    const small = test.second((database) =>
      createTestSemanticSearch(server.url, database, { maxMemoryBytes: 4_000 }),
    );
    const ask = { ...ASK, root: repository.root, query: "wine and clouds", mode: "semantic" } as const;
    const [much, little] = [await test.index.search(ask), await small.search(ask)];
    expect(placesOf(little)).toEqual(placesOf(much));
    const bytes = (await semanticOf(small, repository.root))?.vectors_in_memory_bytes ?? 0;
    expect(bytes).toBeLessThan(200_000);
  });
});

const ASK = { limit: 10, offset: 0, level: "signature", policy: "balanced" } as const;

describe("an embedding provider that fails", () => {
  it("leaves a search by words with the reason, and is retried", async () => {
    const { repository, server, search, index } = await setUp();
    server.behave((_call, response) => (json(response, 500, { error: "out of memory" }), true));
    const found = await search("how to sum the positions of an invoice");
    expect(found.hits[0]?.path).toBe("src/invoice.ts");
    await until(async () => (await semanticOf(index, repository.root))?.failure !== undefined);
    const status = await semanticOf(index, repository.root);
    expect(status).toMatchObject({
      state: "waiting",
      failure: "status 500: out of memory",
      endpoint: `${server.url}/api/embed`,
    });
    server.behave(undefined);
    await until(async () => (await semanticOf(index, repository.root))?.state === "ready");
    expect((await search("automobile motor")).metadata.semantic).toMatchObject({ status: "used" });
    server.behave((_call, response) => (response.socket?.destroy(), true));
    const later = await search("positions of the invoice in the automobile");
    expect(later.metadata).toMatchObject({ search_mode: "lexical", semantic: { status: "unavailable" } });
    expect(later.hits[0]?.path).toBe("src/invoice.ts");
  });

  it("delays a question only until its timeout, and is skipped by the next question", async () => {
    const { embedAll, server, search } = await setUp({
      queryTimeoutMs: 300,
      backoff: { firstMs: 3_600_000, maxMs: 3_600_000 },
    });
    await embedAll();
    server.behave(() => true);
    const slow = await search("how to sum the positions of an invoice");
    expect(slow.metadata.semantic).toMatchObject({
      status: "unavailable",
      reason: "no answer within 300 ms",
    });
    const calls = server.calls.length;
    const next = await search("how to write a record to the disk");
    expect(next.metadata.semantic).toMatchObject({
      status: "unavailable",
      reason: "no answer within 300 ms",
    });
    expect(placesOf(next)[0]).toBe("src/store.py:1 save_record");
    expect(server.calls).toHaveLength(calls);
  });

  it("is not called before its Retry-After time has passed", async () => {
    const { repository, server, embedAll, index } = await setUp({ batchSize: 1, concurrency: 1 });
    let refusedAt = 0;
    let waited = 0;
    server.behave((_call, response, number) => {
      if (number === 3) waited = Date.now() - refusedAt;
      if (number !== 2) return false;
      refusedAt = Date.now();
      json(response, 429, { error: "slow down" }, { "Retry-After": "1" });
      return true;
    });
    await index.index({ root: repository.root });
    await until(async () => (await semanticOf(index, repository.root))?.state === "ready");
    await embedAll();
    expect(waited).toBeGreaterThanOrEqual(990);
  });

  it.each([
    ["rejects it", (response: Parameters<typeof json>[0]) => json(response, 400, { error: "too long" })],
    ["fails on it repeatedly", (response: Parameters<typeof json>[0]) => json(response, 500, {})],
  ])("leaves out a text when the provider %s", async (_name, refuse) => {
    const files = { ...FILES, "src/poison.ts": "export const POISON = 'x';\n" };
    const { repository, server, index } = await setUp({ files });
    server.behave((call, response) => {
      if (!call.texts.some((text) => text.includes("POISON"))) return false;
      refuse(response);
      return true;
    });
    await index.index({ root: repository.root });
    await until(async () => (await semanticOf(index, repository.root))?.state === "ready");
    expect(await semanticOf(index, repository.root)).toMatchObject({ chunks_embedded: 5, chunks_refused: 1 });
  });

  it("is sent smaller batches when it omits texts or returns values that are not numbers", async () => {
    const { repository, server, index } = await setUp();
    server.behave((call, response) => {
      if (call.texts.length <= 1) return false;
      const vectors: unknown[] = call.texts.slice(1).map((text) => toyEmbedding(text, 64));
      sendVectors(call, response, call.texts.length === 2 ? [...vectors, [null]] : vectors);
      return true;
    });
    await index.index({ root: repository.root, onEmbedding: () => undefined });
    expect(await semanticOf(index, repository.root)).toMatchObject({ state: "ready", chunks_embedded: 5 });
  });

  it("is rejected when the width of its vectors changes under the same model name", async () => {
    const { repository, server, embedAll, search, index } = await setUp();
    await embedAll();
    server.behave((call, response) => (answer({ ...call, dimensions: 32 }, response), true));
    repository.write("src/invoice.ts", "export function other(): void {}\n");
    const found = await search("how does the disk get a record");
    expect(found.metadata.semantic).toMatchObject({
      status: "unavailable",
      reason: "got embeddings of 32 dimensions, but 64 are stored",
    });
    await until(async () => (await semanticOf(index, repository.root))?.failure !== undefined);
    expect(await semanticOf(index, repository.root)).toMatchObject({ state: "waiting", dimensions: 64 });
  });
});
