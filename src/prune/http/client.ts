import { createBreaker } from "./breaker.ts";
import { PrunerFailure } from "./failure.ts";
import { keptLines } from "./response.ts";

export interface HttpPrunerOptions {
  readonly endpoint: string;
  readonly threshold: number;
  readonly timeoutMs: number;
}

export interface HttpPruner {
  /** The indexes of the lines to keep; empty when the service finds nothing relevant. */
  prune(lines: readonly string[], question: string, signal?: AbortSignal): Promise<ReadonlySet<number>>;
}

/** The service works on one request at a time; more of them only wait there. */
const MAX_CALLS = 2;
/** It answers with a score for every token, some eight times the input; beyond this it is not the service we know. */
const MAX_RESPONSE_BYTES = 32 * 1024 * 1024;
/** The service splits lines at all of these, so its numbers would not be ours. */
// oxlint-disable-next-line no-control-regex -- those characters are the point
const OTHER_LINE_ENDS = /[\r\u000B\u000C\u001C-\u001E\u0085\u2028\u2029]/g;

/** A swe-pruner service behind a timeout, a breaker and a bound on calls at once. */
export function createHttpPruner(options: HttpPrunerOptions): HttpPruner {
  const breaker = createBreaker();
  const url = endpointUrl(options.endpoint);
  const queue: (() => void)[] = [];
  let running = 0;
  const enter = async (): Promise<void> => {
    if (running >= MAX_CALLS) await new Promise<void>((resolve) => queue.push(resolve));
    running++;
  };
  const leave = (): void => {
    running--;
    queue.shift()?.();
  };
  return {
    async prune(lines, question, signal) {
      await enter();
      try {
        return await breaker.run(async () =>
          keptLines(await post(url, lines, question, options, signal), lines),
        );
      } finally {
        leave();
      }
    },
  };
}

/** The bare address of a service means its /prune. */
function endpointUrl(endpoint: string): URL {
  const url = new URL(endpoint);
  if (url.pathname === "/") url.pathname = "/prune";
  return url;
}

async function post(
  url: URL,
  lines: readonly string[],
  question: string,
  { threshold, timeoutMs }: HttpPrunerOptions,
  signal: AbortSignal | undefined,
): Promise<unknown> {
  const timeout = AbortSignal.timeout(timeoutMs);
  const code = lines.map((line) => line.replaceAll(OTHER_LINE_ENDS, " ")).join("\n");
  try {
    const response = await fetch(url, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ query: question, code, threshold }),
      redirect: "error",
      signal: signal === undefined ? timeout : AbortSignal.any([signal, timeout]),
    });
    if (!response.ok) {
      await response.body?.cancel();
      throw new PrunerFailure("http_error", `status ${response.status}`);
    }
    return parse(await readBody(response));
  } catch (error) {
    if (error instanceof PrunerFailure) throw error;
    if (timeout.aborted)
      throw new PrunerFailure("timeout", `no answer within ${timeoutMs} ms`, { cause: error });
    throw new PrunerFailure("http_error", String(error), { cause: error });
  }
}

async function readBody(response: Response): Promise<string> {
  const decoder = new TextDecoder();
  let text = "";
  let size = 0;
  for await (const chunk of response.body ?? []) {
    size += chunk.length;
    if (size > MAX_RESPONSE_BYTES) throw new PrunerFailure("invalid_response", "the response is too large");
    text += decoder.decode(chunk, { stream: true });
  }
  return text + decoder.decode();
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new PrunerFailure("invalid_response", "not JSON", { cause: error });
  }
}
