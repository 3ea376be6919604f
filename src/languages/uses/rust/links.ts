import type { ModuleLink } from "../../../model/use.ts";
import {
  after,
  CLOSE_BRACKET,
  COLON,
  COMMA,
  isMark,
  isPair,
  LESS,
  OPEN_BRACE,
  SEMICOLON,
  STAR,
  stringAt,
  type Reading,
} from "../reading.ts";
import { NAME, STRING, type Tokens } from "../tokens.ts";

/**
 * Finds the `use` declarations of Rust, each name as a link of its own, and the modules in other files: `mod a;` is a
 * link to `mod:a`, or to `path:b.rs` after the attribute `#[path = "b.rs"]`.
 */
export function readRustLinks(reading: Reading): void {
  const { tokens } = reading;
  for (let token = 0; token < tokens.count; token++) {
    if (tokens.kind[token] !== NAME) continue;
    const word = tokens.name[token];
    if (word === "use" && !isMark(tokens, token + 1, LESS)) token = readUse(reading, token);
    else if (word === "extern" && tokens.name[token + 1] === "crate") token = readCrate(reading, token + 2);
    else if (word === "mod" && isMark(tokens, token + 2, SEMICOLON)) readModule(reading, token);
  }
}

/** Returns true if `pub` or `pub(…)` precedes a token. */
function isPublic({ name, code, match }: Tokens, token: number): boolean {
  const before = code[token - 1] === 0x29 ? (match[token - 1] ?? 0) - 1 : token - 1;
  return name[before] === "pub";
}

function readUse(reading: Reading, token: number): number {
  const kind = isPublic(reading.tokens, token) ? "export" : "import";
  const end = readTree(reading, token + 1, { kind, line: reading.tokens.line[token] ?? 1, path: [] });
  return Math.max(end - 1, token);
}

interface Tree {
  readonly kind: ModuleLink["kind"];
  readonly line: number;
  readonly path: readonly string[];
}

/** Reads `a::b`, `a::{b, c as d}` or `a::*`, and returns the token after it. */
function readTree(reading: Reading, first: number, { kind, line, path: above }: Tree): number {
  const { tokens, links, roles } = reading;
  const path = [...above];
  let at = first;
  if (isPair(tokens, at, COLON, COLON)) at += 2;
  while (tokens.kind[at] === NAME) {
    roles.set(at, kind);
    path.push(tokens.name[at] ?? "");
    at++;
    if (!isPair(tokens, at, COLON, COLON)) break;
    at += 2;
  }
  const link = (names: ModuleLink["names"], module: readonly string[], all: boolean): void => {
    links.push({ kind, line, module: module.join("::"), names, all });
  };
  if (isMark(tokens, at, STAR)) {
    link([], path, true);
    return at + 1;
  }
  if (isMark(tokens, at, OPEN_BRACE)) {
    const close = after(tokens, at) - 1;
    for (let entry = at + 1; entry < close;) {
      const next = readTree(reading, entry, { kind, line, path });
      entry = isMark(tokens, next, COMMA) ? next + 1 : Math.max(next, entry + 1);
    }
    return close + 1;
  }
  // `a::{self}` imports `a` itself.
  if (path.length > 1 && path.at(-1) === "self") path.pop();
  const name = path.pop();
  if (name === undefined) return at;
  const isRenamed = tokens.name[at] === "as";
  if (isRenamed) reading.skipped.add(at + 1);
  const as = isRenamed ? (tokens.name[at + 1] ?? "") : name;
  link([{ name, as }], path, false);
  return isRenamed ? at + 2 : at;
}

function readCrate({ tokens, links, skipped }: Reading, token: number): number {
  const name = tokens.name[token] ?? "";
  const isRenamed = tokens.name[token + 1] === "as";
  const as = isRenamed ? (tokens.name[token + 2] ?? "") : name;
  skipped.add(token);
  if (isRenamed) skipped.add(token + 2);
  links.push({
    kind: "import",
    line: tokens.line[token] ?? 1,
    module: "",
    names: [{ name, as }],
    all: false,
  });
  return token + 1;
}

function readModule({ tokens, links }: Reading, token: number): void {
  const as = tokens.name[token + 1] ?? "";
  const path = pathAttribute(tokens, token);
  const module = path === undefined ? `mod:${as}` : `path:${path}`;
  links.push({
    kind: "export",
    line: tokens.line[token] ?? 1,
    module,
    names: [{ name: "*", as }],
    all: false,
  });
}

/** Returns the path in the attribute `#[path = "…"]` before a module. */
function pathAttribute(tokens: Tokens, token: number): string | undefined {
  let at = token - 1;
  if (tokens.code[at] === 0x29) at = (tokens.match[at] ?? 0) - 1;
  if (tokens.name[at] === "pub") at--;
  while (at > 0 && isMark(tokens, at, CLOSE_BRACKET)) {
    const open = tokens.match[at] ?? -1;
    if (open < 1) return undefined;
    if (tokens.name[open + 1] === "path" && tokens.kind[open + 3] === STRING)
      return stringAt(tokens, open + 3);
    at = open - 2;
  }
  return undefined;
}
