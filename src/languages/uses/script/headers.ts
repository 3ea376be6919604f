import type { UseRole } from "../../../model/use.ts";
import { COMMA, DOT, EQUALS, firstOfPath, GREATER, isMark, LESS } from "../reading.ts";
import { NAME, type Tokens } from "../tokens.ts";

/** Returns the role of a name after `extends` or `implements`, which may be the last one of a path: `extends a.B`. */
export function roleInHeader(tokens: Tokens, token: number): UseRole | undefined {
  const first = firstOfPath(tokens, token);
  const word = tokens.name[first - 1];
  if (word === "extends" && !isInHeader(tokens, first - 1)) return "type";
  const isBase =
    word === "extends" ||
    word === "implements" ||
    (isMark(tokens, first - 1, COMMA) && isFurtherBase(tokens, first));
  if (!isBase) return undefined;
  return isMark(tokens, token + 1, DOT) ? "read" : "inheritance";
}

/** Number of tokens of type parameters. */
const MAX_HEADER = 300;

/** Returns true for `extends` in the header of a class or interface; elsewhere it compares types: `A extends B ? C : D`. */
function isInHeader(tokens: Tokens, word: number): boolean {
  let at = word - 1;
  let depth = 0;
  // The header may have type parameters before the word.
  for (const least = at - MAX_HEADER; at > least; at--) {
    const open = tokens.match[at] ?? -1;
    if (open >= 0 && open < at) at = open;
    else if (isMark(tokens, at, GREATER) && !isMark(tokens, at - 1, EQUALS)) depth++;
    else if (isMark(tokens, at, LESS)) depth--;
    else if (depth <= 0) break;
  }
  const name = tokens.name[at] ?? "";
  return name === "class" || tokens.name[at - 1] === "class" || tokens.name[at - 1] === "interface";
}

/** Returns true for `B` in `interface A extends C<D>, B` and `class A implements C, B`. */
function isFurtherBase(tokens: Tokens, token: number): boolean {
  let depth = 0;
  for (let at = token - 1; at > token - MAX_HEADER; at--) {
    const open = tokens.match[at] ?? -1;
    if (isMark(tokens, at, GREATER)) depth++;
    else if (isMark(tokens, at, LESS)) depth--;
    else if (depth > 0) at = open >= 0 && open < at ? open : at;
    else if (tokens.name[at] === "implements") return true;
    else if (tokens.name[at] === "extends") return isInHeader(tokens, at);
    else if (tokens.kind[at] !== NAME && !isMark(tokens, at, COMMA) && !isMark(tokens, at, DOT)) return false;
    if (depth < 0) return false;
  }
  return false;
}
