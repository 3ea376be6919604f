import type { Outline } from "../model/symbol.ts";
import { isRuntimeSpent } from "./grammar.ts";
import { outlineInThread } from "./in-thread.ts";
import { createParsePool, DEFAULT_DEADLINE_MS, type ParsePool } from "./pool.ts";

export interface OutlineOptions {
  /** A hostile text is given up after this time; its outline is then empty and marked with errors. */
  readonly deadlineMs?: number;
}

/** Takes over once this thread's own runtime is gone; it keeps no process alive. */
let rescue: ParsePool | undefined;

/** One text at a time: what one takes of the parser's time and memory would be missing for those begun beside it. */
let last: Promise<unknown> = Promise.resolve();

/** The symbols and imports of a text. A text that does not parse gives what can be read of it. */
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
  if (isRuntimeSpent()) {
    rescue ??= createParsePool({ size: 1, deadlineMs });
    return rescue.outline(text, languageId);
  }
  try {
    return await outlineInThread(text, languageId, deadlineMs);
  } catch (error) {
    if (!isRuntimeSpent()) throw error;
    return { language: languageId, symbols: [], imports: [], hasErrors: true };
  }
}
