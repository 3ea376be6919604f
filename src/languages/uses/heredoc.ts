import { readInside } from "./read-string.ts";
import { MAX_NESTING, skipTo, type TokenReader } from "./token-reader.ts";
import { STRING } from "./tokens.ts";

const OPENINGS = {
  php: /<<<[ \t]*(["']?)([A-Za-z_]\w*)\1(?=\r?\n)/uy,
  ruby: /<<[~-]?(["'`]?)([A-Z_][A-Za-z0-9_]*)\1/uy,
  bash: /<<-?[ \t]*(["']?)([A-Za-z_]\w*)\1/uy,
} as const;

/**
 * Reads the opening of a document inside the code, which begins with `<<` and a word and ends with that word on a line of
 * its own. What follows on the first line is code; the document begins on the next one.
 */
export function readHeredoc(reader: TokenReader): boolean {
  const { text, at, syntax, list, line, heredocs } = reader;
  if (syntax.heredoc === undefined) return false;
  const opening = OPENINGS[syntax.heredoc];
  opening.lastIndex = at;
  const [, quote, word] = opening.exec(text) ?? [];
  if (word === undefined) return false;
  const closing = new RegExp(String.raw`^[ \t]*${word}\b`, "gmu");
  closing.lastIndex = heredocs.at(-1)?.end ?? text.indexOf("\n", at) + 1;
  if (closing.lastIndex === 0 || !closing.test(text)) return false;
  heredocs.push({ end: closing.lastIndex, code: quote === "'" ? "" : (syntax.interpolation ?? "") });
  list.add(STRING, at, at, line);
  reader.at = opening.lastIndex;
  return true;
}

/** Reads the code in the documents that begin on a line, and skips the rest of them. */
export function readHeredocs(reader: TokenReader): void {
  const { text, heredocs } = reader;
  for (const { end, code } of heredocs.splice(0)) {
    if (code !== "" && reader.nesting < MAX_NESTING)
      for (let at = text.indexOf(code, reader.at); at >= 0 && at < end; at = text.indexOf(code, reader.at)) {
        skipTo(reader, at);
        readInside(reader, code);
      }
    if (reader.at < end) skipTo(reader, end);
  }
}
