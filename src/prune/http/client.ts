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
  /** Where texts are sent, without the credentials and parameters that its address may hold. */
  readonly endpoint: string;
  /** Whether the service is left alone for now. */
  isPaused(): boolean;
  /** The indexes of the lines to keep; empty when the service finds nothing relevant. */
  prune(lines: readonly string[], question: string, signal?: AbortSignal): Promise<ReadonlySet<number>>;
}

/** The service works on one request at a time; more of them only wait there. */
const MAX_CALLS = 2;
/** After this many consecutive failures, calls fail at once instead of waiting for a timeout. */
const FAILURES_TO_OPEN = 3;
const OPEN_MS = 30_000;
/** It answers with a score for every token, some eight times the input; beyond this it is not the service we know. */
const MAX_RESPONSE_BYTES = 32 * 1024 * 1024;
/** The service splits lines at all of these, so its numbers would not be ours. */
// oxlint-disable-next-line no-control-regex -- those characters are the point
const OTHER_LINE_ENDS = /[\r\u000B\u000C\u001C-\u001E\u0085\u2028\u2029]/g;

/** A swe-pruner service behind a timeout, a circuit breaker and a limit on concurrent calls. */
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
        // Waiting for one's turn counts too: a question is answered in time or not at all.
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
        // What fetch says of an address may hold its password.
        const message = described(error).replaceAll(url.href, endpoint);
        throw new PrunerFailure("http_error", message, { cause: error });
      }
    },
  };
}

/** With what lies behind it: "fetch failed" alone says little. */
function described(error: unknown): string {
  const said: string[] = [];
  for (let one = error; one instanceof Error && said.length < MAX_CAUSES; one = one.cause)
    said.push(one.message || one.name);
  return said.join(": ");
}

const MAX_CAUSES = 4;

/** The bare address of a service means its /prune. */
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
  const code = lines.map((line) => line.replaceAll(OTHER_LINE_ENDS, " ")).join("\n");
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
