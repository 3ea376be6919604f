import {
  after,
  COLON,
  GREATER,
  isMark,
  isPair,
  LESS,
  OPEN_BRACE,
  OPEN_PAREN,
  SEMICOLON,
  type Reading,
} from "../reading.ts";
import { NAME, type Tokens } from "../tokens.ts";
import { afterAngles, namesInParameters, typeParameters } from "./patterns.ts";

interface Items {
  readonly reading: Reading;
  readonly bodies: Map<number, "block" | "items" | "match" | "brackets">;
}

/** Returns the first brace or semicolon after a header, such as that of a function or of `match`. */
export function afterHeader(tokens: Tokens, first: number): number {
  let at = first;
  while (at < tokens.count && !isMark(tokens, at, SEMICOLON)) {
    const isOwn = isMark(tokens, at, OPEN_BRACE) && tokens.name[at - 1] !== "unsafe";
    const opened = tokens.match[at] ?? -1;
    if (isOwn || (opened >= 0 && opened < at)) return at;
    at = after(tokens, at);
  }
  return at;
}

/** Reads the header of an item that begins with a keyword: its type parameters, parameters and bounds. */
export function readItemHeader({ reading, bodies }: Items, token: number, word: string): void {
  const { tokens } = reading;
  switch (word) {
    case "fn":
      if (tokens.kind[token + 1] === NAME) readFunction(reading, token);
      return;
    case "impl":
      if (!isType(tokens, token)) readImpl(reading, token, bodies);
      return;
    case "struct":
    case "enum":
    case "union":
    case "trait":
    case "type": {
      if (tokens.kind[token + 1] !== NAME) return;
      const body = afterHeader(tokens, token + 2);
      if (isMark(tokens, body, OPEN_BRACE)) bodies.set(body, "items");
      const parameters = token + 2;
      if (isMark(tokens, parameters, LESS))
        bindTypes(reading, typeParameters(reading, parameters), token, after(tokens, body) - 1);
      if (word === "trait") markBounds(reading, afterAngles(tokens, parameters), body);
      return;
    }
    case "mod":
      if (isMark(tokens, token + 2, OPEN_BRACE)) bodies.set(token + 2, "items");
      return;
    default:
  }
}

function bindTypes({ tokens, bindings }: Reading, names: readonly number[], from: number, to: number): void {
  for (const name of names) bindings.bindType(tokens.name[name] ?? "", from, to);
}

function readFunction(reading: Reading, token: number): void {
  const { tokens } = reading;
  const angles = token + 2;
  const open = afterAngles(tokens, angles);
  if (!isMark(tokens, open, OPEN_PAREN)) return;
  const close = after(tokens, open) - 1;
  const body = afterHeader(tokens, close + 1);
  const last = isMark(tokens, body, OPEN_BRACE) ? after(tokens, body) - 1 : body;
  if (isMark(tokens, angles, LESS)) bindTypes(reading, typeParameters(reading, angles), token, last);
  for (const name of namesInParameters(reading, open + 1, close))
    reading.bindings.bind(tokens.name[name] ?? "", body, last);
}

/** Returns true for `impl` in a type, such as `-> impl Trait` or `a: impl Trait`. */
function isType({ code, kind, name }: Tokens, token: number): boolean {
  const before = code[token - 1] ?? 0;
  if (kind[token - 1] === NAME) return !["unsafe", "default"].includes(name[token - 1] ?? "");
  return before !== 0 && ![0x7d, 0x3b, 0x5d, 0x7b].includes(before);
}

function readImpl(reading: Reading, token: number, bodies: Items["bodies"]): void {
  const { tokens, kept, roles } = reading;
  const first = afterAngles(tokens, token + 1);
  const body = afterHeader(tokens, first);
  if (!isMark(tokens, body, OPEN_BRACE)) return;
  bodies.set(body, "items");
  if (isMark(tokens, token + 1, LESS))
    bindTypes(reading, typeParameters(reading, token + 1), token, after(tokens, body) - 1);
  let separator = -1;
  for (let at = first; at < body; at = after(tokens, at)) {
    if (tokens.name[at] === "for" && !isMark(tokens, at + 1, LESS)) separator = at;
    if (tokens.name[at] === "where") break;
  }
  // The type is a use, although the outline has the block under its name.
  for (let at = first; at < body; at++) if (tokens.kind[at] === NAME) kept.add(at);
  if (separator < 0) return;
  const trait = lastOfPath(tokens, first);
  if (trait !== undefined) roles.set(trait, "inheritance");
}

/** Returns the last name of a path, `c` in `a::b::c<D>`. */
function lastOfPath(tokens: Tokens, first: number): number | undefined {
  let at = isMark(tokens, first, 0x21) ? first + 1 : first;
  if (tokens.kind[at] !== NAME) return undefined;
  while (isPair(tokens, at + 1, COLON, COLON) && tokens.kind[at + 3] === NAME) at += 3;
  return at;
}

/** Marks the traits after the colon of a trait as those that it inherits from. */
function markBounds({ tokens, roles }: Reading, colon: number, body: number): void {
  if (!isMark(tokens, colon, COLON)) return;
  let depth = 0;
  for (let at = colon + 1; at < body; at = after(tokens, at)) {
    if (tokens.name[at] === "where") return;
    if (isMark(tokens, at, LESS)) depth++;
    else if (isMark(tokens, at, GREATER)) depth--;
    if (depth === 0 && tokens.kind[at] === NAME && !isPair(tokens, at + 1, COLON, COLON))
      roles.set(at, "inheritance");
  }
}
