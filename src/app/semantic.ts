import type { LazyTeam } from "./team.ts";
import type { Environment } from "../config/environment.ts";
import type { Config } from "../config/keys.ts";
import { PithError } from "../kernel/errors.ts";
import type { Logger } from "../kernel/logger.ts";
import type { HealthCheck } from "../model/health.ts";
import { createEmbedder } from "../semantic/embedder.ts";
import type { SemanticSearch } from "../semantic/semantic-search.ts";
import type { Embedder, EmbeddingModel } from "../semantic/provider.ts";

/** The embedding provider and model that the configuration names. */
export interface Embeddings {
  readonly embedder: Embedder;
  readonly model: EmbeddingModel;
}

/**
 * Reads the embedding provider and model from the configuration; undefined if semantic search is off. An invalid
 * setting throws, so that the server does not start with it.
 */
export function embeddingsOf(config: Config, { variables }: Environment): Embeddings | undefined {
  const semantic = config["search.semantic"];
  const { provider, endpoint, api_key: ownKey, model } = semantic;
  if (provider === "off") return undefined;
  // The key in OPENAI_API_KEY is sent to OpenAI only.
  const openAiKey = /^https:\/\/api\.openai\.com(?:[:/]|$)/.test(endpoint)
    ? variables["OPENAI_API_KEY"]
    : undefined;
  const apiKey = ownKey === "" ? (openAiKey ?? "") : ownKey;
  const embedder = createEmbedder({ provider, endpoint, apiKey, redact: maskTexts });
  if (model === "")
    throw new PithError("config_invalid", "search.semantic.model is empty", {
      key: "search.semantic.model",
      suggestion: "Name the embedding model, for example nomic-embed-text.",
    });
  const { dimensions, query_prefix: queryPrefix, document_prefix: documentPrefix } = semantic;
  return { embedder, model: { name: model, dimensions, queryPrefix, documentPrefix } };
}

async function maskTexts(texts: readonly string[]): Promise<readonly string[]> {
  const { maskText } = await import("../security/secrets/mask.ts");
  return texts.map((text) => maskText(text));
}

/** Checks the embedding provider by requesting one vector, and reports where code is sent. */
export async function checkEmbeddings(config: Config, embeddings?: Embeddings): Promise<HealthCheck> {
  const name = "embeddings";
  if (embeddings === undefined) return { name, ok: true, detail: "off: no code is sent anywhere" };
  const { embedder, model } = embeddings;
  const where = `${embedder.provider} at ${embedder.shownEndpoint}, model ${model.name}`;
  const timeoutMs = config["search.semantic"].timeout_ms;
  const started = performance.now();
  try {
    const [vector] = await embedder.embed(model, ["pith doctor"], { timeoutMs });
    const ms = Math.round(performance.now() - started);
    return {
      name,
      ok: true,
      detail: `${where}: ${vector?.length ?? 0} dimensions in ${ms} ms; code is sent there`,
    };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return { name, ok: false, detail: `${where}: ${reason}; searches use words alone until it answers` };
  }
}

/** Opens semantic search over the vectors (embeddings of code) in the index database or in the team store. */
export async function openSemanticSearch(
  { embedder, model }: Embeddings,
  config: Config,
  given: { readonly path: string; readonly logger: Logger; readonly team?: LazyTeam },
): Promise<SemanticSearch> {
  const { path, logger, team } = given;
  const [{ createSemanticSearch }, { openVectorStore }] = await Promise.all([
    import("../semantic/semantic-search.ts"),
    import("../storage/sqlite/vector-store.ts"),
  ]);
  const semantic = config["search.semantic"];
  return createSemanticSearch({
    embedder,
    model,
    logger,
    openStore: async () =>
      team === undefined ? openVectorStore(path) : (await team()).openVectorStore(path),
    batchSize: semantic.batch_size,
    concurrency: semantic.concurrency,
    requestsPerMinute: semantic.requests_per_minute,
    timeoutMs: semantic.timeout_ms,
    queryTimeoutMs: semantic.query_timeout_ms,
    // A CLI command ends after one search, so it may wait as long as for the index.
    prepareTimeoutMs: Math.max(semantic.query_timeout_ms, config.index.time_budget_ms),
    maxMemoryBytes: semantic.max_memory_mb * 1024 * 1024,
  });
}
