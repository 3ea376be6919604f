import { countCharacters } from "../kernel/characters.ts";
import type { GrepLine } from "../model/grep-result.ts";

/** How much of a line is shown, and how much of it may stand before the match. */
export const SHOWN_CHARACTERS = 400;
const SHOWN_BEFORE = 120;

/** Cuts a text down to the part around a match; `outside` counts the characters that both texts already lack. */
export function clipAround(
  before: string,
  after: string,
  outside: { readonly before: number; readonly after: number },
): Pick<GrepLine, "text" | "column" | "hidden"> {
  const fits = before.length + after.length <= SHOWN_CHARACTERS;
  if (fits && outside.before === 0 && outside.after === 0) return { text: before + after };
  // A match near the end leaves room for more of what stands before it.
  const room = Math.max(SHOWN_BEFORE, SHOWN_CHARACTERS - after.length);
  const start = safeOffset(before, Math.max(0, before.length - room));
  const end = safeOffset(after, Math.min(after.length, SHOWN_CHARACTERS - (before.length - start)));
  const front = outside.before + countCharacters(before.slice(0, start));
  const characters = outside.after + countCharacters(after.slice(end));
  return {
    text: before.slice(start) + after.slice(0, end),
    ...(front === 0 ? {} : { column: front + 1 }),
    ...(characters === 0 ? {} : { hidden: { characters } }),
  };
}

/** Moves an offset off the second half of a surrogate pair. */
function safeOffset(text: string, at: number): number {
  const code = text.charCodeAt(at);
  return code >= 0xdc00 && code < 0xe000 && at > 0 ? at - 1 : at;
}
