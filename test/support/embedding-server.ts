import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";
import { toyEmbedding } from "./toy-embeddings.ts";

/** One request as the server received it. */
export interface EmbedCall {
  readonly path: string;
  readonly model: string;
  readonly texts: readonly string[];
  readonly dimensions: number | undefined;
  readonly authorization: string | undefined;
}

/** Handles a request in place of the server; returns true if it did. */
export type Misbehaviour = (call: EmbedCall, response: ServerResponse, number: number) => boolean;

export interface EmbeddingServer {
  readonly url: string;
  readonly calls: readonly EmbedCall[];
  /** Returns all texts that were sent, in order. */
  texts(): string[];
  /** Sets how the next requests are handled; undefined restores normal behaviour. */
  behave(misbehaviour: Misbehaviour | undefined): void;
  stop(): Promise<void>;
}

export interface ServerOptions {
  readonly dimensions?: number;
  readonly misbehaviour?: Misbehaviour;
  /** Names of the models it offers; default: any name is accepted. */
  readonly models?: readonly string[];
  /** Words that get the same embedding. */
  readonly synonyms?: Readonly<Record<string, string>>;
}

/**
 * Starts an embedding provider on loopback that speaks the protocols of Ollama and OpenAI with toy embeddings; it stops when the test
 * ends.
 */
export async function startEmbeddingServer(options: ServerOptions = {}): Promise<EmbeddingServer> {
  const calls: EmbedCall[] = [];
  let { misbehaviour } = options;
  const server = createServer((request, response) => {
    let text = "";
    request.setEncoding("utf8").on("data", (chunk: string) => void (text += chunk));
    request.on("end", () => {
      const call = readCall(request, text);
      calls.push(call);
      if (misbehaviour?.(call, response, calls.length) !== true) answer(call, response, options);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const stop = (): Promise<void> =>
    new Promise((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  onTestFinished(stop);
  return {
    url: `http://127.0.0.1:${port}`,
    calls,
    texts: () => calls.flatMap((call) => call.texts),
    behave(next) {
      misbehaviour = next;
    },
    stop,
  };
}

function readCall(request: IncomingMessage, text: string): EmbedCall {
  const body = JSON.parse(text) as { model: string; input: string[]; dimensions?: number };
  return {
    path: request.url ?? "",
    model: body.model,
    texts: body.input,
    dimensions: body.dimensions,
    authorization: request.headers.authorization,
  };
}

/** Sends the correct answer in the protocol of the request's path. */
export function answer(call: EmbedCall, response: ServerResponse, options: ServerOptions = {}): void {
  const { models } = options;
  if (models !== undefined && !models.includes(call.model)) {
    json(response, 404, { error: `model "${call.model}" not found, try pulling it first` });
    return;
  }
  const dimensions = call.dimensions ?? options.dimensions ?? 64;
  sendVectors(
    call,
    response,
    call.texts.map((text) => toyEmbedding(translated(text, options.synonyms ?? {}), dimensions)),
  );
}

function translated(text: string, synonyms: Readonly<Record<string, string>>): string {
  return Object.entries(synonyms).reduce((all, [word, same]) => all.replaceAll(word, same), text);
}

export function sendVectors(call: EmbedCall, response: ServerResponse, vectors: readonly unknown[]): void {
  if (call.path === "/api/embed") json(response, 200, { model: call.model, embeddings: vectors });
  else
    json(response, 200, {
      object: "list",
      model: call.model,
      data: vectors.map((embedding, index) => ({ object: "embedding", index, embedding })),
      usage: { prompt_tokens: 1, total_tokens: 1 },
    });
}

export function json(
  response: ServerResponse,
  status: number,
  value: unknown,
  headers: Readonly<Record<string, string>> = {},
): void {
  response.writeHead(status, { "Content-Type": "application/json", ...headers });
  response.end(JSON.stringify(value));
}
