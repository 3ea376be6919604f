/** A table header, or a key with its value, as offsets into a TOML text. */
export type TomlItem = TomlHeader | TomlPair;

export interface TomlHeader {
  readonly kind: "header";
  readonly path: readonly string[];
  readonly start: number;
  /** The offset after the header's closing bracket. */
  readonly end: number;
}

export interface TomlPair {
  readonly kind: "pair";
  readonly path: readonly string[];
  readonly start: number;
  readonly valueStart: number;
  readonly end: number;
}

/** Returns the headers and pairs of a TOML text in order. The text must be valid, because only its outline is scanned. */
export function scanToml(text: string): readonly TomlItem[] {
  const items: TomlItem[] = [];
  let at = skipBlank(text, 0);
  while (at < text.length) {
    const item = text[at] === "[" ? scanHeader(text, at) : scanPair(text, at);
    items.push(item);
    at = skipBlank(text, item.end);
  }
  return items;
}

/** Skips white space, line ends and comments. */
function skipBlank(text: string, from: number): number {
  return matchEnd(/(?:\s+|#[^\n]*)*/y, text, from);
}

function scanHeader(text: string, start: number): TomlHeader {
  const inside = matchEnd(/\[\[?\s*/y, text, start);
  const { path, end } = scanKey(text, inside);
  return { kind: "header", path, start, end: matchEnd(/\s*\]\]?/y, text, end) };
}

function scanPair(text: string, start: number): TomlPair {
  const { path, end } = scanKey(text, start);
  const valueStart = matchEnd(/[ \t]*=[ \t]*/y, text, end);
  return { kind: "pair", path, start, valueStart, end: valueEnd(text, valueStart) };
}

const KEY_PART = /[ \t]*(?:"((?:[^"\\]|\\.)*)"|'([^']*)'|([\w-]+))[ \t]*(\.?)/y;

function scanKey(text: string, from: number): { readonly path: readonly string[]; readonly end: number } {
  const path: string[] = [];
  let end = from;
  for (let dotted = true; dotted;) {
    KEY_PART.lastIndex = end;
    const part = KEY_PART.exec(text);
    if (part === null) break;
    path.push(part[1] ?? part[2] ?? part[3] ?? "");
    end = KEY_PART.lastIndex;
    dotted = part[4] === ".";
  }
  // The returned offset is always larger than the given one, whatever the text is, so that scanning ends.
  return { path, end: Math.max(end, from + 1) };
}

const STRING = /"""[\s\S]*?(?<!\\)(?:\\\\)*"{3,5}|'''[\s\S]*?'{3,5}|"(?:[^"\\\n]|\\.)*"|'[^'\n]*'/y;

function valueEnd(text: string, from: number): number {
  const string = matchEnd(STRING, text, from);
  if (string > from) return string;
  if (text[from] !== "[" && text[from] !== "{") return matchEnd(/[^\s,\]}#]+(?: [\d:.+\-Z]+)?/y, text, from);
  let at = from;
  for (let depth = 0; at < text.length;) {
    const next = matchEnd(STRING, text, at);
    if (next > at) {
      at = next;
      continue;
    }
    const char = text[at] ?? "";
    at = char === "#" ? matchEnd(/[^\n]*/y, text, at) : at + 1;
    if (char === "[" || char === "{") depth++;
    if (char === "]" || char === "}") depth--;
    if (depth === 0) break;
  }
  return at;
}

/**
 * Tries a sticky regular expression at an offset and returns where the match ends, or the offset itself if there is no
 * match.
 */
function matchEnd(expression: RegExp, text: string, from: number): number {
  expression.lastIndex = from;
  return expression.test(text) ? expression.lastIndex : from;
}
