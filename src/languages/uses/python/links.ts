import type { ModuleBinding } from "../../../model/use.ts";
import {
  after,
  CLOSE_PAREN,
  COMMA,
  DOT,
  isMark,
  OPEN_PAREN,
  STAR,
  stringAt,
  type Reading,
} from "../reading.ts";
import { NAME, STRING, type Tokens } from "../tokens.ts";

/** Finds the import statements of Python. */
export function readPythonLinks(reading: Reading): void {
  const { tokens } = reading;
  for (let token = 0; token < tokens.count; token++) {
    if (tokens.kind[token] !== NAME) continue;
    const word = tokens.name[token];
    if (word === "import_module" || word === "__import__") readLoaded(reading, token);
    else if (word === "import" && !isMark(tokens, token - 1, DOT)) token = readImport(reading, token);
    else if (word === "from" && !isMark(tokens, token - 1, DOT) && beginsStatement(tokens, token))
      token = readFrom(reading, token);
  }
}

/** Reads `importlib.import_module("a.b")`, which binds no name itself. */
function readLoaded({ tokens, links }: Reading, token: number): void {
  if (!isMark(tokens, token + 1, OPEN_PAREN) || tokens.kind[token + 2] !== STRING) return;
  if (!isMark(tokens, token + 3, CLOSE_PAREN) && !isMark(tokens, token + 3, COMMA)) return;
  const module = stringAt(tokens, token + 2);
  links.push({ kind: "import", line: tokens.line[token] ?? 1, module, names: [], all: false });
}

/** Returns true if a statement begins at a token: after a line break, a colon or a semicolon. */
function beginsStatement(tokens: Tokens, token: number): boolean {
  return (
    token === 0 ||
    tokens.line[token - 1] !== tokens.line[token] ||
    isMark(tokens, token - 1, 0x3b) ||
    isMark(tokens, token - 1, 0x3a)
  );
}

/** Reads `import a.b as c, d`. Without `as`, only the first name of the path is bound. */
function readImport(reading: Reading, token: number): number {
  const { tokens, links, skipped } = reading;
  const line = tokens.line[token] ?? 1;
  let at = token + 1;
  while (tokens.kind[at] === NAME) {
    const first = at;
    while (isMark(tokens, at + 1, DOT) && tokens.kind[at + 2] === NAME) at += 2;
    for (let name = first; name <= at; name += 2) skipped.add(name);
    const module = tokens.text.slice(tokens.start[first], tokens.end[at]).replace(/\s/gu, "");
    at++;
    const isRenamed = tokens.name[at] === "as";
    if (isRenamed) skipped.add(at + 1);
    const as = isRenamed ? (tokens.name[at + 1] ?? "") : module;
    links.push({ kind: "import", line, module, names: [{ name: "*", as }], all: false });
    if (isRenamed) at += 2;
    if (!isMark(tokens, at, COMMA)) break;
    at++;
  }
  return at - 1;
}

/** Reads `from .a.b import (c as d, e)` and `from a import *`. */
function readFrom(reading: Reading, token: number): number {
  const { tokens, links, roles } = reading;
  let at = token + 1;
  while (at < tokens.count && tokens.name[at] !== "import" && at < token + 60) {
    reading.skipped.add(at);
    at++;
  }
  if (tokens.name[at] !== "import") return token;
  reading.skipped.add(at);
  const module = tokens.text.slice(tokens.end[token], tokens.start[at]).replace(/\s|\\/gu, "");
  const line = tokens.line[token] ?? 1;
  at++;
  if (isMark(tokens, at, STAR)) {
    links.push({ kind: "import", line, module, names: [], all: true });
    return at;
  }
  const isGrouped = isMark(tokens, at, OPEN_PAREN);
  const end = isGrouped ? after(tokens, at) - 1 : tokens.count;
  const names: ModuleBinding[] = [];
  if (isGrouped) at++;
  while (at < end && tokens.kind[at] === NAME) {
    const name = tokens.name[at] ?? "";
    roles.set(at, "import");
    const isRenamed = tokens.name[at + 1] === "as";
    if (isRenamed) reading.skipped.add(at + 2);
    names.push({ name, as: isRenamed ? (tokens.name[at + 2] ?? "") : name });
    at += isRenamed ? 3 : 1;
    if (!isMark(tokens, at, COMMA)) break;
    at++;
  }
  links.push({ kind: "import", line, module, names, all: false });
  return isGrouped ? end : at - 1;
}
