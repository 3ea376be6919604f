import { PithError } from "../kernel/errors.ts";
import { nearestNames } from "../kernel/nearest.ts";
import { postJson } from "./post-json.ts";
import type { Embedder, ProviderKind } from "./provider.ts";
import { PROVIDERS } from "./providers/registry.ts";
import { checkVectors } from "./response.ts";

export interface EmbedderSettings {
  readonly provider: string;
  /** Address of the provider. An empty one means the provider's default endpoint on this machine, if it has one. */
  readonly endpoint: string;
  readonly apiKey: string;
  /** Masks secrets in the texts before they are sent to the provider. */
  readonly redact: (texts: readonly string[]) => Promise<readonly string[]>;
}

/**
 * Maximum size of the response for one text: a number takes about 20 bytes in JSON, and no known model has more than
 * 16,384 dimensions.
 */
const MAX_BYTES_PER_TEXT = 16_384 * 24;
const MAX_FRAME_BYTES = 64 * 1024;

/**
 * Creates a client for the configured embedding provider. An invalid setting is reported here, before anything is sent.
 */
export function createEmbedder(settings: EmbedderSettings): Embedder {
  const kind = providerNamed(settings.provider);
  const endpoint = endpointOf(kind, settings.endpoint);
  const url = kind.callUrl(endpoint);
  const headers = { ...basicCredentials(endpoint), ...kind.headers(settings.apiKey) };
  url.username = "";
  url.password = "";
  return {
    provider: kind.id,
    shownEndpoint: `${url.origin}${url.pathname}`,
    async embed(model, texts, { timeoutMs, signal }) {
      if (texts.length === 0) return [];
      const response = await postJson({
        url,
        headers,
        body: kind.body({
          model: model.name,
          texts: await settings.redact(texts),
          dimensions: model.dimensions,
        }),
        timeoutMs,
        maxBytes: MAX_FRAME_BYTES + texts.length * MAX_BYTES_PER_TEXT,
        ...(signal !== undefined && { signal }),
      });
      return checkVectors(kind.vectors(response), texts.length);
    },
  };
}

function providerNamed(id: string): ProviderKind {
  const kind = PROVIDERS.find((known) => known.id === id);
  if (kind !== undefined) return kind;
  const names = ["off", ...PROVIDERS.map((known) => known.id)];
  const [nearest] = nearestNames(id, names, 1);
  throw new PithError(
    "config_invalid",
    `search.semantic.provider is ${JSON.stringify(id)}; allowed: ${names.join(", ")}`,
    {
      key: "search.semantic.provider",
      ...(nearest !== undefined && { suggestion: `Did you mean ${nearest}?` }),
    },
  );
}

function endpointOf({ id, defaultEndpoint }: ProviderKind, named: string): URL {
  const text = named === "" ? (defaultEndpoint ?? "") : named;
  if (text === "")
    throw new PithError(
      "config_invalid",
      `search.semantic.endpoint is empty: ${id} needs to know where to send texts`,
      {
        key: "search.semantic.endpoint",
        suggestion: "Set it, for example https://api.openai.com/v1 or http://127.0.0.1:8080/v1.",
      },
    );
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || (url.protocol !== "http:" && url.protocol !== "https:"))
    throw new PithError("config_invalid", "search.semantic.endpoint is not an http or https address", {
      key: "search.semantic.endpoint",
    });
  return url;
}

/**
 * Turns a user name and password in the address into an authorization header, because fetch rejects addresses that
 * contain them.
 */
function basicCredentials({ username, password }: URL): Readonly<Record<string, string>> {
  if (username === "" && password === "") return {};
  const pair = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  return { Authorization: `Basic ${Buffer.from(pair).toString("base64")}` };
}
