import type { Services } from "../app.ts";
import { Budget } from "../kernel/budget.ts";
import { PithError, toPithError } from "../kernel/errors.ts";
import { randomId } from "../kernel/ids.ts";
import { estimateTokens } from "../kernel/tokens.ts";
import { renderError } from "../render/error.ts";
import type { Format, Rendered } from "../render/rendered.ts";
import { COMMON_ALIASES, COMMON_FIELDS } from "./common-fields.ts";
import { readArguments } from "./schema/read-arguments.ts";
import type { AnyTool, Call, Reply } from "./tool.ts";

/** What a call is answered with; the server puts it into the protocol's shape. */
export interface Answer {
  readonly text: string;
  readonly isError: boolean;
  readonly meta: Readonly<Record<string, unknown>>;
}

export interface Caller {
  readonly signal: AbortSignal;
  progress(message: string, done?: number, total?: number): void;
}

/**
 * The way of every call: arguments, workspace, paths, permission, work, text, redaction, ledger. Tools only declare
 * what they need of it. This is the one place that catches.
 */
export async function callTool(
  tool: AnyTool,
  received: Readonly<Record<string, unknown>>,
  services: Services,
  caller: Caller,
): Promise<Answer> {
  const requestId = randomId();
  const started = performance.now();
  const { logger } = services;
  logger.event("tool.request_received", { tool: tool.name, request_id: requestId, state: "req:received" });
  try {
    const prepared = await prepare(tool, received, services, caller, requestId);
    logger.event("tool.exec_start", { tool: tool.name, request_id: requestId, state: "req:executing_tool" });
    const reply = await tool.handle(prepared.values, prepared.call);
    const answer = finish(tool, reply, prepared, services);
    const duration_ms = Math.round(performance.now() - started);
    services.ledger.record({
      tool: tool.name,
      tokens: answer.tokens,
      ...raw(reply),
      failed: answer.isError,
      duration_ms,
    });
    logger.event("tool.respond_ok", {
      tool: tool.name,
      request_id: requestId,
      duration_ms,
      state: "req:responded",
    });
    return answer;
  } catch (thrown) {
    return fail(tool, thrown, requestId, services);
  }
}

interface Prepared {
  readonly values: Readonly<Record<string, unknown>>;
  readonly call: Call;
}

async function prepare(
  tool: AnyTool,
  received: Readonly<Record<string, unknown>>,
  services: Services,
  caller: Caller,
  requestId: string,
): Promise<Prepared> {
  const fields = { ...COMMON_FIELDS, ...tool.fields };
  const values = readArguments(tool.name, fields, { ...COMMON_ALIASES, ...tool.aliases }, received);
  const named = values["workspace"];
  const workspace = await services.workspaces.open(typeof named === "string" ? named : undefined);
  for (const [name, field] of Object.entries(fields))
    if (field.path && typeof values[name] === "string")
      values[name] = name === "workspace" ? workspace.path : await workspace.resolve(values[name]);
  await services.authorize({ tool: tool.name, readOnly: tool.annotations.readOnlyHint, values });
  const format = (values["response_format"] ?? services.config.server.response_format) as Format;
  const call: Call = {
    services,
    workspace: workspace.path,
    format,
    maxTokens: Number(values["max_tokens"] ?? tool.maxTokens),
    requestId,
    signal: caller.signal,
    log: services.logger,
    progress: (message, done, total) => caller.progress(message, done, total),
  };
  return { values, call };
}

function finish(
  tool: AnyTool,
  reply: Reply<unknown>,
  { call }: Prepared,
  services: Services,
): Answer & { tokens: number } {
  const rendered: Rendered = tool.render(reply.data, {
    format: call.format,
    budget: new Budget(call.maxTokens),
  });
  const text = services.redact(rendered.text);
  const tokens = estimateTokens(text);
  const meta = { request_id: call.requestId, tokens, ...rendered.meta };
  return { text, isError: reply.isError ?? false, meta, tokens };
}

function fail(tool: AnyTool, thrown: unknown, requestId: string, services: Services): Answer {
  const error = toPithError(thrown);
  const cause =
    thrown instanceof PithError ? {} : { stack: thrown instanceof Error ? thrown.stack : String(thrown) };
  const event =
    error.code === "invalid_input"
      ? "tool.request_invalid"
      : error.code === "internal_error"
        ? "tool.internal_error"
        : "tool.exec_failed";
  const level = error.code === "internal_error" ? "error" : "info";
  services.logger.event(event, { tool: tool.name, request_id: requestId, code: error.code, ...cause }, level);
  const text = services.redact(renderError(error));
  const tokens = estimateTokens(text);
  services.ledger.record({ tool: tool.name, tokens, failed: true, duration_ms: 0 });
  return {
    text,
    isError: true,
    meta: { request_id: requestId, tokens, error: error.code, retryable: error.retryable },
  };
}

function raw(reply: Reply<unknown>): { raw_tokens?: number } {
  return reply.rawTokens === undefined ? {} : { raw_tokens: reply.rawTokens };
}
