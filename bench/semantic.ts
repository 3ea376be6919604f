/**
 * Measures semantic search over 100,000 chunks of 768 dimensions, without the provider's own time, compared with an exact scan of the same
 * vectors as floats. The vectors are random: their neighbours differ least, which is the hardest case for quantised vectors.
 */
import { mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createLogger } from "../src/kernel/logger.ts";
import { sliceKey } from "../src/semantic/chunk-text.ts";
import type { Corpus } from "../src/semantic/corpus.ts";
import { createSemanticSearch, type SemanticSearch } from "../src/semantic/semantic-search.ts";
import { normalise, quantise } from "../src/semantic/quantise.ts";
import { createPlainScanner } from "../src/semantic/scan/scanner.ts";
import { createSimdScanner } from "../src/semantic/scan/simd-scanner.ts";
import { encodeSlices } from "../src/semantic/slices.ts";
import { openVectorStore } from "../src/storage/sqlite/vector-store.ts";
import { numbers } from "../test/support/numbers.ts";
import { report, sampleOf } from "./report/section.ts";

const CHUNKS = 100_000;
const DIMENSIONS = 768;
const CHUNKS_PER_FILE = 10;
const QUERIES = 30;
const WARM_UP = 3;
const CHUNKS_PER_SAVE = 2_000;

const random = numbers(17);
const normal = (): number => Math.sqrt(-2 * Math.log(random() + 1e-12)) * Math.cos(2 * Math.PI * random());
const direction = (): Float32Array => normalise(Float32Array.from({ length: DIMENSIONS }, normal));
const nameOf = (chunk: number): string => `chunk${String(chunk).padStart(17, "0")}`;

const data = mkdtempSync(join(tmpdir(), "pith-bench-"));
const database = join(data, "index.db");
const floats = new Float32Array(CHUNKS * DIMENSIONS);
const questions = new Map<string, Float32Array>();

const corpus: Corpus = {
  id: "bench",
  files: Array.from({ length: CHUNKS / CHUNKS_PER_FILE }, (_, i) => ({
    path: `src/file${i}.ts`,
    key: `key${i}`,
  })),
  read: () => Promise.resolve(undefined),
};

function open(): SemanticSearch {
  return createSemanticSearch({
    embedder: {
      provider: "bench",
      shownEndpoint: "nowhere",
      embed: (_model, texts) => Promise.resolve(texts.map((text) => questions.get(text) ?? direction())),
    },
    model: { name: "bench", dimensions: 0, queryPrefix: "", documentPrefix: "" },
    openStore: () => openVectorStore(database),
    logger: createLogger("error", () => undefined),
    batchSize: 32,
    concurrency: 1,
    requestsPerMinute: 0,
    timeoutMs: 60_000,
    queryTimeoutMs: 600_000,
    prepareTimeoutMs: 600_000,
    maxMemoryBytes: 512 * 1024 * 1024,
  });
}

async function fill(): Promise<void> {
  const store = await openVectorStore(database);
  const model = { provider: "bench", model: "bench", dimensions: 0, documentPrefix: "", queryPrefix: "" };
  const { spaceId } = await store.space(model, Date.now());
  for (let at = 0; at < CHUNKS; at += CHUNKS_PER_SAVE) {
    const numbered = Array.from({ length: CHUNKS_PER_SAVE }, (_, i) => at + i);
    const vectors = numbered.map((chunk) => {
      const vector = direction();
      floats.set(vector, chunk * DIMENSIONS);
      return { chunk: nameOf(chunk), vector: quantise(vector) };
    });
    await store.save(spaceId, vectors);
  }
  await store.saveSlices(
    corpus.files.map(({ key }, file) => ({
      key: sliceKey(key),
      slices: encodeSlices(
        Array.from({ length: CHUNKS_PER_FILE }, (_, i) => ({
          chunk: nameOf(file * CHUNKS_PER_FILE + i),
          lineStart: i * 40 + 1,
          lineEnd: i * 40 + 40,
        })),
      ),
    })),
  );
  await store.close();
}

/** Returns the ten nearest chunks by the exact floats. */
function exactTop(query: Float32Array): ReadonlySet<string> {
  const scored: { chunk: number; score: number }[] = [];
  for (let chunk = 0; chunk < CHUNKS; chunk++) {
    let score = 0;
    for (let at = 0, place = chunk * DIMENSIONS; at < DIMENSIONS; at++, place++)
      score += (query[at] ?? 0) * (floats[place] ?? 0);
    scored.push({ chunk, score });
  }
  const best = scored.sort((a, b) => b.score - a.score).slice(0, 10);
  return new Set(
    best.map(
      ({ chunk }) =>
        `src/file${Math.floor(chunk / CHUNKS_PER_FILE)}.ts:${(chunk % CHUNKS_PER_FILE) * 40 + 1}`,
    ),
  );
}

interface Searches {
  readonly own: number[];
  readonly processor: number[];
  readonly exact: number[];
  readonly recall: number;
}

async function searches(meaning: SemanticSearch): Promise<Searches> {
  const [own, processor, exact]: [number[], number[], number[]] = [[], [], []];
  let hits = 0;
  for (let round = -WARM_UP; round < QUERIES; round++) {
    const question = `question ${round}`;
    questions.set(question, direction());
    const before = process.cpuUsage();
    const start = performance.now();
    const { found } = await meaning.search(question, corpus, { limit: 60 });
    const middle = performance.now();
    const used = process.cpuUsage(before);
    const wanted = exactTop(questions.get(question) ?? direction());
    if (round < 0) continue;
    own.push(middle - start);
    processor.push((used.user + used.system) / 1_000);
    exact.push(performance.now() - middle);
    hits += found.slice(0, 10).filter(({ path, lineStart }) => wanted.has(`${path}:${lineStart}`)).length;
  }
  return { own, processor, exact, recall: hits / (QUERIES * 10) };
}

function scans(): { simd: number[]; plain: number[] } {
  const fast = createSimdScanner(DIMENSIONS);
  const slow = createPlainScanner(DIMENSIONS);
  for (let chunk = 0; chunk < CHUNKS / 4; chunk++) {
    const { codes } = quantise(floats.subarray(chunk * DIMENSIONS, (chunk + 1) * DIMENSIONS));
    fast?.add(codes);
    slow.add(codes);
  }
  const out = new Int32Array(CHUNKS / 4);
  const times = (scanner: typeof fast): number[] =>
    Array.from({ length: 8 }, () => {
      const { codes } = quantise(direction());
      const start = performance.now();
      scanner?.dots(codes, out);
      return (performance.now() - start) * 4;
    }).slice(2);
  return { simd: times(fast), plain: times(slow) };
}

try {
  await fill();
  const first = open();
  const started = performance.now();
  questions.set("the first one", direction());
  await first.search("the first one", corpus, { limit: 60 });
  const cold = performance.now() - started;
  const { own, processor, exact, recall } = await searches(first);
  const status = await first.status(corpus);
  await first.close();
  const { simd, plain } = scans();
  const one = (value: number) => sampleOf([value]);
  report({
    title: "Semantic search",
    about:
      "100,000 chunks of 768 dimensions in the embedded store, without the provider's own time. The exact scan goes through the same vectors as floats in the same process. Random directions: the hardest case for vectors kept in bytes.",
    figures: [
      {
        what: "a question, warm",
        unit: "ms",
        pith: sampleOf(own),
        other: { name: "exact scan of floats", sample: sampleOf(exact) },
        allowed: 0.2,
      },
      {
        what: "a question, warm, processor time",
        unit: "ms",
        pith: sampleOf(processor),
        atMost: 50,
        note: "what it takes on an idle machine",
      },
      { what: "recall@10 against exact floats", unit: "of 1", pith: one(recall), atLeast: 0.97 },
      {
        what: "the scan alone, with SIMD",
        unit: "ms",
        pith: sampleOf(simd),
        other: { name: "plain JavaScript, the fallback", sample: sampleOf(plain) },
        allowed: 0.2,
      },
      {
        what: "the first question of a process, all vectors read from the store",
        unit: "ms",
        pith: one(cold),
      },
      {
        what: "memory for the vectors",
        unit: "MB",
        pith: one(status.vectors_in_memory_bytes / 1e6),
        other: { name: "as floats", sample: one(floats.byteLength / 1e6) },
        atMost: 125,
      },
      { what: "the store on disk", unit: "MB", pith: one(statSync(database).size / 1e6) },
    ],
  });
} finally {
  rmSync(data, { recursive: true, force: true });
}
