import type { Outline } from "../../model/symbol.ts";
import { languageById } from "../registry.ts";
import { createWorkerPool, type WorkerReply } from "../../kernel/worker-pool.ts";

export interface ParsePool {
  /** Parses a text in the next free worker thread; requests wait in a queue. */
  readonly outline: (text: string, languageId: string) => Promise<Outline>;
  /** Stops the workers; pending requests are rejected. */
  readonly close: () => Promise<void>;
}

export interface ParsePoolOptions {
  readonly size: number;
  /** Time limit for parsing one text, in milliseconds. */
  readonly deadlineMs?: number;
  /**
   * Number of characters that a worker parses before it is replaced by a new one, because WebAssembly never releases
   * memory.
   */
  readonly recycleAfterChars?: number;
}

export interface ParseRequest {
  readonly text: string;
  readonly languageId: string;
  readonly deadlineMs: number;
}

/** The reply of a worker contains the outline as JSON, which is faster to send than a structured clone. */
export type ParseReply = WorkerReply<string>;

/** Default time limit for parsing one text: ten times what the slowest real file of 1 MB takes. */
export const DEFAULT_DEADLINE_MS = 5000;
/**
 * Time that a worker has after its deadline to answer. A worker that takes longer is stuck where the parser cannot stop
 * it.
 */
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
  // The cast is safe, because Pith's own worker wrote this JSON from an Outline.
  return JSON.parse(answer) as Outline;
}

/** Returns the outline of a text that could not be read or has no grammar. */
export function emptyOutline(language: string, hasErrors: boolean): Outline {
  return { language, symbols: [], imports: [], hasErrors };
}
