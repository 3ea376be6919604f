import type { ModuleBinding } from "../../../model/use.ts";
import { after, COLON, COMMA, isMark } from "../reading.ts";
import { NAME, type Tokens } from "../tokens.ts";

/** Returns the names that the pattern `{ a, b: c }` takes from a module; `close` is its last brace. */
export function namesInPattern(tokens: Tokens, close: number): ModuleBinding[] {
  const open = tokens.match[close] ?? -1;
  const names: ModuleBinding[] = [];
  if (open < 0) return names;
  for (let at = open + 1; at < close; at = nextEntry(tokens, at, close)) {
    if (tokens.kind[at] !== NAME) continue;
    const name = tokens.name[at] ?? "";
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
