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

/** The symbols and imports of a text. A text that does not parse gives what can be read of it. */
export async function outlineOf(
  text: string,
  languageId: string,
  options: OutlineOptions = {},
): Promise<Outline> {
  const deadlineMs = options.deadlineMs ?? DEFAULT_DEADLINE_MS;
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
