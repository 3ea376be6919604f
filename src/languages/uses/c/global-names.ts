import { COLON, GREATER, isPair } from "../reading.ts";
import { tokenSyntaxOf } from "../token-syntax.ts";
import { NAME, type Tokens } from "../tokens.ts";

/** Headers such as `a.h` count as C, but may contain the words of C++. */
const WORDS: ReadonlySet<string> = tokenSyntaxOf("cpp")?.keywords ?? new Set();

/** Returns true for `a` in `::a`, which is a name outside of all namespaces and not a member of what stands before it. */
export function isGlobalName(tokens: Tokens, token: number): boolean {
  if (!isPair(tokens, token - 2, COLON, COLON) || WORDS.has(tokens.name[token] ?? "")) return false;
  return !isOwner(tokens, token - 3);
}

/** Returns true if the `::` after a token leads to a member of what ends with the token. */
function isOwner({ kind, code, name, start, end, match }: Tokens, token: number): boolean {
  if (kind[token] === NAME) return !WORDS.has(name[token] ?? "");
  // In `decltype(a)::b` parentheses are an owner, whereas `(int) ::b` and `if (a) ::b();` begin with what they lead to.
  if (code[token] === 0x29) return name[(match[token] ?? 0) - 1] === "decltype";
  return code[token] === GREATER && end[token] === start[token + 1];
}
