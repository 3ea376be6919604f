import {
  after,
  CLOSE_PAREN,
  DOT,
  isMark,
  OPEN_PAREN,
  SEMICOLON,
  stringAt,
  type Reading,
} from "../reading.ts";
import { NAME, STRING } from "../tokens.ts";

/**
 * Finds the import declarations of Go. An import without an alias binds the name in the package clause of what it
 * imports, which this file does not contain; its name stays empty.
 */
export function readGoLinks(reading: Reading): void {
  const { tokens } = reading;
  for (let token = 0; token < tokens.count; token = after(tokens, token)) {
    if (tokens.kind[token] !== NAME) continue;
    const word = tokens.name[token];
    // Imports come before all other declarations.
    if (word === "func" || word === "type" || word === "var" || word === "const") return;
    if (word !== "import") continue;
    const open = token + 1;
    if (!isMark(tokens, open, OPEN_PAREN)) {
      readSpec(reading, open);
      continue;
    }
    const close = after(tokens, open) - 1;
    for (let at = open + 1; at < close && !isMark(tokens, at, CLOSE_PAREN);) at = readSpec(reading, at);
  }
}

/** Reads `"a/b"`, `name "a/b"`, `. "a/b"` or `_ "a/b"`, and returns the token after it. */
function readSpec({ tokens, links, skipped }: Reading, first: number): number {
  let at = first;
  const isNamed = tokens.kind[at] === NAME;
  const isAll = isMark(tokens, at, DOT);
  if (isNamed) skipped.add(at);
  if (isNamed || isAll) at++;
  if (tokens.kind[at] !== STRING) return Math.max(at, first + 1);
  const as = isNamed ? (tokens.name[first] ?? "") : "";
  links.push({
    kind: "import",
    line: tokens.line[first] ?? 1,
    module: stringAt(tokens, at),
    names: isAll || as === "_" ? [] : [{ name: "*", as }],
    all: isAll,
  });
  at++;
  return isMark(tokens, at, SEMICOLON) ? at + 1 : at;
}
