import {
  after,
  CLOSE_BRACKET,
  CLOSE_PAREN,
  DOT,
  firstOfPath,
  GREATER,
  isMark,
  LESS,
  OPEN_BRACKET,
  OPEN_PAREN,
  QUESTION,
} from "./reading.ts";
import { NAME, NUMBER, PUNCTUATION, STRING, type Tokens } from "./tokens.ts";
import { OF_LANGUAGE, sourceAt, type TokenSource } from "./type-notes.ts";
import { typeArgumentsStart } from "./typed/type-syntax.ts";

/**
 * Returns the source of the type of the value between two tokens: a path of names and calls, an object that is created,
 * a literal. 0 for any other expression.
 */
export function sourceOfValue(tokens: Tokens, first: number, end: number): TokenSource {
  const { kind, name } = tokens;
  let at = first;
  const isAwaited = name[at] === "await";
  if (isAwaited) at++;
  const isLiteral = kind[at] === STRING || kind[at] === NUMBER || isMark(tokens, at, OPEN_BRACKET);
  if (isLiteral) return after(tokens, at) === end ? OF_LANGUAGE : 0;
  if (isMark(tokens, at, OPEN_PAREN) && !isAwaited && tokens.match[at] === end - 1)
    return sourceOfValue(tokens, at + 1, end - 1);
  const isNew = name[at] === "new";
  if (isNew) at++;
  if (kind[at] !== NAME) return 0;
  let last = at;
  let calls = 0;
  let callsAtLast = 0;
  for (at++; at < end;) {
    if (isMark(tokens, at, OPEN_PAREN)) {
      if (calls++ > callsAtLast) return 0;
      at = after(tokens, at);
    } else if (isMark(tokens, at, LESS) && tokens.end[at - 1] === tokens.start[at]) {
      const call = afterArguments(tokens, at, end);
      if (call === undefined) return 0;
      at = call;
    } else if (isMark(tokens, at, 0x21) || (isMark(tokens, at, QUESTION) && isMark(tokens, at + 1, DOT)))
      at++;
    else if (isMark(tokens, at, DOT) && kind[at + 1] === NAME) {
      last = at + 1;
      callsAtLast = calls;
      at += 2;
    } else return 0;
  }
  if (isNew && callsAtLast === 0) return sourceAt(last, "created");
  return sourceAt(last, isAwaited ? "awaited" : "value");
}

/** Returns the parenthesis after type arguments; undefined if none follows. */
function afterArguments(tokens: Tokens, open: number, end: number): number | undefined {
  let depth = 0;
  for (let at = open; at < end; at = after(tokens, at)) {
    if (isMark(tokens, at, LESS)) depth++;
    else if (isMark(tokens, at, GREATER) && --depth === 0)
      return isMark(tokens, at + 1, OPEN_PAREN) ? at + 1 : undefined;
  }
  return undefined;
}

/** Words before a value in parentheses. The parentheses after others, such as `import`, are those of a call or header. */
const BEFORE_VALUE: ReadonlySet<string> = new Set(
  "return await typeof in of case throw yield else do void delete instanceof not and or is".split(" "),
);

/** Returns the source of the type of the expression that ends before the dot of the member at a token. */
export function sourceBefore(tokens: Tokens, member: number, keywords: ReadonlySet<string>): TokenSource {
  const { kind, name, match, code } = tokens;
  let last = member - 2;
  while (kind[last] === PUNCTUATION && (code[last] === QUESTION || code[last] === 0x21)) last--;
  if (kind[last] === STRING || kind[last] === NUMBER) return OF_LANGUAGE;
  const open = match[last] ?? -1;
  if (open < 0 || open > last) return 0;
  const callee = open - 1;
  const isCallee =
    kind[callee] === NAME && (!keywords.has(name[callee] ?? "") || isMark(tokens, callee - 1, DOT));
  if (isMark(tokens, last, CLOSE_BRACKET)) return isArray(tokens, open) ? OF_LANGUAGE : 0;
  if (!isMark(tokens, last, CLOSE_PAREN)) return 0;
  // Code inside a string stands between two parentheses that are other characters in the text.
  if (tokens.text.charCodeAt(tokens.start[last] ?? 0) !== CLOSE_PAREN) return OF_LANGUAGE;
  if (isCallee) return sourceOfCall(tokens, callee);
  if (kind[callee] === NAME && !BEFORE_VALUE.has(name[callee] ?? "")) return 0;
  if (isMark(tokens, callee, GREATER)) {
    const arguments_ = typeArgumentsStart(tokens, callee);
    return arguments_ > 0 && kind[arguments_ - 1] === NAME ? sourceOfCall(tokens, arguments_ - 1) : 0;
  }
  const isCalled = isMark(tokens, callee, CLOSE_PAREN) || isMark(tokens, callee, CLOSE_BRACKET);
  return isCalled || isMark(tokens, callee, DOT) ? 0 : sourceOfValue(tokens, open + 1, last);
}

/** Marks before the bracket of an array; after any other mark it may be that of an element, as in `a![0]` and `a?.[0]`. */
const BEFORE_ARRAY: ReadonlySet<number> = new Set(Array.from("=(,[{;:", (mark) => mark.charCodeAt(0)));

function isArray({ kind, code, name }: Tokens, open: number): boolean {
  if (kind[open - 1] === NAME) return BEFORE_VALUE.has(name[open - 1] ?? "");
  return open === 0 || (kind[open - 1] === PUNCTUATION && BEFORE_ARRAY.has(code[open - 1] ?? 0));
}

function sourceOfCall(tokens: Tokens, callee: number): TokenSource {
  const isNew = tokens.name[firstOfPath(tokens, callee) - 1] === "new";
  return sourceAt(callee, isNew ? "created" : "value");
}
