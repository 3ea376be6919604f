import { createHash, randomUUID, timingSafeEqual } from "node:crypto";
import { createServer as createHttpServer } from "node:http";
import type { IncomingMessage, Server as HttpServer, ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import {
  localhostHostValidation,
  localhostOriginValidation,
  NodeStreamableHTTPServerTransport,
  toNodeHandler,
  toWebRequest,
} from "@modelcontextprotocol/node";
import { createMcpHandler, isInitializeRequest, isLegacyRequest } from "@modelcontextprotocol/server";
import type { Server } from "@modelcontextprotocol/server";
import type { Logger } from "../kernel/logger.ts";
import { maxOpenFiles } from "../kernel/files/max-open-files.ts";
import { HttpError, MAX_BODY_BYTES, readJson } from "./body.ts";
import { CONNECTION_TIMEOUTS, limitConnections } from "./connections.ts";
import type { JobRoutes } from "./jobs.ts";

export interface HttpOptions {
  readonly port: number;
  /** The bearer token that every request must carry; empty for none. */
  readonly token: string;
  readonly logger: Logger;
  /** The HTTP routes for jobs. They are refused on a server without a token. */
  readonly jobs?: JobRoutes;
  /** Loads the page for people at the first request for it. It checks hosts, origins and tokens itself. */
  readonly page?: { isRoute(path: string): boolean; load(): Promise<PageRoutes> };
}

export interface PageRoutes {
  handle(request: IncomingMessage, response: ServerResponse): Promise<void>;
}

export interface HttpEndpoint {
  readonly url: string;
  close(): Promise<void>;
}

const KEEP_ALIVE_MS = 75_000;
/** Upper bound on open connections, of which each takes a descriptor; fewer if this process may open only few files. */
const MAX_CONNECTIONS = 512;

function maxConnections(): number {
  return Math.min(MAX_CONNECTIONS, Math.floor(maxOpenFiles() / 3));
}
/**
 * The most MCP sessions that are kept. Many clients never close theirs, so the oldest one is dropped when a new one
 * exceeds this limit.
 */
const MAX_SESSIONS = 256;

/**
 * Serves MCP at the path /mcp on the loopback interface, for the newer version of the protocol and for the older one
 * with sessions. Each client of the older one gets a session, because a cancellation reaches the running call only
 * within a session.
 */
export async function serveOnHttp(factory: () => Server, options: HttpOptions): Promise<HttpEndpoint> {
  const sessions = createSessions(factory, options.logger);
  const onerror = (error: Error): void =>
    options.logger.event("http.error", { error: error.message }, "warn");
  const handler = createMcpHandler(factory, {
    legacy: "reject",
    onerror,
    maxRequestBodySize: MAX_BODY_BYTES,
  });
  const modern = toNodeHandler(handler, { onerror, maxRequestBodySize: MAX_BODY_BYTES });
  const { jobs } = options;
  const isJob = (request: IncomingMessage): boolean => jobs?.isRoute(pathOf(request)) === true;
  const guards = [
    localhostHostValidation(),
    localhostOriginValidation(),
    (request: IncomingMessage, response: ServerResponse) =>
      options.token !== "" || !isJob(request) || refuseWithoutToken(response),
    bearerGuard(options.token),
    (request: IncomingMessage, response: ServerResponse) => isJob(request) || pathGuard(request, response),
  ];
  const http = createHttpServer(CONNECTION_TIMEOUTS, (incoming, response) => {
    // Node sets method and URL on every request that a server receives.
    const request = incoming as ServedRequest;
    if (options.page?.isRoute(pathOf(request)) === true) {
      void servePage(request, response, options);
      return;
    }
    if (guards.some((guard) => !guard(request, response))) return;
    const handled =
      jobs !== undefined && isJob(request)
        ? jobs.handle(request, response)
        : route(request, response, modern, sessions);
    handled.catch((error: unknown) => {
      if (error instanceof HttpError && !response.headersSent)
        return answer(response, error.status, error.message, error.status === 400 ? -32_700 : undefined);
      options.logger.event("http.failed", { error: String(error) }, "error");
      if (!response.headersSent) answer(response, 500, "Internal error");
      response.end();
    });
  });
  // Idle connections are kept longer than clients keep them, because a request on a connection that is just being
  // closed is lost.
  http.keepAliveTimeout = KEEP_ALIVE_MS;
  limitConnections(http, maxConnections());
  http.on("drop", () =>
    options.logger.event("http.connection_dropped", { open: http.maxConnections }, "warn"),
  );
  await listen(http, options.port);
  // Without a listener, a connection that cannot be accepted, because no descriptor is left, would end the process.
  http.on("error", onerror);
  const { port } = http.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/mcp`,
    async close() {
      await Promise.all([sessions.close(), handler.close()]);
      http.closeAllConnections();
      await new Promise((resolve) => http.close(resolve));
    },
  };
}

async function servePage(
  request: IncomingMessage,
  response: ServerResponse,
  { token, page, logger }: HttpOptions,
): Promise<void> {
  try {
    if (token === "" || page === undefined)
      return void refuseWithoutToken(response, "The page needs a token");
    await (await page.load()).handle(request, response);
  } catch (error) {
    logger.event("http.failed", { error: String(error) }, "error");
    response.destroy();
  }
}

type ServedRequest = IncomingMessage & { method: string; url: string };
type NodeHandler = ReturnType<typeof toNodeHandler>;

async function route(
  request: ServedRequest,
  response: ServerResponse,
  modern: NodeHandler,
  sessions: Sessions,
): Promise<void> {
  if (request.method !== "POST") return sessions.handle(request, response, undefined);
  const body = await readJson(request);
  if (typeof request.headers["mcp-session-id"] === "string") return sessions.handle(request, response, body);
  const legacy = await isLegacyRequest(await toWebRequest(request, body));
  await (legacy ? sessions.handle(request, response, body) : modern(request, response, body));
}

interface Sessions {
  handle(request: IncomingMessage, response: ServerResponse, body: unknown): Promise<void>;
  close(): Promise<void>;
}

function createSessions(factory: () => Server, logger: Logger): Sessions {
  const open = new Map<string, NodeStreamableHTTPServerTransport>();
  const start = async (): Promise<NodeStreamableHTTPServerTransport> => {
    const transport = new NodeStreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      onsessioninitialized: (id) => void open.set(id, transport),
      onsessionclosed: (id) => void open.delete(id),
    });
    transport.onclose = () => void (transport.sessionId !== undefined && open.delete(transport.sessionId));
    await factory().connect(transport);
    return transport;
  };
  const dropOldest = async (): Promise<void> => {
    const [id, transport] = open.entries().next().value ?? [];
    if (open.size < MAX_SESSIONS || id === undefined) return;
    open.delete(id);
    logger.event("http.session_dropped", { open: open.size });
    await transport?.close();
  };
  return {
    async handle(request, response, body) {
      const id = request.headers["mcp-session-id"];
      const known = typeof id === "string" ? open.get(id) : undefined;
      if (known !== undefined) return known.handleRequest(request, response, body);
      if (typeof id === "string") return answer(response, 404, "Session not found");
      if (!isInitializeRequest(body)) return answer(response, 400, "Initialize first, or send a session id");
      await dropOldest();
      await (await start()).handleRequest(request, response, body);
    },
    close: async () => void (await Promise.all([...open.values()].map((transport) => transport.close()))),
  };
}

/**
 * Checks the bearer token of a request. It compares hashes, so that the comparison takes constant time for tokens of
 * any length.
 */
function bearerGuard(token: string): (request: IncomingMessage, response: ServerResponse) => boolean {
  const wanted = digest(`Bearer ${token}`);
  return (request, response) => {
    if (token === "" || timingSafeEqual(digest(request.headers.authorization ?? ""), wanted)) return true;
    response.setHeader("WWW-Authenticate", "Bearer");
    answer(response, 401, "A bearer token is required");
    return false;
  };
}

function digest(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}

/** Refuses a request for jobs or the page on a server without a token, because these run any command. */
function refuseWithoutToken(response: ServerResponse, what = "The job routes need a bearer token"): boolean {
  answer(response, 403, `${what}, and this server has none: set PITH_SERVER_HTTP_TOKEN and start it again`);
  return false;
}

function pathOf({ url = "/" }: IncomingMessage): string {
  return url.split("?", 1)[0] ?? "/";
}

function pathGuard(request: IncomingMessage, response: ServerResponse): boolean {
  if (pathOf(request) === "/mcp") return true;
  answer(response, 404, "Not found; the endpoint is /mcp");
  return false;
}

function answer(response: ServerResponse, status: number, message: string, code = -32_000): void {
  response.writeHead(status, { "Content-Type": "application/json" });
  response.end(JSON.stringify({ jsonrpc: "2.0", error: { code, message }, id: null }));
}

async function listen(http: HttpServer, port: number): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    http.once("error", reject);
    http.listen(port, "127.0.0.1", () => {
      http.off("error", reject);
      resolve();
    });
  });
}
