import { stat } from "node:fs/promises";
import type { Services } from "./services.ts";
import { Budget } from "../kernel/budget.ts";
import { PithError, toPithError } from "../kernel/errors.ts";
import { randomId } from "../kernel/ids.ts";
import { estimateTokens } from "../kernel/tokens.ts";
import type { Usage } from "../model/usage.ts";
import { renderError } from "../render/error.ts";
import { withMaskedNote } from "../render/masked-note.ts";
import { argumentNames, EVERY_TOOL, type Reader } from "../render/reader/reader.ts";
import type { Format } from "../render/rendered.ts";
import { maskError, type MaskedError } from "../security/secrets/mask-error.ts";
import type { JailedPath } from "../workspace/jail.ts";
import type { OpenOptions, Workspace } from "../workspace/workspaces.ts";
import { COMMON_ALIASES, COMMON_FIELDS, PROJECT_NAMES } from "./common-fields.ts";
import { resolveTargets } from "./file-target.ts";
import { severalNames, type SearchedProjects } from "./projects.ts";
import { RequestTrace } from "./request-trace.ts";
import { splitSearchPaths } from "./search-paths.ts";
import { readArguments } from "./schema/read-arguments.ts";
import type { AnyTool, Call, Reply } from "./tool.ts";

/** The answer to a call of a tool. Each surface (MCP, shell, HTTP) puts it into the form of its protocol. */
export interface Answer {
  readonly text: string;
  /** A note that a shell command prints on stderr, apart from the text. */
  readonly stderrNote?: string;
  readonly isError: boolean;
  /** The error of a call that failed; the text of the answer is its JSON. */
  readonly error?: PithError;
  readonly meta: Readonly<Record<string, unknown>>;
}

/** An agent that is connected as an MCP client. */
export interface Agent {
  /** The name that the client gave itself when it connected. */
  readonly client: string;
  /** Identifies the conversation; absent if the protocol does not tell which calls belong together. */
  readonly session?: string | undefined;
}

export interface Caller {
  /**
   * The agent that makes the call. Only agents' calls are recorded for `pith stats`; absent for commands that a user
   * types and for programs.
   */
  readonly agent?: Agent | undefined;
  /** Who reads the reply, which decides how the reply names further calls (default: an MCP client with every tool). */
  readonly reader?: Reader | undefined;
  readonly signal: AbortSignal;
  progress(message: string, done?: number, total?: number): void;
}

/**
 * Carries out a call: reads its arguments, opens the workspace, resolves paths, runs the tool, writes the reply and
 * records its cost in tokens. Tools only declare what they need of this. Errors of tools are caught here and nowhere
 * else.
 */
export async function callTool(
  tool: AnyTool,
  received: Readonly<Record<string, unknown>>,
  services: Services,
  caller: Caller,
): Promise<Answer> {
  const startedAt = Date.now();
  const answer = await carryOut(tool, received, services, caller);
  await services.calls.publish(tool.name, received, { agent: caller.agent, answer, startedAt });
  return answer;
}

async function carryOut(
  tool: AnyTool,
  received: Readonly<Record<string, unknown>>,
  services: Services,
  caller: Caller,
): Promise<Answer> {
  const requestId = randomId();
  const trace = new RequestTrace(services.logger, { tool: tool.name, request_id: requestId });
  trace.note("tool.request_received");
  const started = performance.now();
  try {
    trace.move("req:validating", "tool.validating");
    const prepared = await prepare(tool, received, services, { ...caller, trace });
    trace.move("req:executing_tool", "tool.exec_start");
    const reply = await tool.handle(prepared.values, prepared.call);
    const answer = await finish(tool, reply, { call: prepared.call, requestId });
    skipPruning(trace, Buffer.byteLength(answer.text));
    const mode = trace.state === "req:respond_pruned" ? "pruned" : "raw";
    const duration_ms = Math.round(performance.now() - started);
    record(services, caller, {
      tool: tool.name,
      tokens: answer.tokens,
      ...comparison(reply, prepared.values["cursor"] !== undefined),
      failed: answer.isError,
      duration_ms,
    });
    trace.move("req:responded", "tool.respond_ok", { mode, duration_ms });
    return answer;
  } catch (thrown) {
    const failure = maskError(failureOf(thrown, caller.signal));
    traceFailure(failure.error, thrown, trace);
    return fail(failure, { tool: tool.name, requestId, services, caller });
  }
}

/**
 * Moves the trace of a request on if its tool never asks the pruner, so that every request goes through the same
 * states.
 */
function skipPruning(trace: RequestTrace, bytes: number): void {
  if (trace.state !== "req:executing_tool") return;
  trace.move("req:raw_output_ready", "tool.exec_ok", { bytes });
  trace.move("req:prune_check", "pruner.check", { reason: "no_question" });
  trace.move("req:respond_raw", "pruner.skipped", { reason: "no_question" });
}

interface Prepared {
  readonly values: Readonly<Record<string, unknown>>;
  readonly call: Call;
}

async function prepare(
  tool: AnyTool,
  received: Readonly<Record<string, unknown>>,
  services: Services,
  caller: Caller & { readonly trace: RequestTrace },
): Promise<Prepared> {
  const fields = { ...COMMON_FIELDS, ...tool.fields };
  const values = readArguments(
    tool.name,
    { fields, aliases: { ...COMMON_ALIASES, ...tool.aliases }, ignored: tool.ignored ?? [] },
    received,
    argumentNames(caller.reader ?? EVERY_TOOL),
  );
  Object.assign(values, tool.adapt?.(values));
  const { opened, several } = await openWorkspace(tool, values["workspace"], services, {
    isProject: PROJECT_NAMES.some((name) => received[name] !== undefined),
  });
  const workspace = tool.dependencies === undefined ? opened : withScopes(opened, tool, services);
  const targets = await resolveTargets(tool, values, { services, workspace, signal: caller.signal });
  if (tool.searchPaths !== undefined) await splitSearchPaths(tool.searchPaths, values, workspace);
  for (const [name, { path: isPath }] of Object.entries(fields))
    if (isPath)
      values[name] = name === "workspace" ? workspace.path : await resolvePaths(values[name], workspace);
  await tool.check?.(values);
  const format = (values["response_format"] ?? services.config.server.response_format) as Format;
  const call: Call = {
    services,
    workspace: workspace.path,
    ...(several !== undefined && { several }),
    format,
    reader: caller.reader ?? EVERY_TOOL,
    maxTokens: Number(values["max_tokens"] ?? tool.maxTokens),
    targets,
    trace: caller.trace,
    signal: caller.signal,
    progress: (message, done, total) => caller.progress(message, done, total),
  };
  return { values, call };
}

interface OpenedWorkspace {
  readonly opened: Workspace;
  readonly several?: SearchedProjects;
}

/** Opens the workspace of a call, or the several projects that it is about; paths are then relative to each. */
async function openWorkspace(
  tool: AnyTool,
  named: unknown,
  services: Services,
  options: OpenOptions,
): Promise<OpenedWorkspace> {
  const names = severalNames(named);
  const name = Array.isArray(named) ? named[0] : named;
  if (names === undefined || (names !== "all" && (await isFolder(named))))
    return { opened: await services.workspaces.open(typeof name === "string" ? name : undefined, options) };
  if (tool.severalProjects !== true)
    throw new PithError("invalid_input", `${tool.name}: workspace takes one folder or project`, {
      field: "workspace",
    });
  const { openProjects } = await import("./projects.ts");
  const several = await openProjects(names, services);
  const [first] = several.projects;
  return { opened: first?.workspace ?? (await services.workspaces.open()), several };
}

/** True for the path of a folder whose name contains a comma. */
async function isFolder(named: unknown): Promise<boolean> {
  if (typeof named !== "string") return false;
  return stat(named).then(
    (stats) => stats.isDirectory(),
    // A text that is no path names several projects.
    () => false,
  );
}

/**
 * Lets the paths of a call name installed dependencies (`dep:zod`) and other projects (`api:src/a.ts`). Their lookup is
 * loaded only if one is named.
 */
function withScopes(workspace: Workspace, tool: AnyTool, services: Services): Workspace {
  const { environment, workspaces } = services;
  return {
    path: workspace.path,
    async resolve(path) {
      const [, project, inside = ""] = IN_PROJECT.exec(path) ?? [];
      if (project !== undefined && !(await workspace.resolve(path)).exists) {
        const other = await workspaces.find(project);
        if (other !== undefined) return scopedPath(await other.resolve(inside), project, other);
      }
      if (!MAYBE_DEPENDENCY.test(path)) return workspace.resolve(path);
      const { withInstalledPackages } = await import("../workspace/packages/installed-packages.ts");
      const folders = tool.dependencies === "folders";
      return withInstalledPackages(workspace, environment, { folders }).resolve(path);
    },
  };
}

function scopedPath(path: JailedPath, project: string, { path: { absolute } }: Workspace): JailedPath {
  const prefix = `${project}:`;
  return { ...path, shown: `${prefix}${path.shown}`, scope: { root: absolute, prefix } };
}

/** Matches a path in another project. Line numbers (`a.ts:10-40`) and qualified names (`a::b`) are none. */
const IN_PROJECT = /^(?!dep:|run:)([\w.@+-]{2,100}):(?!\d[\d:-]*$|:)(.+)$/s;

/** Matches texts that may name a dependency: by its name, or by a path through a folder of installed packages. */
const MAYBE_DEPENDENCY = /^dep:|node_modules|-packages|pkg.mod|registry/;

/** Resolves a path, or each of several paths, to a file inside the workspace. */
async function resolvePaths(value: unknown, workspace: Workspace): Promise<unknown> {
  if (typeof value === "string") return workspace.resolve(value);
  return Array.isArray(value) ? Promise.all(value.map((one) => resolvePaths(one, workspace))) : value;
}

interface Finishing {
  readonly call: Call;
  readonly requestId: string;
}

async function finish(
  tool: AnyTool,
  reply: Reply<unknown>,
  { call, requestId }: Finishing,
): Promise<Answer & { tokens: number }> {
  const view = { format: call.format, budget: new Budget(call.maxTokens), reader: call.reader };
  const { text, stderrNote, meta: facts } = withMaskedNote(await tool.render(reply.data, view));
  const tokens = estimateTokens(text);
  const meta = { request_id: requestId, tokens, ...facts };
  return {
    text,
    ...(stderrNote !== undefined && { stderrNote }),
    isError: reply.isError ?? false,
    meta,
    tokens,
  };
}

interface Failing {
  readonly tool: string;
  readonly requestId: string;
  readonly services: Services;
  readonly caller: Caller;
}

function fail({ error, masked }: MaskedError, { tool, requestId, services, caller }: Failing): Answer {
  const text = renderError(error, caller.reader, masked);
  const tokens = estimateTokens(text);
  record(services, caller, { tool, tokens, failed: true, duration_ms: 0 });
  const meta = { request_id: requestId, tokens, error: error.code, retryable: error.retryable, ...masked };
  return { text, isError: true, error, meta };
}

/**
 * Turns a thrown value into an error. A client that cancels a call may give any value as the reason; that value is not
 * an internal error.
 */
function failureOf(thrown: unknown, signal: AbortSignal): PithError {
  const isCancelled = signal.aborted && thrown === signal.reason && !(thrown instanceof PithError);
  return isCancelled ? new PithError("cancelled", "Cancelled", {}, { cause: thrown }) : toPithError(thrown);
}

/** Moves the trace to the final state of a failed request: refused before the tool ran, failed in it, or an internal error. */
function traceFailure(error: PithError, thrown: unknown, trace: RequestTrace): void {
  const { code, message } = error;
  if (code === "cancelled") trace.note("tool.cancelled");
  else if (code === "internal_error") {
    const stack = thrown instanceof Error ? thrown.stack : String(thrown);
    trace.move("req:internal_error", "tool.internal_error", { code, stack }, "error");
  } else if (trace.state === "req:validating")
    trace.move("req:invalid_request", "tool.request_invalid", { code, message });
  else if (trace.state !== "req:executing_tool")
    trace.move("req:internal_error", "tool.respond_failed", { code }, "error");
  else
    trace.move("req:tool_error", code === "timed_out" ? "tool.exec_timeout" : "tool.exec_failed", {
      code,
      message,
      ...timeoutIn(error),
    });
}

function timeoutIn({ data: { timeout_ms } }: PithError): { timeout_ms?: unknown } {
  return timeout_ms === undefined ? {} : { timeout_ms };
}

function record({ ledger }: Services, { agent }: Caller, usage: Omit<Usage, keyof Agent>): void {
  if (agent === undefined) return;
  const { client, session } = agent;
  ledger.record({ ...usage, client, ...(session === undefined ? {} : { session }) });
}

/**
 * What `pith stats` compares the size of the reply with: the raw output, or an earlier reply that this one completes.
 */
function comparison(
  { rawTokens, retrieval, about }: Reply<unknown>,
  continues: boolean,
): Pick<Usage, "raw_tokens" | "retrieval" | "about"> {
  return {
    ...(rawTokens === undefined ? {} : { raw_tokens: rawTokens }),
    ...(retrieval === true || continues ? { retrieval: true as const } : {}),
    ...(about === undefined ? {} : { about }),
  };
}
