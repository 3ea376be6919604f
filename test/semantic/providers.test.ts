import type { ServerResponse } from "node:http";
import { describe, expect, it } from "vitest";
import { createEmbedder } from "../../src/semantic/embedder.ts";
import { EmbeddingFailure } from "../../src/semantic/failure.ts";
import { readRetryAfter } from "../../src/semantic/post-json.ts";
import { PROVIDERS } from "../../src/semantic/providers/registry.ts";
import { json, sendVectors, startEmbeddingServer, type Misbehaviour } from "../support/embedding-server.ts";
import { toyEmbedding } from "../support/toy-embeddings.ts";

const MODEL = { name: "toy", dimensions: 0, queryPrefix: "", documentPrefix: "" };

function embedderAt(provider: string, endpoint: string, apiKey = "") {
  return createEmbedder({
    provider,
    endpoint,
    apiKey,
    redact: (texts) => Promise.resolve(texts.map((text) => text.replaceAll(/sk-[a-z0-9]+/g, "[secret]"))),
  });
}

describe.each(PROVIDERS.map(({ id }) => id))("%s", (provider) => {
  it("returns vectors in the order of the texts and sends the key and the dimensions", async () => {
    const server = await startEmbeddingServer();
    const embedder = embedderAt(provider, server.url, "key-1");
    const vectors = await embedder.embed(MODEL, ["one thing", "another"], { timeoutMs: 20_000 });
    expect(vectors.map((vector) => Array.from(vector))).toEqual(
      ["one thing", "another"].map((text) => toyEmbedding(text, 64)),
    );
    await embedder.embed({ ...MODEL, dimensions: 16 }, ["x token sk-abc123"], { timeoutMs: 20_000 });
    expect(server.calls[1]).toMatchObject({
      model: "toy",
      dimensions: 16,
      texts: ["x token [secret]"],
      authorization: "Bearer key-1",
    });
    expect(await embedder.embed(MODEL, [], { timeoutMs: 20_000 })).toEqual([]);
    expect(server.calls).toHaveLength(2);
  });

  const failing: Record<string, [Misbehaviour, Partial<EmbeddingFailure>]> = {
    "an answer that is a page": [
      (_call, response) => page(response, 200),
      { kind: "invalid_response", blamesInput: false },
    ],
    "a page with status 500": [(_call, response) => page(response, 500), { kind: "server_error" }],
    "429 with Retry-After": [
      (_call, response) => (json(response, 429, { error: "slow down" }, { "Retry-After": "7" }), true),
      { kind: "busy", retryAfterMs: 7_000, message: "status 429: slow down" },
    ],
    "401": [
      (_call, response) => (json(response, 401, { error: { message: "bad key" } }), true),
      { kind: "denied", message: "status 401: bad key" },
    ],
    "404": [
      (_call, response) => (json(response, 404, { error: 'model "toy" not found' }), true),
      { kind: "not_found", message: 'status 404: model "toy" not found' },
    ],
    "400": [
      (_call, response) => (json(response, 400, {}), true),
      { kind: "rejected_input", blamesInput: true },
    ],
    "a redirect": [
      (_call, response) => (response.writeHead(307, { Location: "http://127.0.0.1:1/" }).end(), true),
      { kind: "unreachable", message: "status 307: redirects are not followed" },
    ],
    "fewer vectors than texts": [
      (call, response) => (sendVectors(call, response, [[1, 2]]), true),
      { kind: "invalid_response", blamesInput: true },
    ],
    "what is no number": [
      (call, response) => (
        sendVectors(call, response, [
          ["1", null],
          [1, 2],
        ]),
        true
      ),
      { kind: "invalid_response", blamesInput: true },
    ],
    "numbers beyond all bounds": [
      (call, response) => (
        sendVectors(call, response, [
          [1e300, 1],
          [1, 2],
        ]),
        true
      ),
      { kind: "invalid_response", blamesInput: true },
    ],
    "a vector of zeroes": [
      (call, response) => (
        sendVectors(call, response, [
          [0, 0],
          [1, 2],
        ]),
        true
      ),
      { kind: "invalid_response", blamesInput: true },
    ],
    "vectors of different lengths": [
      (call, response) => (sendVectors(call, response, [[1], [1, 2]]), true),
      { kind: "wrong_dimensions" },
    ],
    "a shape of its own": [
      (_call, response) => (json(response, 200, { result: [] }), true),
      { kind: "invalid_response", blamesInput: false },
    ],
    "NaN, as some servers write it": [
      (_call, response) => (response.writeHead(200).end('{"embeddings":[[NaN]]}'), true),
      { kind: "invalid_response" },
    ],
    "an answer without end": [(_call, response) => flood(response), { kind: "invalid_response" }],
    "a connection that breaks": [
      (_call, response) => (response.socket?.destroy(), true),
      { kind: "unreachable" },
    ],
  };
  it.each(Object.entries(failing))(
    "reports %s as the right kind of failure",
    async (_name, [misbehaviour, expected]) => {
      const server = await startEmbeddingServer({ misbehaviour });
      const failure = await embedderAt(provider, server.url)
        .embed(MODEL, ["a", "b"], { timeoutMs: 20_000 })
        .catch((error: unknown) => error);
      expect(failure).toBeInstanceOf(EmbeddingFailure);
      expect(failure).toMatchObject(expected);
    },
  );

  it("times out on a response that trickles in and on one that never comes", async () => {
    const server = await startEmbeddingServer({
      misbehaviour(_call, response, number) {
        if (number === 2) return true;
        response.writeHead(200);
        const timer = setInterval(() => response.write(" "), 20);
        response.on("close", () => clearInterval(timer));
        return true;
      },
    });
    const embedder = embedderAt(provider, server.url);
    for (let call = 0; call < 2; call++)
      await expect(embedder.embed(MODEL, ["a"], { timeoutMs: 200 })).rejects.toMatchObject({
        kind: "timeout",
        message: "no answer within 200 ms",
      });
  });

  it("reports a port where nothing listens", async () => {
    const server = await startEmbeddingServer();
    await server.stop();
    await expect(
      embedderAt(provider, server.url).embed(MODEL, ["a"], { timeoutMs: 20_000 }),
    ).rejects.toMatchObject({ kind: "unreachable", message: "connection refused" });
  });
});

function page(response: ServerResponse, status: number): boolean {
  response.writeHead(status, { "Content-Type": "text/html" }).end("<html><h1>Hello</h1></html>");
  return true;
}

function flood(response: ServerResponse): boolean {
  const piece = Buffer.alloc(64 * 1024, 32);
  const more = (): void => {
    while (!response.destroyed && response.write(piece));
    if (!response.destroyed) response.once("drain", more);
  };
  response.on("error", () => undefined);
  more();
  return true;
}

describe("the endpoint setting", () => {
  it.each([
    ["ollama", "", "http://127.0.0.1:11434/api/embed"],
    ["ollama", "http://box:9000/ollama/", "http://box:9000/ollama/api/embed"],
    ["ollama", "http://box/api", "http://box/api/embed"],
    ["openai", "https://api.openai.com/v1", "https://api.openai.com/v1/embeddings"],
    ["openai", "http://127.0.0.1:8080", "http://127.0.0.1:8080/v1/embeddings"],
    ["openai", "https://user:pass@host/x/embeddings?key=1", "https://host/x/embeddings"],
  ])("for %s written as %j resolves to %s", (provider, endpoint, shown) => {
    expect(embedderAt(provider, endpoint).shownEndpoint).toBe(shown);
  });

  it("must be a valid address, and is required for providers without a local default", () => {
    expect(() => embedderAt("openai", "")).toThrow(/search.semantic.endpoint is empty/);
    expect(() => embedderAt("ollama", "file:///etc/passwd")).toThrow(/not an http or https address/);
    expect(() => embedderAt("olama", "")).toThrow(/allowed: off, ollama, openai/);
  });

  it("sends a user name and password in a header", async () => {
    const server = await startEmbeddingServer();
    const url = new URL(server.url);
    url.username = "me";
    url.password = "p w";
    await embedderAt("ollama", url.href).embed(MODEL, ["a"], { timeoutMs: 20_000 });
    expect(server.calls[0]?.authorization).toBe(`Basic ${Buffer.from("me:p w").toString("base64")}`);
  });
});

describe("the Retry-After header", () => {
  it("is read as seconds or as a date and capped at ten minutes", () => {
    const now = Date.parse("2026-01-01T00:00:00Z");
    expect(readRetryAfter("3", now)).toBe(3_000);
    expect(readRetryAfter("Thu, 01 Jan 2026 00:01:00 GMT", now)).toBe(60_000);
    expect(readRetryAfter("Thu, 01 Jan 2025 00:01:00 GMT", now)).toBe(0);
    expect(readRetryAfter("999999", now)).toBe(600_000);
    expect(readRetryAfter("soon", now)).toBeUndefined();
    expect(readRetryAfter(null, now)).toBeUndefined();
  });
});
