import { countCharacters } from "../../kernel/characters.ts";
import type { GrepLine } from "../../model/grep-result.ts";
import { KEY_MASK, LineMasker, MASK, replaceParts } from "../../security/secrets/mask.ts";

/** How much of a line is shown, and how much of it may stand before the match. */
export const SHOWN_CHARACTERS = 400;
const SHOWN_BEFORE = 120;

interface Outside {
  readonly before: number;
  readonly after: number;
}

type ShownPart = Pick<GrepLine, "text" | "column" | "hidden" | "secrets">;

/**
 * Cuts a text down to the part around a match; `outside` counts the characters that both texts already lack. With
 * `mask` the secrets of a text that has to be cut are masked before: half a secret is not known as one, and a column is
 * one of the masked line, as it is when the line is read.
 */
export function clipAround(before: string, after: string, outside: Outside, mask: boolean): ShownPart {
  const fits = before.length + after.length <= SHOWN_CHARACTERS;
  if (fits && outside.before === 0 && outside.after === 0) return { text: before + after };
  const line = before + after;
  const parts = mask ? new LineMasker().find(line) : [];
  if (parts.length === 0) return clipText(before, after, outside);
  const masked = replaceParts(line, parts);
  const ended = parts.filter(({ range }) => range[1] <= before.length);
  const at = Math.min(masked.length, replaceParts(before, ended).length);
  const shown = clipText(masked.slice(0, at), masked.slice(at), outside);
  const secrets = shown.text.split(MASK).length + shown.text.split(KEY_MASK).length - 2;
  return { ...shown, ...(secrets > 0 && { secrets }) };
}

function clipText(before: string, after: string, outside: Outside): ShownPart {
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
