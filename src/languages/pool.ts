import type { Outline } from "../model/symbol.ts";
import { languageById } from "./registry.ts";
import { createWorkerPool, type WorkerReply } from "./worker-pool.ts";

export interface ParsePool {
  /** The outline of a text, from the next free worker; asks wait in line. */
  readonly outline: (text: string, languageId: string) => Promise<Outline>;
  /** Ends the workers; asks that are still open are refused. */
  readonly close: () => Promise<void>;
}

export interface ParsePoolOptions {
  readonly size: number;
  /** How long one text may take. */
  readonly deadlineMs?: number;
  /** A worker is replaced after this much text: WebAssembly memory grows and is never given back. */
  readonly recycleAfterChars?: number;
}

/** What a worker is asked. */
export interface ParseRequest {
  readonly text: string;
  readonly languageId: string;
  readonly deadlineMs: number;
}

/** An outline travels as JSON, which is cheaper than a structured clone. */
export type ParseReply = WorkerReply<string>;

/** Ten times what the slowest real file of 1 MB takes. */
export const DEFAULT_DEADLINE_MS = 5000;
/** A worker that does not answer this long after its deadline hangs outside the parser's control. */
export const HANG_MARGIN_MS = 2000;

/** Worker threads that parse texts side by side. */
export function createParsePool(options: ParsePoolOptions): ParsePool {
  const { size, deadlineMs = DEFAULT_DEADLINE_MS, recycleAfterChars } = options;
  const workers = createWorkerPool<ParseRequest, string>({
    script: "parse-worker.js",
    size,
    patienceMs: deadlineMs + HANG_MARGIN_MS,
    weigh: ({ text }) => text.length,
    ...(recycleAfterChars !== undefined && { recycleAfterChars }),
  });
  return {
    outline: async (text, languageId) => {
      const isKnown = languageById(languageId) !== undefined;
      const answer = isKnown ? await workers.ask({ text, languageId, deadlineMs }) : undefined;
      return answer === undefined ? emptyOutline(languageId, isKnown) : parseAnswer(answer);
    },
    close: workers.close,
  };
}

function parseAnswer(answer: string): Outline {
  // Our own worker wrote it, from an Outline.
  return JSON.parse(answer) as Outline;
}

/** The outline of a text that could not be read, or has no grammar. */
export function emptyOutline(language: string, hasErrors: boolean): Outline {
  return { language, symbols: [], imports: [], hasErrors };
}
