import { skipTo, type TokenReader } from "./token-reader.ts";
import { STRING } from "./tokens.ts";

const OPENINGS = {
  php: /<<<[ \t]*(["']?)([A-Za-z_]\w*)\1\r?\n/uy,
  ruby: /<<[~-]?(["'`]?)([A-Z_][A-Za-z0-9_]*)\1/uy,
  bash: /<<-?[ \t]*(["']?)([A-Za-z_]\w*)\1/uy,
} as const;

/**
 * Skips a document inside the code that begins with `<<` and a word and ends with that word on a line of its own. What
 * follows on the first line is skipped, too, because the document begins only on the next one.
 */
export function readHeredoc(reader: TokenReader): boolean {
  const { text, at, syntax, list, line } = reader;
  if (syntax.heredoc === undefined) return false;
  const opening = OPENINGS[syntax.heredoc];
  opening.lastIndex = at;
  const word = opening.exec(text)?.[2];
  if (word === undefined) return false;
  const closing = new RegExp(String.raw`^[ \t]*${word}\b`, "gmu");
  closing.lastIndex = text.indexOf("\n", at) + 1;
  if (closing.lastIndex === 0 || !closing.test(text)) return false;
  list.add(STRING, at, at, line);
  skipTo(reader, closing.lastIndex);
  return true;
}
