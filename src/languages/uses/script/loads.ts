import {
  CLOSE_PAREN,
  COLON,
  DOT,
  EQUALS,
  GREATER,
  isMark,
  isPair,
  LESS,
  OPEN_PAREN,
  QUESTION,
  SEMICOLON,
} from "../reading.ts";
import { NAME, NUMBER, PUNCTUATION, STRING, type Tokens } from "../tokens.ts";

const LOADERS: ReadonlySet<string> = new Set(["import", "require"]);

/** Returns true if a token begins a call of `import` or `require` with a string. */
export function isLoad(tokens: Tokens, token: number): boolean {
  return (
    LOADERS.has(tokens.name[token] ?? "") &&
    isMark(tokens, token + 1, OPEN_PAREN) &&
    tokens.kind[token + 2] === STRING &&
    isMark(tokens, token + 3, CLOSE_PAREN)
  );
}

/** Returns true if the value that begins at a token is a loaded module, or a member of one that gets a name. */
export function isLoadedValue(tokens: Tokens, first: number, isNamed: boolean): boolean {
  const call = tokens.name[first] === "await" ? first + 1 : first;
  if (!isLoad(tokens, call) || isCalled(tokens, call)) return false;
  return !isMark(tokens, call + 4, DOT) || (isNamed && tokens.name[call + 5] !== "then");
}

/** Returns true if what is loaded, or its member, is called at once: `require("a")()`, whose value is no module. */
export function isCalled(tokens: Tokens, call: number): boolean {
  const isMember = isMark(tokens, call + 4, DOT) && tokens.name[call + 5] !== "then";
  return isMark(tokens, isMember ? call + 6 : call + 4, OPEN_PAREN);
}

const BAR = 0x7c;
const AMPERSAND = 0x26;
/** Marks before one of several values: those of `a ? b : c`, `a || b`, `a && b` and `a ?? b`. */
const BEFORE_BRANCH: ReadonlySet<number> = new Set([QUESTION, COLON, BAR, AMPERSAND]);
/** Further marks that a condition may contain. */
const IN_CONDITION: ReadonlySet<number> = new Set([DOT, 0x21, EQUALS, LESS, GREATER, 0x2b, 0x2d, 0x25]);
/** Number of tokens that a condition and the values before one may have. */
const MAX_CONDITION = 60;

/** Returns the token before a loaded module: before `await`, and before the parentheses around only the module. */
function beforeLoad(tokens: Tokens, call: number): number {
  let before = tokens.name[call - 1] === "await" ? call - 2 : call - 1;
  while (isMark(tokens, before, OPEN_PAREN) && tokens.kind[before - 1] === PUNCTUATION) before--;
  return before;
}

/** Returns true if one of several values, of which the first begins at a token, is a loaded module. */
export function mayBeLoaded(tokens: Tokens, first: number): boolean {
  const end = Math.min(tokens.count, first + MAX_CONDITION);
  for (let token = first; token < end && !isMark(tokens, token, SEMICOLON); token++)
    if (isLoad(tokens, token) && conditionalTarget(tokens, token) === first - 2) return true;
  return false;
}

/**
 * Returns the last token of what gets one of several values, of which a loaded module is one, as in
 * `a = b ? require("c") : d`; undefined if the call is no such value.
 */
export function conditionalTarget(tokens: Tokens, call: number): number | undefined {
  const { kind, code, match, end, start } = tokens;
  let at = beforeLoad(tokens, call);
  if (kind[at] !== PUNCTUATION || !BEFORE_BRANCH.has(code[at] ?? 0)) return undefined;
  const isApart = (token: number): boolean =>
    kind[token] !== PUNCTUATION || ![EQUALS, 0x21, LESS, GREATER].includes(code[token] ?? 0);
  for (const least = at - MAX_CONDITION; at > 0 && at > least; at--) {
    if (kind[at] !== PUNCTUATION) {
      if (kind[at] === NAME || kind[at] === STRING || kind[at] === NUMBER) continue;
      return undefined;
    }
    const mark = code[at] ?? 0;
    const open = match[at] ?? -1;
    if (mark === EQUALS && isApart(at - 1) && (isApart(at + 1) || end[at] !== start[at + 1])) return at - 1;
    if (isPair(tokens, at - 1, EQUALS, GREATER)) return undefined;
    if (open >= 0 && open < at) at = open;
    else if (!BEFORE_BRANCH.has(mark) && !IN_CONDITION.has(mark)) return undefined;
  }
  return undefined;
}

/** Returns the parameter of the function behind `.then(`, which receives the module that the token `call` loads. */
export function loadedParameter(tokens: Tokens, call: number): number | undefined {
  if (!isMark(tokens, call + 4, DOT) || tokens.name[call + 5] !== "then") return undefined;
  const open = call + 6;
  if (!isMark(tokens, open, OPEN_PAREN)) return undefined;
  if (tokens.kind[open + 1] === NAME && isPair(tokens, open + 2, EQUALS, GREATER)) return open + 1;
  return isMark(tokens, open + 1, OPEN_PAREN) ? open + 2 : undefined;
}

/** Returns true if a token is the parameter of a function that receives a loaded module. */
export function isLoadedParameter(tokens: Tokens, parameter: number): boolean {
  for (const then of [parameter - 2, parameter - 3]) {
    const call = then - 5;
    if (tokens.name[then] === "then" && isLoad(tokens, call))
      return loadedParameter(tokens, call) === parameter;
  }
  return false;
}
