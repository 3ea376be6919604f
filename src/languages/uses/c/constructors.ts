import {
  after,
  COLON,
  COMMA,
  EQUALS,
  GREATER,
  isMark,
  isPair,
  LESS,
  OPEN_BRACE,
  OPEN_PAREN,
  SEMICOLON,
  STAR,
  type Reading,
} from "../reading.ts";
import { NAME, type Tokens } from "../tokens.ts";

const TILDE = 0x7e;
/** Number of tokens in the head of a class that are looked at. */
const MAX_HEAD = 200;

/**
 * Skips the names of constructors and destructors in the class whose head begins with a word: they are no uses of it. What
 * the class takes over from a base class is one.
 */
export function skipConstructors(reading: Reading, word: number): void {
  const { tokens, skipped } = reading;
  const head = headOfClass(tokens, word + 1);
  if (head === undefined) return;
  const close = after(tokens, head.body) - 1;
  for (let at = head.body + 1; at < close; at = after(tokens, at)) {
    if (tokens.name[at] === "using") markUsing(reading, at);
    if (tokens.name[at] === head.name && isMark(tokens, at + 1, OPEN_PAREN) && isConstructor(tokens, at))
      skipped.add(at);
  }
}

/** In a class, `using A::b;` and `using A::A;` take over what a base class has, which is more than an import. */
function markUsing({ tokens, roles }: Reading, using: number): void {
  for (let at = using + 1; at < tokens.count && !isMark(tokens, at, SEMICOLON); at++) {
    if (roles.get(at) !== "import" || tokens.kind[at] !== NAME) continue;
    const isConstructor = tokens.name[at] === tokens.name[at - 3];
    roles.set(at, isPair(tokens, at + 1, COLON, COLON) || isConstructor ? "type" : "read");
  }
}

/** Skips the name of a destructor that is defined outside of its class, `A::~A() {…}`. */
export function skipDestructor({ tokens, skipped, roles }: Reading, token: number): void {
  if (!isMark(tokens, token - 1, TILDE) || !isMark(tokens, token + 1, OPEN_PAREN)) return;
  if (isPair(tokens, token - 3, COLON, COLON)) skipped.add(token);
  // `a->~A()` names the class and creates no object.
  else if (isMark(tokens, token - 2, 0x2e) || isPair(tokens, token - 3, 0x2d, GREATER))
    roles.set(token, "type");
}

/** Words before parentheses in the head of a class; after other names they are those of a function, `struct A f() {…}`. */
const ATTRIBUTE = /^(?:alignas|__attribute__|__declspec|[\p{Lu}\d_]+)$/u;
/** Marks that show that a class is only named: `struct A* a`, `struct A a = {…}`. */
const NO_HEAD: ReadonlySet<number> = new Set([EQUALS, STAR, 0x26, COMMA, 0x29]);

/** Returns the name and the body of a class; undefined for a class without a body. */
function headOfClass(tokens: Tokens, first: number): { name: string; body: number } | undefined {
  let name = "";
  let isNamed = false;
  for (let at = first; at < tokens.count && at < first + MAX_HEAD; at = after(tokens, at)) {
    if (isMark(tokens, at, OPEN_BRACE)) return name === "" ? undefined : { name, body: at };
    if (isMark(tokens, at, OPEN_PAREN) && !ATTRIBUTE.test(tokens.name[at - 1] ?? "")) return undefined;
    if (isMark(tokens, at, SEMICOLON) || (!isNamed && NO_HEAD.has(tokens.code[at] ?? 0))) return undefined;
    const word = tokens.kind[at] === NAME ? (tokens.name[at] ?? "") : "";
    if (word !== "" && word !== "final" && !isNamed) name = word;
    // Base classes and the arguments of a specialization follow the name.
    else if (isMark(tokens, at, LESS) || (isMark(tokens, at, COLON) && !isPair(tokens, at - 1, COLON, COLON)))
      isNamed ||= !isPair(tokens, at, COLON, COLON);
  }
  return undefined;
}

/** Words and marks before a constructor. */
const BEFORE: ReadonlySet<string> = new Set(["explicit", "inline", "constexpr", "consteval", "virtual"]);
const MARKS_BEFORE: ReadonlySet<number> = new Set([OPEN_BRACE, 0x7d, SEMICOLON, COLON, 0x29, GREATER, 0x5d]);

function isConstructor(tokens: Tokens, token: number): boolean {
  const { kind, code, name } = tokens;
  // `A (*a)(int);` is a pointer to a function.
  if (isMark(tokens, token + 2, STAR)) return false;
  const before = isMark(tokens, token - 1, TILDE) ? token - 2 : token - 1;
  if (kind[before] !== NAME) return MARKS_BEFORE.has(code[before] ?? 0);
  const word = name[before] ?? "";
  return BEFORE.has(word) || /^[\p{Lu}\d_]+$/u.test(word);
}
