import type { ModuleBinding } from "../../../model/use.ts";
import { after, COLON, COMMA, DOT, isMark, OPEN_BRACE } from "../reading.ts";
import { NAME, type Tokens } from "../tokens.ts";

/** Returns the names that the pattern `{ a, b: c }` takes from a module; `close` is its last brace. */
export function namesInPattern(tokens: Tokens, close: number): ModuleBinding[] {
  const open = tokens.match[close] ?? -1;
  const names: ModuleBinding[] = [];
  if (open < 0) return names;
  for (let at = open + 1; at < close; at = nextEntry(tokens, at, close)) {
    // The rest of a module has the members that the pattern does not name.
    const isRest = [0, 1, 2].every((dot) => isMark(tokens, at + dot, DOT));
    if (isRest && tokens.kind[at + 3] === NAME) names.push({ name: "*", as: tokens.name[at + 3] ?? "" });
    if (tokens.kind[at] !== NAME) continue;
    const name = tokens.name[at] ?? "";
    if (isMark(tokens, at + 1, COLON) && isMark(tokens, at + 2, OPEN_BRACE)) {
      // What a pattern takes from a member is not known.
      const inner = namesInPattern(tokens, tokens.match[at + 2] ?? -1);
      names.push(...inner.map(({ as }) => ({ name: "?", as })));
      continue;
    }
    const isRenamed = isMark(tokens, at + 1, COLON) && tokens.kind[at + 2] === NAME;
    names.push({ name, as: isRenamed ? (tokens.name[at + 2] ?? "") : name });
  }
  return names;
}

/** Returns the token after the next comma between two tokens. */
export function nextEntry(tokens: Tokens, first: number, end: number): number {
  let at = first;
  while (at < end && !isMark(tokens, at, COMMA)) at = after(tokens, at);
  return at + 1;
}
