import { after, COLON, COMMA, EQUALS, isMark, isPair, LESS, OPEN_PAREN, type Reading } from "../reading.ts";
import { NAME, type Tokens } from "../tokens.ts";
import { afterAngles } from "./patterns.ts";

const HASH = 0x23;
const BANG = 0x21;

/**
 * Reads `#[…]` and `#![…]`. The names in it mean something only to the compiler or to a macro, except those of derived
 * traits and macros, and those in values, as in `#[arg(value_parser = parse_key)]`. Returns false if the bracket begins
 * no attribute.
 */
export function readAttribute({ tokens, skipped, roles }: Reading, open: number): boolean {
  const before = isMark(tokens, open - 1, BANG) ? open - 2 : open - 1;
  if (!isMark(tokens, before, HASH)) return false;
  const end = after(tokens, open) - 1;
  let derived = -1;
  for (let at = open + 1; at < end; at++) {
    if (isMark(tokens, at, EQUALS) && !isPair(tokens, at, EQUALS, EQUALS))
      at = endOfValue(tokens, at + 1, end);
    if (tokens.kind[at] !== NAME) continue;
    if (tokens.name[at] === "derive" && isMark(tokens, at + 1, OPEN_PAREN)) derived = after(tokens, at + 1);
    if (at >= derived || tokens.name[at] === "derive") skipped.add(at);
    else if (!isPair(tokens, at + 1, COLON, COLON)) roles.set(at, "decorator");
  }
  return true;
}

/** Returns the end of the value of an entry: the comma after it, or the last token of its brackets. */
function endOfValue(tokens: Tokens, first: number, end: number): number {
  let at = first;
  while (at < end && !isMark(tokens, at, COMMA)) {
    const opened = tokens.match[at] ?? -1;
    if (opened >= 0 && opened < at) return at;
    if (isMark(tokens, at, LESS)) at = afterAngles(tokens, at);
    else at = after(tokens, at);
  }
  return at;
}
