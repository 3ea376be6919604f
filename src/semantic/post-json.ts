import { BodyTooLarge, readBody } from "../kernel/read-body.ts";
import { TimeoutError, withTimeout } from "../kernel/with-timeout.ts";
import { EmbeddingFailure } from "./failure.ts";

export interface Post {
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: unknown;
  readonly timeoutMs: number;
  /** Maximum size of the response; a longer one is rejected. */
  readonly maxBytes: number;
  readonly signal?: AbortSignal;
}

/** Posts JSON and reads a JSON response within the timeout. Every failure is thrown as EmbeddingFailure. */
export async function postJson(post: Post): Promise<unknown> {
  try {
    return await withTimeout(post.timeoutMs, (signal) => exchange(post, signal), post.signal);
  } catch (error) {
    if (error instanceof EmbeddingFailure) throw error;
    if (error instanceof TimeoutError) throw new EmbeddingFailure("timeout", error.message, { cause: error });
    if (error instanceof BodyTooLarge)
      throw new EmbeddingFailure("invalid_response", error.message, { cause: error });
    throw new EmbeddingFailure("unreachable", reasonOf(error), { cause: error });
  }
}

async function exchange(post: Post, signal: AbortSignal): Promise<unknown> {
  const response = await fetch(post.url, {
    method: "POST",
    headers: { ...post.headers, "Content-Type": "application/json" },
    body: JSON.stringify(post.body),
    // Redirects are not followed, because they could send code to an address that the user did not configure.
    redirect: "manual",
    signal,
  });
  if (response.status !== 200) throw await statusFailure(response, signal);
  return parse(await readBody(response, { maxBytes: post.maxBytes, signal }), response);
}

const MAX_ERROR_BYTES = 4_000;

async function statusFailure(response: Response, signal: AbortSignal): Promise<EmbeddingFailure> {
  const { status } = response;
  const detail = errorText(await readBody(response, { maxBytes: MAX_ERROR_BYTES, signal }).catch(() => ""));
  const message = `status ${status}${detail === "" ? "" : `: ${detail}`}`;
  if (status >= 300 && status < 400)
    return new EmbeddingFailure("unreachable", `status ${status}: redirects are not followed`);
  if (status === 429 || status === 503) {
    const retryAfterMs = readRetryAfter(response.headers.get("retry-after"), Date.now());
    return new EmbeddingFailure("busy", message, retryAfterMs === undefined ? {} : { retryAfterMs });
  }
  if (status === 401 || status === 403) return new EmbeddingFailure("denied", message);
  if (status === 404 || status === 405) return new EmbeddingFailure("not_found", message);
  if (status === 400 || status === 413 || status === 422)
    return new EmbeddingFailure("rejected_input", message, { blamesInput: true });
  return new EmbeddingFailure("server_error", message);
}

/** Maximum time to wait before a provider is called again, even if its Retry-After header asks for more. */
const MAX_RETRY_AFTER_MS = 10 * 60_000;

/** Parses a Retry-After header, which holds either seconds or a date. */
export function readRetryAfter(value: string | null, now: number): number | undefined {
  if (value === null) return undefined;
  const text = value.trim();
  const wait = /^\d+(?:\.\d+)?$/.test(text) ? Number(text) * 1_000 : Date.parse(text) - now;
  return Number.isFinite(wait) ? Math.min(Math.max(0, wait), MAX_RETRY_AFTER_MS) : undefined;
}

/**
 * Extracts the error message from a response such as `{"error":"…"}` or `{"error":{"message":"…"}}`. An HTML page
 * contains none.
 */
function errorText(body: string): string {
  const message = /"(?:message|error)"\s*:\s*"((?:[^"\\]|\\.){1,300})/.exec(body)?.[1] ?? "";
  return message.replaceAll(/\\(.)/g, "$1").slice(0, 200);
}

function parse(text: string, response: Response): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    const type = response.headers.get("content-type") ?? "no type";
    throw new EmbeddingFailure("invalid_response", `the response is not JSON (${type})`, { cause: error });
  }
}

/**
 * Finds the real reason why fetch failed, such as a refused connection, which Node puts into the `cause` of the error.
 */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { cause } = error;
  if (!(cause instanceof Error)) return error.message;
  const code = "code" in cause && typeof cause.code === "string" ? cause.code : "";
  if (code === "ECONNREFUSED") return "connection refused";
  if (code === "ENOTFOUND") return "unknown host";
  return cause.message === "" ? code || error.message : cause.message;
}
