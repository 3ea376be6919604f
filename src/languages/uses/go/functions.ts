import { after, isMark, OPEN_BRACE, OPEN_BRACKET, OPEN_PAREN, type Reading } from "../reading.ts";
import { NAME } from "../tokens.ts";
import { afterResults, beginsLine, markTypes, readParameters } from "./types.ts";

interface Functions {
  readonly reading: Reading;
  readonly open: readonly unknown[];
  /** The braces that begin the body of a function. */
  readonly bodies: Set<number>;
}

/** Reads a function, a method, a function literal or the type of a function, up to its body. */
export function readFunction({ reading, open, bodies }: Functions, token: number): void {
  const { tokens, bindings, skipped } = reading;
  let at = token + 1;
  const isDeclaration = open.length === 0 && beginsLine(tokens, token);
  const receiver = isDeclaration && isMark(tokens, at, OPEN_PAREN) ? at : undefined;
  if (receiver !== undefined) at = after(tokens, at);
  if (isDeclaration) {
    skipped.add(at);
    at++;
  }
  const typeParameters = isMark(tokens, at, OPEN_BRACKET) ? at : undefined;
  if (typeParameters !== undefined) at = after(tokens, at);
  if (!isMark(tokens, at, OPEN_PAREN)) return;
  const names = [...readParameters(reading, at)];
  const results = after(tokens, at);
  const end = afterResults(tokens, results);
  if (end > results && isMark(tokens, results, OPEN_PAREN)) names.push(...readParameters(reading, results));
  else markTypes(reading, results, end);
  // In `[]func(){a, b}`, the brace begins the elements of a slice.
  const hasBody = isMark(tokens, end, OPEN_BRACE) && !isMark(tokens, token - 1, 0x5d);
  const last = hasBody ? after(tokens, end) - 1 : end;
  if (hasBody) bodies.add(end);
  if (typeParameters !== undefined)
    for (const name of readParameters(reading, typeParameters))
      bindings.bind(tokens.name[name] ?? "", token, last);
  if (receiver !== undefined) readReceiver(reading, receiver, { from: hasBody ? end : last, last });
  if (hasBody) for (const name of names) bindings.bind(tokens.name[name] ?? "", end, last);
}

/** Reads `(r *T[K])`: the name is the object itself, and the names in brackets are type parameters. */
function readReceiver(
  reading: Reading,
  open: number,
  { from, last }: { readonly from: number; readonly last: number },
): void {
  const { tokens, bindings, kept, skipped } = reading;
  const close = after(tokens, open) - 1;
  const [name] = readParameters(reading, open);
  if (name !== undefined) bindings.bindSelf(tokens.name[name] ?? "", from, last);
  let inBrackets = false;
  for (let at = name === undefined ? open + 1 : name + 1; at < close; at++) {
    if (isMark(tokens, at, OPEN_BRACKET)) inBrackets = true;
    if (tokens.kind[at] !== NAME) continue;
    if (inBrackets) {
      bindings.bind(tokens.name[at] ?? "", open, last);
      skipped.add(at);
    } else kept.add(at);
  }
}
