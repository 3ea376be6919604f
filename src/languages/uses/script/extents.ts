import {
  after,
  CLOSE_BRACE,
  CLOSE_BRACKET,
  CLOSE_PAREN,
  COLON,
  COMMA,
  DOT,
  EQUALS,
  GREATER,
  isMark,
  isPair,
  LESS,
  OPEN_BRACE,
  OPEN_BRACKET,
  OPEN_PAREN,
  QUESTION,
  SEMICOLON,
} from "../reading.ts";
import { NAME, PUNCTUATION, type Tokens } from "../tokens.ts";

/** Words that connect the parts of a type. */
const TYPE_WORDS: ReadonlySet<string> = new Set([
  "extends",
  "is",
  "keyof",
  "typeof",
  "infer",
  "in",
  "asserts",
  "readonly",
  "unique",
  "new",
  "abstract",
]);

/** Returns the token after a type, or the first token if no type begins there. */
export function endOfType(tokens: Tokens, first: number): number {
  let at = first;
  let angles = 0;
  let needsOperand = true;
  for (; at < tokens.count; at = after(tokens, at)) {
    if (tokens.kind[at] !== PUNCTUATION) {
      const name = tokens.name[at] ?? "";
      const isWord = TYPE_WORDS.has(name);
      if (angles === 0 && !needsOperand && !isWord) return at;
      needsOperand = isWord;
      continue;
    }
    const code = tokens.code[at] ?? 0;
    if (code === LESS) {
      angles++;
      needsOperand = true;
    } else if (code === GREATER) {
      if (angles === 0) return at;
      angles--;
      needsOperand = false;
      if (angles === 0 && isMark(tokens, first, LESS)) return at + 1;
    } else if (code === 0x7c || code === 0x26 || code === DOT) needsOperand = true;
    else if (isPair(tokens, at, EQUALS, GREATER)) {
      // Only a type in parentheses is followed by an arrow that belongs to the type.
      if (angles === 0 && (!isMark(tokens, at - 1, CLOSE_PAREN) || !isFunctionType(tokens, at, first)))
        return at;
      at++;
      needsOperand = true;
    } else if (code === OPEN_BRACE || code === OPEN_PAREN || code === OPEN_BRACKET) {
      if (angles === 0 && !needsOperand && code !== OPEN_BRACKET) return at;
      needsOperand = false;
    } else if (code === QUESTION || code === COLON) {
      // A condition in a type, `A extends B ? C : D`, or the end of a type in an expression.
      if (angles === 0 && !isCondition(tokens, first, at)) return at;
      needsOperand = true;
    } else if (code === 0x2d || code === 0x2b) needsOperand = true;
    else if (angles === 0) return at;
    else if (code === SEMICOLON || code === CLOSE_PAREN || code === CLOSE_BRACE || code === CLOSE_BRACKET)
      return at;
    else if (code === COMMA || code === EQUALS) needsOperand = true;
  }
  return at;
}

/** Returns true if the parentheses before an arrow are the first thing of the type: `(a: A) => B`. */
function isFunctionType(tokens: Tokens, arrow: number, first: number): boolean {
  const open = tokens.match[arrow - 1] ?? -1;
  const before = tokens.name[open - 1];
  return (
    open >= first &&
    (open === first ||
      before === "new" ||
      isMark(tokens, open - 1, 0x7c) ||
      isMark(tokens, open - 1, GREATER) ||
      isPair(tokens, open - 2, EQUALS, GREATER))
  );
}

function isCondition(tokens: Tokens, first: number, at: number): boolean {
  for (let before = at - 1; before >= first && before > at - 60; before--)
    if (tokens.name[before] === "extends") return true;
  return false;
}

/** Words that cannot follow a value in an expression, so that they begin a new statement. */
const STATEMENT_WORDS = new Set(
  `const let var function class interface type export import return if for while switch throw try break continue do async declare enum abstract`.split(
    " ",
  ),
);

/** Returns the token after a value: a comma, a semicolon, a closing bracket, or the first token of the next statement. */
export function endOfValue(tokens: Tokens, first: number): number {
  let at = first;
  while (at < tokens.count) {
    const code = tokens.code[at] ?? 0;
    if (tokens.kind[at] === PUNCTUATION) {
      if (
        code === COMMA ||
        code === SEMICOLON ||
        code === CLOSE_PAREN ||
        code === CLOSE_BRACE ||
        code === CLOSE_BRACKET
      )
        return at;
    } else if (at > first && beginsStatement(tokens, at)) return at;
    at = (code === LESS ? afterTypeArguments(tokens, at) : undefined) ?? after(tokens, at);
  }
  return at;
}

/** Returns the token after `<A, B>` behind a name; undefined if the mark compares two values. */
function afterTypeArguments(tokens: Tokens, open: number): number | undefined {
  if (tokens.kind[open - 1] !== NAME || tokens.end[open - 1] !== tokens.start[open]) return undefined;
  const end = endOfType(tokens, open);
  const isClosed = isMark(tokens, end - 1, GREATER) && !isPair(tokens, end - 2, EQUALS, GREATER);
  const isFollowed = end >= tokens.count || tokens.kind[end] === PUNCTUATION;
  return isClosed && (isFollowed || tokens.line[end] !== tokens.line[end - 1]) ? end : undefined;
}

function beginsStatement(tokens: Tokens, at: number): boolean {
  if (tokens.line[at] === tokens.line[at - 1] || tokens.kind[at] !== NAME) return false;
  const isAfterValue =
    tokens.kind[at - 1] !== PUNCTUATION ||
    [CLOSE_PAREN, CLOSE_BRACE, CLOSE_BRACKET].includes(tokens.code[at - 1] ?? 0);
  const name = tokens.name[at] ?? "";
  const isOperator = ["instanceof", "in", "of", "as", "satisfies", "extends", "is"].includes(name);
  return (
    STATEMENT_WORDS.has(name) || (isAfterValue && !isOperator && !CONTINUING.has(tokens.name[at - 1] ?? ""))
  );
}

/** Words that need a value after them, so that a new line does not end the statement. */
const CONTINUING = new Set([
  "await",
  "new",
  "typeof",
  "in",
  "of",
  "instanceof",
  "as",
  "extends",
  "keyof",
  "void",
  "async",
]);
