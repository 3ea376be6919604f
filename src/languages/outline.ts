import type { Outline } from "../model/symbol.ts";
import { isRuntimeExhausted } from "./parse/grammar.ts";
import { parseText } from "./parse/parse-text.ts";
import { createParsePool, DEFAULT_DEADLINE_MS, type ParsePool } from "./parse/parse-pool.ts";

export interface OutlineOptions {
  /** Time after which parsing is abandoned; the outline is then empty and marked as having errors. */
  readonly deadlineMs?: number;
}

/**
 * Worker that parses instead of this thread once the WebAssembly runtime of this thread was aborted. It does not keep
 * the process alive.
 */
let fallbackPool: ParsePool | undefined;

/**
 * Settles when the most recently requested text is parsed. Texts are parsed one at a time, because they share the time
 * and memory of one parser.
 */
let last: Promise<unknown> = Promise.resolve();

/** Returns the symbols and imports of a text. A text with syntax errors yields those that can be read. */
export function outlineOf(text: string, languageId: string, options: OutlineOptions = {}): Promise<Outline> {
  const outline = last.then(() => readNow(text, languageId, options));
  last = outline.catch(() => undefined);
  return outline;
}

async function readNow(
  text: string,
  languageId: string,
  { deadlineMs = DEFAULT_DEADLINE_MS }: OutlineOptions,
): Promise<Outline> {
  if (isRuntimeExhausted()) {
    fallbackPool ??= createParsePool({ size: 1, deadlineMs });
    return fallbackPool.outline(text, languageId);
  }
  try {
    return await parseText(text, languageId, deadlineMs);
  } catch (error) {
    if (!isRuntimeExhausted()) throw error;
    return { language: languageId, symbols: [], imports: [], hasErrors: true };
  }
}
