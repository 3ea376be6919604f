import { createLogger } from "../../src/kernel/logger.ts";
import { createEmbedder } from "../../src/semantic/embedder.ts";
import { createMeaning, type Meaning } from "../../src/semantic/semantic-search.ts";
import type { MeaningSettings } from "../../src/semantic/parts.ts";
import { openVectorStore } from "../../src/storage/sqlite/vector-store.ts";

export interface TestMeaningOptions extends Partial<MeaningSettings> {
  readonly provider?: "ollama" | "openai";
  readonly modelName?: string;
}

/** Semantic search by a provider at this address, with vectors in a database of the test. */
export function createTestMeaning(url: string, database: string, options: TestMeaningOptions = {}): Meaning {
  const { provider = "ollama", modelName = "toy", ...settings } = options;
  return createMeaning({
    embedder: createEmbedder({ provider, endpoint: url, apiKey: "", redact: (text) => text }),
    model: { name: modelName, dimensions: 0, queryPrefix: "", documentPrefix: "" },
    openStore: () => openVectorStore(database),
    logger: createLogger("error", () => undefined),
    batchSize: 16,
    concurrency: 2,
    requestsPerMinute: 0,
    // Tests do not measure time.
    timeoutMs: 60_000,
    queryTimeoutMs: 60_000,
    prepareTimeoutMs: 60_000,
    maxMemoryBytes: 64 * 1024 * 1024,
    backoff: { firstMs: 5, maxMs: 50 },
    ...settings,
  });
}
