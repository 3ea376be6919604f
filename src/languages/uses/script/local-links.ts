import type { ModuleBinding } from "../../../model/use.ts";
import {
  after,
  CLOSE_BRACE,
  CLOSE_PAREN,
  COMMA,
  DOT,
  EQUALS,
  isMark,
  OPEN_BRACE,
  SEMICOLON,
  type Reading,
} from "../reading.ts";
import { NAME, type Tokens } from "../tokens.ts";
import { namesInPattern, nextEntry } from "./pattern-names.ts";

/** Words that are a value themselves or begin one that has no name. */
const NO_NAMES: ReadonlySet<string> = new Set(
  "undefined null true false this new function class async await typeof void delete yield import require".split(
    " ",
  ),
);

/** Returns the last token of the path `a.b.c` that begins at a token, if the value is nothing else. */
export function wholePath(tokens: Tokens, first: number): number | undefined {
  if (tokens.kind[first] !== NAME || NO_NAMES.has(tokens.name[first] ?? "")) return undefined;
  let last = first;
  while (isMark(tokens, last + 1, DOT) && tokens.kind[last + 2] === NAME) last += 2;
  return endsValue(tokens, last) ? last : undefined;
}

const ENDS: ReadonlySet<number> = new Set([SEMICOLON, COMMA, CLOSE_PAREN, CLOSE_BRACE]);

function endsValue(tokens: Tokens, last: number): boolean {
  const next = last + 1;
  if (next >= tokens.count || ENDS.has(tokens.code[next] ?? 0)) return true;
  // The end of the line ends a statement unless an operator goes on with it.
  return tokens.kind[next] === NAME && tokens.line[next] !== tokens.line[last];
}

/** Returns the names by which a text knows what it imports. */
export function importedNames({ links }: Reading): ReadonlySet<string> {
  return new Set(links.flatMap(({ kind, names }) => (kind === "import" ? names.map(({ as }) => as) : [])));
}

/**
 * Reads a variable that gets members of something imported, `{ a, b: c } = module` or `a = module.b`; `first` is the
 * token after `const`. Returns true if there is such a variable.
 */
export function readLocalLink(reading: Reading, first: number, imported: ReadonlySet<string>): boolean {
  const { tokens, bindings } = reading;
  const mark = after(tokens, first);
  const base = mark + 1;
  const name = tokens.name[base] ?? "";
  if (!isMark(tokens, mark, EQUALS) || !imported.has(name) || bindings.isBound(name, base)) return false;
  const last = wholePath(tokens, base);
  if (last === undefined) return false;
  if (isMark(tokens, first, OPEN_BRACE)) {
    // The names in the pattern are uses of the members.
    for (let at = first + 1; at < mark; at = nextEntry(tokens, at, mark - 1)) reading.kept.add(at);
    return addLocalLink(reading, base, last, namesInPattern(tokens, mark - 1));
  }
  const as = tokens.kind[first] === NAME ? (tokens.name[first] ?? "") : "";
  if (as === "" || last === base) return false;
  return addLocalLink(reading, base, last - 2, [{ name: tokens.name[last] ?? "", as }]);
}

/** Links names with the members of what a path from `first` to `last` refers to. */
export function addLocalLink(
  { tokens, links }: Reading,
  first: number,
  last: number,
  names: readonly ModuleBinding[],
): boolean {
  if (names.length === 0) return false;
  const module = tokens.text.slice(tokens.start[first], tokens.end[last]).replace(/\s/gu, "");
  links.push({
    kind: "import",
    line: tokens.line[first] ?? 1,
    module,
    names,
    all: false,
    isLocal: true,
  });
  return true;
}
