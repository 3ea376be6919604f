import type { IncomingMessage, ServerResponse } from "node:http";
import { pipeline } from "node:stream/promises";
import type { RunService } from "../runs/service.ts";
import type { Services } from "../app/services.ts";
import { type ErrorCode, PithError, toPithError } from "../kernel/errors.ts";
import { renderError } from "../render/error.ts";
import type { Reader } from "../render/reader/reader.ts";
import { maskError } from "../security/secrets/mask-error.ts";
import { HttpError, readJson } from "./body.ts";
import { cancelJobTool, type LogQuery, readLogQuery, showJobTool, submitJobTool } from "./job-tools.ts";
import { callTool } from "../app/pipeline.ts";
import type { AnyTool } from "../app/tool.ts";
import { getJobLogsTool } from "../app/tools/get-job-logs.ts";
import { workerStatusTool } from "../app/tools/worker-status.ts";

/** The routes beside /mcp that take jobs without the protocol around them. */
export interface JobRoutes {
  isRoute(path: string): boolean;
  handle(request: IncomingMessage, response: ServerResponse): Promise<void>;
}

const HTTP: Reader = { surface: "http" };

type OpenLog = Awaited<ReturnType<RunService["openLog"]>>;

/** A log in JSON is held in memory: longer ones are cut there, and whole as text/plain. */
const MAX_JSON_LOG = 16 * 1024 * 1024;

/** The same checks and the same work as the tools behind them, answered in JSON. */
export function createJobRoutes(services: Services): JobRoutes {
  return {
    isRoute: (path) => /^\/(?:jobs(?:\/|$)|status$)/.test(path),
    async handle(request, response) {
      try {
        await route(request, response, services);
      } catch (error) {
        if (response.headersSent) throw error;
        sendError(response, error);
      }
    },
  };
}

async function route(request: IncomingMessage, response: ServerResponse, services: Services): Promise<void> {
  const url = new URL(request.url ?? "/", "http://localhost");
  const [top, id, part, ...more] = url.pathname
    .split("/")
    .slice(1)
    .filter((name) => name !== "");
  const query = queryOf(url);
  const method = request.method ?? "GET";
  const call = (tool: AnyTool, args: Record<string, unknown>): Promise<void> =>
    callRoute(tool, args, { services, response });
  const place = [top, ...(id === undefined ? [] : ["ID"]), ...(part === undefined ? [] : [part])].join("/");
  if (more.length > 0) throw new HttpError(404, "Not found");
  switch (`${method} ${place}`) {
    case "POST jobs":
      return call(submitJobTool, await bodyOf(request));
    case "GET jobs/ID":
      return call(showJobTool, { ...query, job_id: id });
    case "DELETE jobs/ID":
      return call(cancelJobTool, { ...query, job_id: id });
    case "GET jobs/ID/logs":
      if (Object.keys(query).some((name) => name !== "stream"))
        return call(getJobLogsTool, { ...query, job_id: id });
      return sendLog(response, readLogQuery(id ?? "", query), { services, asText: wantsText(request) });
    case "GET status":
      return call(workerStatusTool, query);
    default:
      throw new HttpError(
        PLACES.has(place) ? 405 : 404,
        PLACES.has(place) ? `No ${method} here` : "Not found",
      );
  }
}

const PLACES: ReadonlySet<string> = new Set(["jobs", "jobs/ID", "jobs/ID/logs", "status"]);

function queryOf(url: URL): Record<string, unknown> {
  const query: Record<string, unknown> = {};
  for (const [name, value] of url.searchParams) query[name] = value;
  return query;
}

async function bodyOf(request: IncomingMessage): Promise<Record<string, unknown>> {
  const body = await readJson(request);
  if (typeof body === "object" && body !== null && !Array.isArray(body)) return { ...body };
  throw new PithError("invalid_input", "The body is no JSON object", {
    suggestion: 'Send {"command": "npm test"} with Content-Type application/json.',
  });
}

async function callRoute(
  tool: AnyTool,
  args: Record<string, unknown>,
  { services, response }: { services: Services; response: ServerResponse },
): Promise<void> {
  // A client that goes away has not cancelled its job.
  const caller = { reader: HTTP, signal: new AbortController().signal, progress: () => undefined };
  const answer = await callTool(tool, { ...args, response_format: "json" }, services, caller);
  const code = answer.meta["error"] as ErrorCode | undefined;
  const pending = answer.meta["status"] === "running" && tool === submitJobTool;
  send(response, code === undefined ? (pending ? 202 : 200) : (STATUS[code] ?? 500), answer.text);
}

/** Codes that say more than that something failed here. */
const STATUS: Readonly<Partial<Record<ErrorCode, number>>> = {
  invalid_input: 400,
  invalid_cwd: 400,
  workspace_not_allowed: 403,
  permission_denied: 403,
  permission_required: 403,
  run_not_found: 404,
  pool_unavailable: 503,
  store_unavailable: 503,
};

/** Both streams in their order as plain text, whole however long; in JSON each by itself. */
async function sendLog(
  response: ServerResponse,
  { jobId, stream }: LogQuery,
  { services, asText }: { services: Services; asText: boolean },
): Promise<void> {
  const log = await (await services.runs()).openLog(jobId);
  try {
    if (asText) {
      response.writeHead(200, { "Content-Type": "text/plain; charset=utf-8" });
      await pipeline(bytesOf(log, stream), response);
      return;
    }
    const fields: Record<string, unknown> = { job_id: jobId };
    for (const name of ["stdout", "stderr"] as const) {
      if (stream !== "both" && stream !== name) continue;
      const parts: Buffer[] = [];
      let size = 0;
      for await (const { bytes } of log.bytes(name, 1)) {
        parts.push(bytes);
        size += bytes.length;
        if (size > MAX_JSON_LOG) break;
      }
      fields[name] = Buffer.concat(parts).subarray(0, MAX_JSON_LOG).toString("utf8");
      if (size > MAX_JSON_LOG) fields["truncated"] = "longer than 16 MiB: ask for text/plain";
    }
    send(response, 200, JSON.stringify(fields));
  } finally {
    await log.close();
  }
}

async function* bytesOf(log: OpenLog, stream: LogQuery["stream"]): AsyncGenerator<Buffer> {
  for await (const { bytes } of log.bytes(stream, 1)) yield bytes;
}

function wantsText(request: IncomingMessage): boolean {
  return /\btext\/plain\b/.test(request.headers.accept ?? "");
}

function sendError(response: ServerResponse, error: unknown): void {
  if (error instanceof HttpError)
    return send(
      response,
      error.status,
      JSON.stringify({ error: { code: "invalid_input", message: error.message } }),
    );
  const { error: known, masked } = maskError(toPithError(error));
  send(response, STATUS[known.code] ?? 500, renderError(known, HTTP, masked));
}

function send(response: ServerResponse, status: number, text: string): void {
  response.writeHead(status, { "Content-Type": "application/json" });
  response.end(text);
}
