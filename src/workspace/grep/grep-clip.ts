import { countCharacters } from "../../kernel/characters.ts";
import type { GrepLine } from "../../model/grep-result.ts";
import { KEY_MASK, LineMasker, MASK, replaceParts } from "../../security/secrets/mask.ts";

/** Maximum number of characters that are shown of a line; a longer line is truncated around the match. */
export const MAX_SHOWN_CHARACTERS = 400;
/**
 * Number of characters that are shown before the match in a truncated line; there are more if the rest of the line is
 * short.
 */
const SHOWN_BEFORE_MATCH = 120;

interface Outside {
  readonly before: number;
  readonly after: number;
}

type ShownPart = Pick<GrepLine, "text" | "column" | "hidden" | "secrets">;

/**
 * Truncates a line to the part around a match; `outside` counts the characters of the line that were already left out.
 * With `mask`, secrets are masked before truncation, because half a secret is not recognised, and columns refer to the
 * masked line.
 */
export function clipAround(before: string, after: string, outside: Outside, mask: boolean): ShownPart {
  const fits = before.length + after.length <= MAX_SHOWN_CHARACTERS;
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
  // A match near the end of the line leaves more space for the text before it.
  const room = Math.max(SHOWN_BEFORE_MATCH, MAX_SHOWN_CHARACTERS - after.length);
  const start = safeOffset(before, Math.max(0, before.length - room));
  const end = safeOffset(after, Math.min(after.length, MAX_SHOWN_CHARACTERS - (before.length - start)));
  const front = outside.before + countCharacters(before.slice(0, start));
  const characters = outside.after + countCharacters(after.slice(end));
  return {
    text: before.slice(start) + after.slice(0, end),
    ...(front === 0 ? {} : { column: front + 1 }),
    ...(characters === 0 ? {} : { hidden: { characters } }),
  };
}

/** Moves an offset that would split a surrogate pair to a character boundary. */
function safeOffset(text: string, at: number): number {
  const code = text.charCodeAt(at);
  return code >= 0xdc00 && code < 0xe000 && at > 0 ? at - 1 : at;
}
