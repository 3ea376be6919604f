import { startConversation } from "../exec/conversation.ts";
import type { Conversation, ConversationOptions } from "../exec/conversation.ts";
import { PithError } from "../kernel/errors.ts";

export type Era = "initialize" | "discover";

export interface Handshake {
  readonly protocolVersion: string;
  /** The tools in the order in which the server lists them. */
  readonly tools: readonly ListedTool[];
  readonly instructions: string;
}

export interface ListedTool {
  readonly name: string;
  readonly description?: string;
  readonly inputSchema?: unknown;
}

const CLIENT = { name: "pith-handshake", version: "1" };
const LEGACY_VERSION = "2025-11-25";
const MODERN_VERSION = "2026-07-28";

/**
 * Starts an MCP server and performs the handshake of the given protocol era (old or new), which proves that the server
 * not only runs but answers.
 */
export async function shakeHands(
  argv: readonly [string, ...string[]],
  era: Era,
  options: ConversationOptions,
): Promise<Handshake> {
  const server = startConversation(argv, options);
  try {
    return era === "initialize" ? await greetLegacy(server) : await greetModern(server);
  } finally {
    server.end();
  }
}

async function greetLegacy(server: Conversation): Promise<Handshake> {
  const params = { protocolVersion: LEGACY_VERSION, capabilities: {}, clientInfo: CLIENT };
  const hello = await ask(server, 1, "initialize", params);
  server.send(JSON.stringify({ jsonrpc: "2.0", method: "notifications/initialized" }));
  const list = await ask(server, 2, "tools/list", {});
  return {
    protocolVersion: textOf(hello["protocolVersion"]),
    instructions: textOf(hello["instructions"]),
    tools: toolsOf(list),
  };
}

async function greetModern(server: Conversation): Promise<Handshake> {
  const _meta = {
    "io.modelcontextprotocol/protocolVersion": MODERN_VERSION,
    "io.modelcontextprotocol/clientInfo": CLIENT,
    "io.modelcontextprotocol/clientCapabilities": {},
  };
  const hello = await ask(server, 1, "server/discover", { _meta });
  const list = await ask(server, 2, "tools/list", { _meta });
  const versions = hello["supportedVersions"];
  const protocolVersion = Array.isArray(versions) ? versions.map(String).join(", ") : "";
  return { protocolVersion, instructions: textOf(hello["instructions"]), tools: toolsOf(list) };
}

type Result = Readonly<Record<string, unknown>>;

async function ask(server: Conversation, id: number, method: string, params: object): Promise<Result> {
  server.send(JSON.stringify({ jsonrpc: "2.0", id, method, params }));
  const line = await server.receive((candidate) => idOf(candidate) === id);
  const reply = parse(line);
  const result = reply?.["result"];
  if (isObject(result)) return result;
  throw new PithError(
    "internal_error",
    `${method} was answered with ${JSON.stringify(reply?.["error"]).slice(0, 300)}`,
  );
}

function idOf(line: string): unknown {
  return parse(line)?.["id"];
}

function parse(line: string): Result | undefined {
  try {
    const value: unknown = JSON.parse(line);
    return isObject(value) ? value : undefined;
  } catch {
    // The line is not a protocol message, so the caller waits for the next line.
    return undefined;
  }
}

function toolsOf(list: Result): readonly ListedTool[] {
  const { tools } = list;
  return Array.isArray(tools) ? tools.filter(isTool) : [];
}

function isTool(value: unknown): value is ListedTool {
  return isObject(value) && typeof value["name"] === "string";
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}

function isObject(value: unknown): value is Result {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
