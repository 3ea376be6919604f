import { addToGroup } from "../../../kernel/group-by.ts";
import type { ModuleBinding } from "../../../model/use.ts";
import {
  after,
  CLOSE_BRACE,
  CLOSE_PAREN,
  COLON,
  COMMA,
  DOT,
  EQUALS,
  firstOfPath,
  isMark,
  isPair,
  OPEN_BRACE,
  SEMICOLON,
  stringAt,
  type Reading,
} from "../reading.ts";
import { NAME, type Tokens } from "../tokens.ts";
import { isLoad } from "./loads.ts";

/**
 * Returns the name under which a path that ends at a token exports its value: `a` for `exports.a`, `default` for
 * `module.exports`; undefined for other paths.
 */
export function exportedAs(tokens: Tokens, last: number): string | undefined {
  let at = firstOfPath(tokens, last);
  if (tokens.name[at] === "module" && tokens.name[at + 2] === "exports") at += 2;
  if (tokens.name[at] !== "exports") return undefined;
  if (at === last) return "default";
  return at + 2 === last ? tokens.name[last] : undefined;
}

/** Passes on a name of the file itself under a name for other files. */
export function exportAs(reading: Reading, token: number, as: string): void {
  const { tokens, links, roles } = reading;
  if (!reading.defines(token)) roles.set(token, "export");
  const names = [{ name: tokens.name[token] ?? "", as }];
  links.push({ kind: "export", line: tokens.line[token] ?? 1, module: "", names, all: false });
}

/** Words that are a value themselves or begin one that has no name. */
const NO_NAMES: ReadonlySet<string> = new Set(
  "undefined null true false this new function class async await typeof void delete yield import require".split(
    " ",
  ),
);

/** Returns true if the value that begins at a token is nothing but a name. */
function isBareName(tokens: Tokens, value: number): boolean {
  if (tokens.kind[value] !== NAME || NO_NAMES.has(tokens.name[value] ?? "")) return false;
  const next = value + 1;
  if (next >= tokens.count) return true;
  if ([SEMICOLON, COMMA, CLOSE_PAREN, CLOSE_BRACE].some((mark) => isMark(tokens, next, mark))) return true;
  // The end of the line ends a statement unless an operator goes on with it.
  return tokens.kind[next] === NAME && tokens.line[next] !== tokens.line[value];
}

/** Reads `module.exports = a`, `module.exports = { a, b: c }` and `exports.a = b`. */
export function readCommonExport(reading: Reading, token: number): void {
  const { tokens } = reading;
  let last = token;
  while (isMark(tokens, last + 1, DOT) && tokens.kind[last + 2] === NAME) last += 2;
  const as = exportedAs(tokens, last);
  if (as === undefined || !isMark(tokens, last + 1, EQUALS) || isPair(tokens, last + 1, EQUALS, EQUALS))
    return;
  const value = last + 2;
  if (isBareName(tokens, value)) exportAs(reading, value, as);
  else if (as !== "default") return;
  else if (isMark(tokens, value, OPEN_BRACE)) readEntries(reading, value);
  else {
    let name = value;
    while (["async", "function", "class"].includes(tokens.name[name] ?? "")) name++;
    const isNamed = name > value && tokens.kind[name] === NAME && tokens.name[name] !== "extends";
    if (isNamed) exportAs(reading, name, "default");
  }
}

/** Reads the entries of an object that a file exports; those with other values than names are definitions. */
function readEntries({ tokens, links, roles }: Reading, open: number): void {
  const close = tokens.match[open] ?? -1;
  const own = new Map<number, ModuleBinding[]>();
  for (let at = open + 1; at < close; at = nextEntry(tokens, at, close)) {
    const line = tokens.line[at] ?? 1;
    const isSpread = [0, 1, 2].every((dot) => isMark(tokens, at + dot, DOT));
    if (isSpread && isLoad(tokens, at + 3))
      links.push({ kind: "export", line, module: stringAt(tokens, at + 5), names: [], all: true });
    if (tokens.kind[at] !== NAME) continue;
    const as = tokens.name[at] ?? "";
    const value = isMark(tokens, at + 1, COLON) ? at + 2 : at;
    if (isLoad(tokens, value)) addPassedOn(links, tokens, { call: value, as, line });
    else if (isBareName(tokens, value)) {
      roles.set(value, "export");
      addToGroup(own, line, { name: tokens.name[value] ?? "", as });
    }
  }
  for (const [line, names] of own) links.push({ kind: "export", line, module: "", names, all: false });
}

function nextEntry(tokens: Tokens, first: number, end: number): number {
  let at = first;
  while (at < end && !isMark(tokens, at, COMMA)) at = after(tokens, at);
  return at + 1;
}

/** Reads `module.exports = require("a")` and `exports.b = require("a").b`; returns false for other calls of `require`. */
export function readPassedOn({ tokens, links }: Reading, call: number): boolean {
  if (!isMark(tokens, call - 1, EQUALS)) return false;
  const as = exportedAs(tokens, call - 2);
  if (as !== undefined) addPassedOn(links, tokens, { call, as, line: tokens.line[call] ?? 1 });
  return as !== undefined;
}

/** Adds a link for a module, or a member of one, that a file exports. A call of the result exports something else. */
function addPassedOn(
  links: Reading["links"],
  tokens: Tokens,
  { call, as, line }: { readonly call: number; readonly as: string; readonly line: number },
): void {
  const isMember = isMark(tokens, call + 4, DOT);
  const name = isMember ? (tokens.name[call + 5] ?? "") : "=";
  const end = isMember ? call + 5 : call + 3;
  const isWhole = [SEMICOLON, COMMA, CLOSE_BRACE].some((mark) => isMark(tokens, end + 1, mark));
  const isLast = isWhole || tokens.line[end + 1] !== tokens.line[end];
  links.push({
    kind: "export",
    line,
    module: stringAt(tokens, call + 2),
    names: isLast ? [{ name, as }] : [],
    all: isLast && as === "default" && !isMember,
  });
}
