import type { ProviderKind } from "../provider.ts";
import { field, isList } from "../response.ts";

/** The protocol of OpenAI's `/v1/embeddings`, which most other services and local servers also speak. */
export const openai: ProviderKind = {
  id: "openai",
  callUrl(endpoint) {
    const url = new URL(endpoint);
    const base = url.pathname.replace(/\/+$/, "");
    if (base === "") url.pathname = "/v1/embeddings";
    else if (!base.endsWith("/embeddings")) url.pathname = `${base}/embeddings`;
    return url;
  },
  headers: (apiKey) => (apiKey === "" ? {} : { Authorization: `Bearer ${apiKey}` }),
  body: ({ model, texts, dimensions }) => ({
    model,
    input: texts,
    encoding_format: "float",
    ...(dimensions > 0 && { dimensions }),
  }),
  vectors(response) {
    const data = field(response, "data");
    if (!isList(data)) return undefined;
    const ordered: unknown[] = Array.from({ length: data.length });
    for (const [place, entry] of data.entries()) {
      const index = field(entry, "index");
      // A server that leaves out the index returns the vectors in the order of the texts.
      const at = typeof index === "number" && Number.isInteger(index) ? index : place;
      if (at < 0 || at >= data.length || ordered[at] !== undefined) return undefined;
      ordered[at] = field(entry, "embedding");
    }
    return ordered;
  },
};
