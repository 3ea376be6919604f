import type { ProviderKind } from "../provider.ts";
import { field, isList } from "../response.ts";

/** Ollama's native protocol, `POST /api/embed`. */
export const ollama: ProviderKind = {
  id: "ollama",
  defaultEndpoint: "http://127.0.0.1:11434",
  callUrl(endpoint) {
    const url = new URL(endpoint);
    const base = url.pathname.replace(/\/+$/, "");
    if (!base.endsWith("/api/embed")) url.pathname = `${base.replace(/\/api$/, "")}/api/embed`;
    return url;
  },
  // Ollama itself needs no key, but a gateway in front of it may.
  headers: (apiKey) => (apiKey === "" ? {} : { Authorization: `Bearer ${apiKey}` }),
  body: ({ model, texts, dimensions }) => ({
    model,
    input: texts,
    truncate: true,
    ...(dimensions > 0 && { dimensions }),
  }),
  vectors(response) {
    const vectors = field(response, "embeddings");
    return isList(vectors) ? vectors : undefined;
  },
};
