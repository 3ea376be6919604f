import { createLogger } from "../../src/kernel/logger.ts";
import { createEmbedder } from "../../src/semantic/embedder.ts";
import { createSemanticSearch, type SemanticSearch } from "../../src/semantic/semantic-search.ts";
import type { SemanticSettings } from "../../src/semantic/components.ts";
import { openVectorStore } from "../../src/storage/sqlite/vector-store.ts";

export interface TestSemanticSearchOptions extends Partial<SemanticSettings> {
  readonly provider?: "ollama" | "openai";
  readonly modelName?: string;
}

/** Creates semantic search with the provider at this address and a database of the test. */
export function createTestSemanticSearch(
  url: string,
  database: string,
  options: TestSemanticSearchOptions = {},
): SemanticSearch {
  const { provider = "ollama", modelName = "toy", ...settings } = options;
  return createSemanticSearch({
    embedder: createEmbedder({
      provider,
      endpoint: url,
      apiKey: "",
      redact: (texts) => Promise.resolve(texts),
    }),
    model: { name: modelName, dimensions: 0, queryPrefix: "", documentPrefix: "" },
    openStore: () => openVectorStore(database),
    logger: createLogger("error", () => undefined),
    batchSize: 16,
    concurrency: 2,
    requestsPerMinute: 0,
    // Timeouts are long, because tests do not measure time.
    timeoutMs: 60_000,
    queryTimeoutMs: 60_000,
    prepareTimeoutMs: 60_000,
    maxMemoryBytes: 64 * 1024 * 1024,
    backoff: { firstMs: 5, maxMs: 50 },
    ...settings,
  });
}
