import { maskText } from "../../security/secrets/mask.ts";
import { firstCharacters } from "../../kernel/characters.ts";
import type { Span } from "../../shell/script-syntax.ts";

/** A part of a text and what takes its place. */
export interface Edit extends Span {
  readonly text: string;
}

/** The text with all edits made; of two at one place the one that only inserts comes first, else the earlier. */
export function applyEdits(text: string, edits: readonly Edit[]): string {
  let written = "";
  let at = 0;
  for (const edit of [...edits].sort((one, other) => one.from - other.from || one.to - other.to)) {
    written += text.slice(at, edit.from) + edit.text;
    at = edit.to;
  }
  return written + text.slice(at);
}

const MAX_QUOTED = 60;

/** A part of a script on one line, as a reply quotes it. */
export function quotedPart(text: string): string {
  const line = maskText(text.replaceAll(/(?:\\\n|\s)+/g, " ").trim());
  return line.length > MAX_QUOTED ? `${firstCharacters(line, MAX_QUOTED)}…` : line;
}
