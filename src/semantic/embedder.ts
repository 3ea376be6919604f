import { PithError } from "../kernel/errors.ts";
import { nearestNames } from "../kernel/nearest.ts";
import { postJson } from "./http.ts";
import type { Embedder, ProviderKind } from "./provider.ts";
import { PROVIDERS } from "./providers/registry.ts";
import { checkVectors } from "./response.ts";

export interface EmbedderSettings {
  readonly provider: string;
  /** Empty for the provider's own place, where it has one on this machine. */
  readonly endpoint: string;
  readonly apiKey: string;
  /** Takes secrets out of what is sent. */
  readonly redact: (text: string) => string;
}

/** A number of a vector in JSON takes some 20 bytes; a model with 16,384 dimensions is the largest thinkable. */
const MAX_BYTES_A_TEXT = 16_384 * 24;
const MAX_FRAME_BYTES = 64 * 1024;

/** The configured provider, ready to be called; a setting that cannot be is an error before anything is sent. */
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
          texts: texts.map((text) => settings.redact(text)),
          dimensions: model.dimensions,
        }),
        timeoutMs,
        maxBytes: MAX_FRAME_BYTES + texts.length * MAX_BYTES_A_TEXT,
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
        suggestion: "Name it, for example https://api.openai.com/v1 or http://127.0.0.1:8080/v1.",
      },
    );
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || (url.protocol !== "http:" && url.protocol !== "https:"))
    throw new PithError("config_invalid", "search.semantic.endpoint is no http or https address", {
      key: "search.semantic.endpoint",
    });
  return url;
}

/** fetch refuses addresses with a user name in them; a gateway may want one all the same. */
function basicCredentials({ username, password }: URL): Readonly<Record<string, string>> {
  if (username === "" && password === "") return {};
  const pair = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  return { Authorization: `Basic ${Buffer.from(pair).toString("base64")}` };
}
