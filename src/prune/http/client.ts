import { createCircuitBreaker } from "../../kernel/circuit-breaker.ts";
import { BodyTooLarge, readBody } from "../../kernel/read-body.ts";
import { createSemaphore } from "../../kernel/semaphore.ts";
import { TimeoutError, withTimeout } from "../../kernel/with-timeout.ts";
import { PrunerFailure, PrunerPaused } from "./failure.ts";
import { keptLines } from "./response.ts";

export interface HttpPrunerOptions {
  readonly endpoint: string;
  readonly threshold: number;
  readonly timeoutMs: number;
}

export interface HttpPruner {
  /** The URL that texts are sent to, without credentials and query parameters. */
  readonly endpoint: string;
  /** Returns true while calls to the service are suspended after repeated failures. */
  isPaused(): boolean;
  /** Returns the indexes of the lines to keep, or an empty set if the service finds nothing relevant. */
  prune(lines: readonly string[], question: string, signal?: AbortSignal): Promise<ReadonlySet<number>>;
}

/**
 * Upper bound on concurrent calls. The service handles one request at a time, so further ones would only wait there.
 */
const MAX_CALLS = 2;
/**
 * After this many consecutive failures, further calls fail at once for a while, instead of each waiting for a timeout.
 */
const FAILURES_TO_OPEN = 3;
const OPEN_MS = 30_000;
/**
 * Upper bound on the size of a response. The service returns a score per token, so a response is about eight times as
 * long as the text sent; a longer one than this bound is an error.
 */
const MAX_RESPONSE_BYTES = 32 * 1024 * 1024;
/**
 * Matches characters at which the service, unlike Pith, also splits lines. They are replaced by spaces so that line
 * numbers agree.
 */
// oxlint-disable-next-line no-control-regex -- the pattern is about control characters
const OTHER_LINE_BREAKS = /[\r\u000B\u000C\u001C-\u001E\u0085\u2028\u2029]/g;

/** Creates a client of a swe-pruner service, with a timeout, a circuit breaker and a limit on concurrent calls. */
export function createHttpPruner(options: HttpPrunerOptions): HttpPruner {
  const breaker = createCircuitBreaker({
    failuresToOpen: FAILURES_TO_OPEN,
    openMs: () => OPEN_MS,
    toFailure: (error) => (error instanceof Error ? error : new Error(String(error))),
  });
  const url = endpointUrl(options.endpoint);
  const semaphore = createSemaphore(MAX_CALLS);
  const endpoint = `${url.origin}${url.pathname}`;
  return {
    endpoint,
    isPaused: () => breaker.isOpen(),
    async prune(lines, question, signal) {
      const ask = (stop: AbortSignal) => async (): Promise<ReadonlySet<number>> =>
        keptLines(await post(url, lines, { question, threshold: options.threshold, signal: stop }), lines);
      try {
        // The timeout includes the wait for other calls to end, so that the caller gets a reply in time.
        return await withTimeout(
          options.timeoutMs,
          (stop) =>
            semaphore.run(() => {
              if (breaker.isOpen())
                throw new PrunerPaused(`not called: ${FAILURES_TO_OPEN} failures in a row`);
              return breaker.run(ask(stop), signal);
            }, stop),
          signal,
        );
      } catch (error) {
        if (error instanceof PrunerFailure || error instanceof PrunerPaused) throw error;
        if (error instanceof TimeoutError)
          throw new PrunerFailure("timeout", error.message, { cause: error });
        if (error instanceof BodyTooLarge)
          throw new PrunerFailure("invalid_response", error.message, { cause: error });
        // The message of a failed fetch may contain the URL with its password.
        const message = messageWithCauses(error).replaceAll(url.href, endpoint);
        throw new PrunerFailure("http_error", message, { cause: error });
      }
    },
  };
}

/** Joins the messages of an error and its causes, because the outer message "fetch failed" alone says little. */
function messageWithCauses(error: unknown): string {
  const messages: string[] = [];
  for (let one = error; one instanceof Error && messages.length < MAX_CAUSES; one = one.cause)
    messages.push(one.message || one.name);
  return messages.join(": ");
}

const MAX_CAUSES = 4;

/** Adds the path /prune to a URL without a path. */
function endpointUrl(endpoint: string): URL {
  const url = new URL(endpoint);
  if (url.pathname === "/") url.pathname = "/prune";
  return url;
}

async function post(
  url: URL,
  lines: readonly string[],
  {
    question,
    threshold,
    signal,
  }: { readonly question: string; readonly threshold: number; readonly signal: AbortSignal },
): Promise<unknown> {
  const code = lines.map((line) => line.replaceAll(OTHER_LINE_BREAKS, " ")).join("\n");
  const response = await fetch(url, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ query: question, code, threshold }),
    redirect: "error",
    signal,
  });
  if (!response.ok) {
    await response.body?.cancel();
    throw new PrunerFailure("http_error", `status ${response.status}`);
  }
  return parse(await readBody(response, { maxBytes: MAX_RESPONSE_BYTES, signal }));
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new PrunerFailure("invalid_response", "not JSON", { cause: error });
  }
}
