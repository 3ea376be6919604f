import { addToGroup } from "../../../kernel/group-by.ts";
import type { ModuleBinding } from "../../../model/use.ts";
import {
  CLOSE_BRACE,
  COLON,
  COMMA,
  DOT,
  EQUALS,
  firstOfPath,
  isMark,
  isPair,
  OPEN_BRACE,
  OPEN_PAREN,
  SEMICOLON,
  stringAt,
  type Reading,
} from "../reading.ts";
import { NAME, type Tokens } from "../tokens.ts";
import { isLoad } from "./loads.ts";
import { wholePath } from "./local-links.ts";
import { nextEntry } from "./pattern-names.ts";

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

/** Reads `module.exports = a`, `module.exports = { a, b: c }`, `exports.a = b` and `Object.assign(exports, …)`. */
export function readCommonExport(reading: Reading, token: number): void {
  const { tokens } = reading;
  let last = token;
  while (isMark(tokens, last + 1, DOT) && tokens.kind[last + 2] === NAME) last += 2;
  const as = exportedAs(tokens, last);
  if (as === "default" && isMark(tokens, last + 1, COMMA)) readAssigned(reading, token, last);
  if (as === undefined || !isMark(tokens, last + 1, EQUALS) || isPair(tokens, last + 1, EQUALS, EQUALS))
    return;
  const value = last + 2;
  if (wholePath(tokens, value) === value) exportAs(reading, value, as);
  else if (as !== "default") return;
  else if (isMark(tokens, value, OPEN_BRACE)) readEntries(reading, value);
  else {
    let name = value;
    while (["async", "function", "class"].includes(tokens.name[name] ?? "")) name++;
    const isNamed = name > value && tokens.kind[name] === NAME && tokens.name[name] !== "extends";
    if (isNamed) exportAs(reading, name, "default");
  }
}

/** Reads the modules whose names `Object.assign(exports, require("a"))` passes on. */
function readAssigned({ tokens, links }: Reading, token: number, last: number): void {
  const call = token - 2;
  if (!isMark(tokens, token - 1, OPEN_PAREN) || tokens.name[call] !== "assign") return;
  const close = tokens.match[token - 1] ?? -1;
  for (let at = last + 2; at < close; at = nextEntry(tokens, at, close))
    if (isLoad(tokens, at))
      links.push({
        kind: "export",
        line: tokens.line[at] ?? 1,
        module: stringAt(tokens, at + 2),
        names: [],
        all: true,
      });
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
    else if (wholePath(tokens, value) === value) {
      roles.set(value, "export");
      addToGroup(own, line, { name: tokens.name[value] ?? "", as });
    }
  }
  for (const [line, names] of own) links.push({ kind: "export", line, module: "", names, all: false });
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
