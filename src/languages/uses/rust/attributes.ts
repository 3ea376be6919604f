import { after, COLON, isMark, isPair, OPEN_PAREN, type Reading } from "../reading.ts";
import { NAME } from "../tokens.ts";

const HASH = 0x23;
const BANG = 0x21;

/**
 * Reads `#[…]` and `#![…]`. The names in it mean something only to the compiler or to a macro, except those of derived
 * traits and macros. Returns false if the bracket begins no attribute.
 */
export function readAttribute({ tokens, skipped, roles }: Reading, open: number): boolean {
  const before = isMark(tokens, open - 1, BANG) ? open - 2 : open - 1;
  if (!isMark(tokens, before, HASH)) return false;
  const end = after(tokens, open) - 1;
  const isDerive = tokens.name[open + 1] === "derive" && isMark(tokens, open + 2, OPEN_PAREN);
  for (let at = open + 1; at < end; at++) {
    if (tokens.kind[at] !== NAME) continue;
    const isName = isDerive && at > open + 2;
    if (!isName) skipped.add(at);
    else if (!isPair(tokens, at + 1, COLON, COLON)) roles.set(at, "decorator");
  }
  return true;
}
