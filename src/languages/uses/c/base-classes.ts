import {
  after,
  COLON,
  isMark,
  isPair,
  LESS,
  OPEN_BRACE,
  OPEN_BRACKET,
  OPEN_PAREN,
  type Reading,
} from "../reading.ts";
import { NAME, type Tokens } from "../tokens.ts";
import { afterAngles } from "./declarations.ts";

const ACCESS: ReadonlySet<string> = new Set(["public", "protected", "private", "virtual", "typename"]);
/** Number of tokens in the head of a class that are looked at. */
const MAX_HEAD = 200;

/** Marks the base classes in `class A : public B, private c::D<int> {`. */
export function markBaseClasses({ tokens, roles }: Reading, word: number): void {
  if (tokens.name[word - 1] === "enum") return;
  const colon = colonOfHead(tokens, word + 1);
  if (colon === undefined) return;
  const bases: number[] = [];
  let at = colon + 1;
  while (at < tokens.count && at < colon + MAX_HEAD && !isMark(tokens, at, OPEN_BRACE)) {
    const isLast = tokens.kind[at] === NAME && !isPair(tokens, at + 1, COLON, COLON);
    if (isLast && !ACCESS.has(tokens.name[at] ?? "")) bases.push(at);
    at = next(tokens, at);
  }
  // A colon without a body behind it is that of a bit field.
  if (isMark(tokens, at, OPEN_BRACE)) for (const base of bases) roles.set(base, "inheritance");
}

/** Returns the colon before the base classes; undefined if there is none. */
function colonOfHead(tokens: Tokens, first: number): number | undefined {
  for (let at = first; at < tokens.count && at < first + MAX_HEAD; at = next(tokens, at)) {
    if (isPair(tokens, at, COLON, COLON)) at++;
    else if (isMark(tokens, at, COLON)) return at;
    else if (tokens.kind[at] !== NAME && !IN_HEAD.has(tokens.code[at] ?? 0)) return undefined;
  }
  return undefined;
}

/** What stands in the head of a class before its colon, besides names: attributes, alignments, type arguments. */
const IN_HEAD: ReadonlySet<number> = new Set([OPEN_BRACKET, OPEN_PAREN, LESS]);

function next(tokens: Tokens, at: number): number {
  return (isMark(tokens, at, LESS) ? afterAngles(tokens, at) : undefined) ?? after(tokens, at);
}
