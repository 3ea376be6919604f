import type { Outline } from "../../model/symbol.ts";
import { languageById } from "../registry.ts";
import { createWorkerPool, type WorkerReply } from "../../kernel/worker-pool.ts";

export interface ParsePool {
  /** Parses a text in the next free worker; requests are queued. */
  readonly outline: (text: string, languageId: string) => Promise<Outline>;
  /** Stops the workers; pending requests are rejected. */
  readonly close: () => Promise<void>;
}

export interface ParsePoolOptions {
  readonly size: number;
  /** Time limit for parsing one text. */
  readonly deadlineMs?: number;
  /** A worker is replaced after this much text, because WebAssembly memory is never released. */
  readonly recycleAfterChars?: number;
}

export interface ParseRequest {
  readonly text: string;
  readonly languageId: string;
  readonly deadlineMs: number;
}

/** An outline is sent as JSON, which is faster than a structured clone. */
export type ParseReply = WorkerReply<string>;

/** Ten times the duration of the slowest real file of 1 MB. */
export const DEFAULT_DEADLINE_MS = 5000;
/** A worker that does not answer this long after its deadline is stuck outside the control of the parser. */
export const HANG_MARGIN_MS = 2000;

/** Creates worker threads that parse texts in parallel. */
export function createParsePool(options: ParsePoolOptions): ParsePool {
  const { size, deadlineMs = DEFAULT_DEADLINE_MS, recycleAfterChars } = options;
  const workers = createWorkerPool<ParseRequest, string>({
    script: "parse-worker.js",
    size,
    timeoutMs: deadlineMs + HANG_MARGIN_MS,
    sizeOf: ({ text }) => text.length,
    ...(recycleAfterChars !== undefined && { recycleAfterChars }),
  });
  return {
    outline: async (text, languageId) => {
      const isKnown = languageById(languageId) !== undefined;
      const answer = isKnown ? await workers.request({ text, languageId, deadlineMs }) : undefined;
      return answer === undefined ? emptyOutline(languageId, isKnown) : parseAnswer(answer);
    },
    close: workers.close,
  };
}

function parseAnswer(answer: string): Outline {
  // The text was written by our own worker from an Outline.
  return JSON.parse(answer) as Outline;
}

/** The outline of a text that could not be read or has no grammar. */
export function emptyOutline(language: string, hasErrors: boolean): Outline {
  return { language, symbols: [], imports: [], hasErrors };
}
