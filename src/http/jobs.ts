import type { IncomingMessage, ServerResponse } from "node:http";
import { pipeline } from "node:stream/promises";
import type { RunService } from "../runs/service.ts";
import type { Services } from "../app/services.ts";
import { type Answer, callTool } from "../app/pipeline.ts";
import { choice } from "../app/schema/field.ts";
import { readArguments } from "../app/schema/read-arguments.ts";
import type { AnyTool } from "../app/tool.ts";
import { getJobLogsTool } from "../app/tools/get-job-logs.ts";
import { runCommandTool } from "../app/tools/run-command.ts";
import { STREAMS } from "../app/tools/run-plan.ts";
import { workerStatusTool } from "../app/tools/worker-status.ts";
import { MAX_TOKENS_CEILING } from "../kernel/budget.ts";
import { type ErrorCode, PithError, toPithError } from "../kernel/errors.ts";
import { renderError } from "../render/error.ts";
import type { Reader } from "../render/reader/reader.ts";
import { maskError } from "../security/secrets/mask-error.ts";
import { HttpError, readJson } from "./body.ts";

/** The HTTP routes, in addition to /mcp, that run jobs for programs that do not speak MCP. */
export interface JobRoutes {
  isRoute(path: string): boolean;
  handle(request: IncomingMessage, response: ServerResponse): Promise<void>;
}

const HTTP: Reader = { surface: "http" };

/**
 * The largest log that is sent as JSON, because it is held in memory; a longer one is truncated. As text/plain it is
 * streamed whole.
 */
const MAX_JSON_LOG_BYTES = 16 * 1024 * 1024;
/** The number of jobs whose verbosity is remembered; the oldest is forgotten first. */
const MAX_REMEMBERED_JOBS = 1_000;

/** Creates the HTTP routes for jobs. They call the same tools as MCP clients do, and answer in JSON. */
export function createJobRoutes(services: Services): JobRoutes {
  const verbosities = new Map<string, unknown>();
  return {
    isRoute: (path) => /^\/(?:jobs(?:\/|$)|status$)/.test(path),
    async handle(request, response) {
      try {
        await route({ request, response, services, verbosities });
      } catch (error) {
        if (response.headersSent) throw error;
        sendError(response, error);
      }
    },
  };
}

interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly services: Services;
  /** The verbosity that each job was submitted with. It is the default when the job is shown. */
  readonly verbosities: Map<string, unknown>;
}

async function route(exchange: Exchange): Promise<void> {
  const { request, response, services, verbosities } = exchange;
  const url = new URL(request.url ?? "/", "http://localhost");
  const [top, id = "", part, ...more] = url.pathname
    .split("/")
    .slice(1)
    .filter((name) => name !== "");
  const query = Object.fromEntries(url.searchParams);
  const method = request.method ?? "GET";
  const place = [top, ...(id === "" ? [] : ["ID"]), ...(part === undefined ? [] : [part])].join("/");
  if (more.length > 0) throw new HttpError(404, "Not found");
  switch (`${method} ${place}`) {
    case "POST jobs":
      return submit(await bodyOf(request), exchange);
    case "GET jobs/ID":
      return control(id, "wait", { wait_ms: 0, verbosity: verbosities.get(id), ...query }, exchange);
    case "DELETE jobs/ID":
      return control(id, "stop", query, exchange);
    case "GET jobs/ID/logs":
      if (Object.keys(query).every((name) => name === "stream")) return sendLog(id, query, exchange);
      return sendAnswer(response, await call(getJobLogsTool, { ...query, job_id: id }, services));
    case "GET status":
      return sendAnswer(response, await call(workerStatusTool, query, services));
    default:
      throw new HttpError(
        PLACES.has(place) ? 405 : 404,
        PLACES.has(place) ? `No ${method} here` : "Not found",
      );
  }
}

const PLACES: ReadonlySet<string> = new Set(["jobs", "jobs/ID", "jobs/ID/logs", "status"]);

/** Starts a job. The HTTP status 202 means that it has not ended yet. */
async function submit(body: Record<string, unknown>, exchange: Exchange): Promise<void> {
  const { response, services, verbosities } = exchange;
  const { timeout, ...job } = body;
  const args = { wait_ms: 0, ...FOR_PROGRAMS, ...job, ...(timeout != null && { timeout_secs: timeout }) };
  const answer = await call(runCommandTool, args, services);
  const { run_id: id, status } = answer.meta;
  if (typeof id === "string") {
    verbosities.set(id, body["verbosity"]);
    const [oldest] = verbosities.keys();
    if (verbosities.size > MAX_REMEMBERED_JOBS && oldest !== undefined) verbosities.delete(oldest);
  }
  sendAnswer(response, answer, status === "running" ? 202 : 200);
}

/** Waits for a job or stops it, and answers with its report. */
async function control(
  id: string,
  word: "wait" | "stop",
  args: Record<string, unknown>,
  { response, services }: Exchange,
): Promise<void> {
  const answer = await call(
    runCommandTool,
    { ...FOR_PROGRAMS, ...args, command: word, job_id: id },
    services,
  );
  sendAnswer(response, answer);
}

/** The budget for answers on these routes: programs read them, not models, so it is the largest one. */
const FOR_PROGRAMS = { max_tokens: MAX_TOKENS_CEILING };

function call(tool: AnyTool, args: Record<string, unknown>, services: Services): Promise<Answer> {
  // The signal never aborts, because a client that disconnects has not cancelled its job.
  const caller = { reader: HTTP, signal: new AbortController().signal, progress: () => undefined };
  return callTool(tool, { ...args, response_format: "json" }, services, caller);
}

async function bodyOf(request: IncomingMessage): Promise<Record<string, unknown>> {
  const body = await readJson(request);
  if (typeof body === "object" && body !== null && !Array.isArray(body)) return { ...body };
  throw new PithError("invalid_input", "The body is no JSON object", {
    suggestion: 'Send {"command": "npm test"} with Content-Type application/json.',
  });
}

type LogStream = (typeof STREAMS)[number];

/**
 * Streams a whole log without limiting its tokens: both streams in their order as plain text, or each as a string in
 * JSON.
 */
async function sendLog(
  id: string,
  query: Readonly<Record<string, unknown>>,
  { request, response, services }: Exchange,
): Promise<void> {
  const args = readArguments("GET /jobs/ID/logs", { fields: { stream: choice(STREAMS) } }, query);
  const stream = STREAMS.find((name) => name === args["stream"]) ?? "both";
  const log = await (await services.runs()).openLog(id);
  try {
    if (/\btext\/plain\b/.test(request.headers.accept ?? "")) {
      response.writeHead(200, { "Content-Type": "text/plain; charset=utf-8" });
      await pipeline(bytesOf(log, stream), response);
    } else send(response, 200, JSON.stringify({ job_id: id, ...(await logFields(log, stream)) }));
  } finally {
    await log.close();
  }
}

type OpenLog = Awaited<ReturnType<RunService["openLog"]>>;

async function* bytesOf(log: OpenLog, stream: LogStream): AsyncGenerator<Buffer> {
  for await (const { bytes } of log.bytes(stream, 1)) yield bytes;
}

async function logFields(log: OpenLog, stream: LogStream): Promise<Record<string, string>> {
  const fields: Record<string, string> = {};
  for (const name of ["stdout", "stderr"] as const) {
    if (stream !== "both" && stream !== name) continue;
    const parts: Buffer[] = [];
    let size = 0;
    for await (const bytes of bytesOf(log, name)) {
      parts.push(bytes);
      size += bytes.length;
      if (size > MAX_JSON_LOG_BYTES) break;
    }
    fields[name] = Buffer.concat(parts).subarray(0, MAX_JSON_LOG_BYTES).toString("utf8");
    if (size > MAX_JSON_LOG_BYTES) fields["truncated"] = "longer than 16 MiB: ask for text/plain";
  }
  return fields;
}

/** The HTTP status of an error code (default: 500). */
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

function sendAnswer(response: ServerResponse, { text, error }: Answer, status = 200): void {
  send(response, error === undefined ? status : (STATUS[error.code] ?? 500), text);
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
