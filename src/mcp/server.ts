import { CLIENT_INFO_META_KEY, ProtocolError, ProtocolErrorCode, Server } from "@modelcontextprotocol/server";
import type { CallToolRequest, CallToolResult, ServerContext, Tool } from "@modelcontextprotocol/server";
import packageJson from "../../package.json" with { type: "json" };
import type { Services } from "../app/services.ts";
import { nearestNames } from "../kernel/nearest.ts";
import { estimateTokens } from "../kernel/tokens.ts";
import { TOOL_LIST } from "../model/usage.ts";
import type { Reader } from "../render/reader/reader.ts";
import { instructionsFor } from "./instructions.ts";
import { listTool } from "./listing.ts";
import { callTool } from "../app/pipeline.ts";
import type { Agent, Answer } from "../app/pipeline.ts";
import { startProgress } from "../app/progress.ts";
import type { AnyTool } from "../app/tool.ts";

/** How long clients may cache the tool list: an hour, because the list is fixed at start. */
const LIST_CACHE = { ttlMs: 3_600_000, cacheScope: "private" } as const;

/**
 * Creates an MCP server for one connection or request. It holds no state. `session` names the conversation if all
 * requests belong to one; by default the transport's own session counts.
 */
export function createServer(
  services: Services,
  tools: readonly AnyTool[],
  { session }: { readonly session?: string } = {},
): Server {
  const { structured } = services.config.server;
  const server = new Server(
    { name: "pith", title: "Pith", version: packageJson.version },
    {
      capabilities: { tools: {} },
      instructions: instructionsFor(new Set(tools.map(({ name }) => name))),
      cacheHints: { "tools/list": LIST_CACHE, "server/discover": LIST_CACHE },
    },
  );
  const listed = tools.map((tool) => listTool(tool, structured));
  const reader: Reader = { surface: "mcp", tools: new Set(tools.map(({ name }) => name)) };
  server.setRequestHandler("tools/list", (_, context) => {
    const agent = agentOf(server, context, session);
    if (agent !== undefined)
      services.ledger.record({
        tool: TOOL_LIST,
        client: agent.client,
        ...(agent.session === undefined ? {} : { session: agent.session }),
        tokens: listTokens(listed),
        failed: false,
        duration_ms: 0,
      });
    return { tools: listed };
  });
  server.setRequestHandler("tools/call", async (request, context) => {
    const tool = findTool(tools, request.params.name);
    const agent = agentOf(server, context, session);
    const answer = await answerCall(tool, request, context, { services, reader, agent });
    return toResult(answer, structured, agent === undefined ? undefined : services.takeNotice());
  });
  return server;
}

/** The number of tokens of the tool list that a model reads: names, descriptions and schemas. */
function listTokens(tools: readonly Tool[]): number {
  return estimateTokens(
    JSON.stringify(tools.map(({ name, description, inputSchema }) => ({ name, description, inputSchema }))),
  );
}

/** The clients `pith doctor` and Pith's runner. No model reads what they request. */
const OWN_CHECKS: ReadonlySet<string> = new Set(["pith-handshake", "pith-runner"]);

/** The agent that sent a request; undefined for Pith's own checks. */
function agentOf(server: Server, context: ServerContext, session = context.sessionId): Agent | undefined {
  const client = clientName(server, context) ?? "unnamed";
  return OWN_CHECKS.has(client) ? undefined : { client, session };
}

/** The name of the client. The newer protocol sends it with each request, the older one when the connection is opened. */
function clientName(server: Server, { mcpReq: { envelope } }: ServerContext): string | undefined {
  const sent =
    envelope !== undefined && CLIENT_INFO_META_KEY in envelope ? envelope[CLIENT_INFO_META_KEY] : undefined;
  const info = sent ?? server.getClientVersion();
  const named = typeof info === "object" && info !== null && "name" in info && typeof info.name === "string";
  return named ? String(info.name) : undefined;
}

function findTool(tools: readonly AnyTool[], name: string): AnyTool {
  const tool = tools.find((candidate) => candidate.name === name);
  if (tool !== undefined) return tool;
  const names = tools.map((candidate) => candidate.name);
  const near = nearestNames(name, names);
  const hint = near.length > 0 ? `did you mean ${near.join(" or ")}?` : `this server has ${names.join(", ")}`;
  throw new ProtocolError(ProtocolErrorCode.InvalidParams, `Tool ${name.slice(0, 100)} not found; ${hint}`);
}

async function answerCall(
  tool: AnyTool,
  request: CallToolRequest,
  context: ServerContext,
  { services, ...who }: { services: Services; reader: Reader; agent: Agent | undefined },
): Promise<Answer> {
  const { signal, notify, _meta } = context.mcpReq;
  const progressToken = _meta?.progressToken;
  const progress = startProgress((update) => {
    if (progressToken === undefined || signal.aborted) return;
    notify({ method: "notifications/progress", params: { progressToken, ...update } }).catch(
      (error: unknown) => {
        services.logger.event("progress.send_failed", { error: String(error) }, "debug");
      },
    );
  });
  try {
    const report = progress.report.bind(progress);
    const caller = { ...who, signal, progress: report };
    return await callTool(tool, request.params.arguments ?? {}, services, caller);
  } finally {
    progress.stop();
  }
}

/** Writes the result of a call. A notice is a text of its own, so that a reply in JSON stays valid. */
function toResult(answer: Answer, structured: boolean, notice?: string): CallToolResult {
  const texts = notice === undefined ? [answer.text] : [answer.text, notice];
  return {
    content: texts.map((text) => ({ type: "text", text })),
    ...(answer.isError ? { isError: true } : {}),
    ...(structured && !answer.isError ? { structuredContent: { text: answer.text, ...answer.meta } } : {}),
    _meta: { pith: answer.meta },
  };
}
