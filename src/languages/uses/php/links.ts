import type { ModuleBinding } from "../../../model/use.ts";
import {
  after,
  CLOSE_BRACE,
  closeOf,
  COLON,
  COMMA,
  isMark,
  isPair,
  OPEN_BRACE,
  SEMICOLON,
  type Reading,
} from "../reading.ts";
import { NAME, type Tokens } from "../tokens.ts";

const BACKSLASH = 0x5c;
const TYPES: ReadonlySet<string> = new Set(["class", "interface", "trait", "enum"]);

/** Reads the `use` statements of PHP: imports outside of types, and the traits of a type, which are base types. */
export function readPhpLinks(reading: Reading): void {
  const { tokens, skipped } = reading;
  /** The last token of the type that is open. */
  let typeEnd = -1;
  for (let token = 0; token < tokens.count; token++) {
    const word = tokens.kind[token] === NAME ? (tokens.name[token] ?? "") : "";
    if (word === "" || isMember(tokens, token)) continue;
    if (TYPES.has(word)) typeEnd = Math.max(typeEnd, endOfType(tokens, token));
    else if (word === "namespace" && !isMark(tokens, token + 1, BACKSLASH)) {
      for (
        token++;
        token < tokens.count && !isMark(tokens, token, SEMICOLON) && !isMark(tokens, token, OPEN_BRACE);
        token++
      )
        skipped.add(token);
    } else if (word === "use" && (tokens.kind[token + 1] === NAME || isMark(tokens, token + 1, BACKSLASH))) {
      if (token > typeEnd) readUse(reading, token);
      else markTraits(reading, token);
    }
  }
}

function isMember(tokens: Tokens, token: number): boolean {
  return (
    isMark(tokens, token - 1, COLON) || isMark(tokens, token - 1, 0x3e) || isMark(tokens, token - 1, 0x24)
  );
}

function endOfType(tokens: Tokens, token: number): number {
  let at = token + 1;
  while (at < tokens.count && !isMark(tokens, at, OPEN_BRACE) && !isMark(tokens, at, SEMICOLON)) {
    if (isMark(tokens, at, 0x29)) return -1;
    at = after(tokens, at);
  }
  return isMark(tokens, at, OPEN_BRACE) ? after(tokens, at) - 1 : -1;
}

/** Reads `use A\B as C, D;`, `use function A\b;` and `use A\{B, C as D};`. */
function readUse(reading: Reading, token: number): void {
  const { tokens, links, skipped } = reading;
  const line = tokens.line[token] ?? 1;
  let at = token + 1;
  if (isSort(tokens, at)) skipped.add(at++);
  for (;;) {
    const path = readPath(reading, at);
    if (isMark(tokens, path.end, OPEN_BRACE)) {
      const names: { readonly module: string; readonly binding: ModuleBinding }[] = [];
      const close = after(tokens, path.end) - 1;
      for (at = path.end + 1; at < close; at++) {
        if (isSort(tokens, at)) skipped.add(at++);
        const inner = readPath(reading, at);
        names.push({
          module: [...path.parts, ...inner.parts.slice(0, -1)].join("."),
          binding: { name: inner.parts.at(-1) ?? "", as: inner.as },
        });
        at = inner.end;
      }
      for (const { module, binding } of names)
        if (binding.name !== "") links.push({ kind: "import", line, module, names: [binding], all: false });
      return;
    }
    const name = path.parts.at(-1);
    if (name === undefined) return;
    const module = path.parts.slice(0, -1).join(".");
    links.push({ kind: "import", line, module, names: [{ name, as: path.as }], all: false });
    if (!isMark(tokens, path.end, COMMA)) return;
    at = path.end + 1;
  }
}

/** Returns true for `function` or `const` before the name of what is imported. */
function isSort(tokens: Tokens, at: number): boolean {
  return (tokens.name[at] === "function" || tokens.name[at] === "const") && tokens.kind[at + 1] === NAME;
}

/** Reads `\A\B as C` and returns its parts, the name in this file, and the token after it. */
function readPath({ tokens, skipped, roles }: Reading, first: number) {
  const parts: string[] = [];
  let at = first;
  let last = -1;
  while (tokens.kind[at] === NAME ? tokens.name[at] !== "as" : isMark(tokens, at, BACKSLASH)) {
    if (tokens.kind[at] === NAME) {
      parts.push(tokens.name[at] ?? "");
      if (last >= 0) skipped.add(last);
      last = at;
    }
    at++;
  }
  let as = parts.at(-1) ?? "";
  if (isMark(tokens, at, OPEN_BRACE)) {
    if (last >= 0) skipped.add(last);
  } else if (last >= 0) roles.set(last, "import");
  if (tokens.name[at] === "as") {
    as = tokens.name[at + 1] ?? as;
    skipped.add(at + 1);
    at += 2;
  }
  return { parts, as, end: at };
}

/** Marks the traits in `use A, B\C { … }` inside a type. */
function markTraits(reading: Reading, token: number): void {
  const { tokens, roles } = reading;
  for (let at = token + 1; at < tokens.count; at++) {
    if (isMark(tokens, at, OPEN_BRACE)) markRules(reading, at);
    if (isMark(tokens, at, SEMICOLON) || isMark(tokens, at, OPEN_BRACE) || isMark(tokens, at, CLOSE_BRACE))
      return;
    if (tokens.kind[at] === NAME) roles.set(at, isMark(tokens, at + 1, BACKSLASH) ? "read" : "inheritance");
    else if (isPair(tokens, at, COLON, COLON)) return;
  }
}

/** Marks the methods in `{ A::b insteadof C; b as d; }`, and skips the new names that they get. */
function markRules({ tokens, roles, keys, skipped }: Reading, open: number): void {
  const close = closeOf(tokens, open);
  for (let at = open + 1; at < close; at++) {
    const next = tokens.name[at + 1] ?? "";
    if (tokens.kind[at] !== NAME || (next !== "as" && next !== "insteadof")) continue;
    roles.set(at, "call");
    // Without a trait before it, it is the method of one of them.
    if (!isPair(tokens, at - 2, COLON, COLON)) keys.add(at);
    if (next !== "as") continue;
    const last = isMark(tokens, at + 3, SEMICOLON) ? at + 2 : at + 3;
    skipped.add(last);
  }
}
