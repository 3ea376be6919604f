import { keySignature, selectKeys, MAX_KEY_DEPTH } from "../keys.ts";
import type { Language, Scanned, ScannedSymbol } from "../language.ts";
import { linesOf } from "../lines.ts";

/** YAML: the keys of the upper levels of every document in the file, except for keys inside lists. */
export const yaml: Language = {
  id: "yaml",
  name: "YAML",
  extensions: [".yaml", ".yml"],
  fileNames: [".clang-format", ".clang-tidy", ".clangd", "pubspec.lock"],
  holds: "keys, to three levels",
  outline: { by: "scanner", separator: ".", scan },
};

const KEY =
  /^( *)((?:"(?:[^"\\]|\\.)*"|'[^']*'|[^\s#\-?[\]{},&*!|>'"%@`][^#:]*?|-[^\s:#][^#:]*?)(?: *:[^\s:#][^#:]*?)*) *:(?:[ \t]+(.*))?$/u;

type Key = { -readonly [K in keyof ScannedSymbol]: ScannedSymbol[K] };

interface State {
  readonly keys: Key[];
  readonly open: { readonly key: Key; readonly indent: number }[];
  /** Lines that are indented deeper than this are skipped, because they belong to a list or a block of text. */
  skipBelow: number;
}

function scan(text: string): Scanned {
  const state: State = { keys: [], open: [], skipBelow: Number.POSITIVE_INFINITY };
  let last = 0;
  for (const [index, raw] of linesOf(text).entries()) {
    const line = raw.trimEnd();
    const body = line.trimStart();
    if (body === "" || body.startsWith("#")) continue;
    const indent = line.length - body.length;
    if (indent === 0 && /^(?:---|\.\.\.|%)/u.test(body)) {
      closeTo(0, last, state);
      state.skipBelow = Number.POSITIVE_INFINITY;
    } else if (indent <= state.skipBelow) read({ line, body, indent, number: index + 1, last }, state);
    last = index + 1;
  }
  closeTo(0, last, state);
  return { symbols: selectKeys(state.keys) };
}

interface Line {
  readonly line: string;
  readonly body: string;
  readonly indent: number;
  readonly number: number;
  /** Number of the last line above this one that is neither empty nor a comment. */
  readonly last: number;
}

function read({ line, body, indent, number, last }: Line, state: State): void {
  state.skipBelow = Number.POSITIVE_INFINITY;
  if (/^-(?:\s|$)/u.test(body)) {
    state.skipBelow = indent;
    return;
  }
  closeTo(indent, last, state);
  const match = line.length > 2000 ? null : KEY.exec(line);
  if (match === null) return;
  const name = (match[2] ?? "").replace(/^["']|["']$/gu, "");
  const value = (match[3] ?? "").replace(/(?:^|\s)#.*$/u, "").trim();
  const depth = state.open.length + 1;
  if (/^[|>][-+\d]*$/u.test(value.replace(/^!\S+\s*/u, ""))) state.skipBelow = indent;
  if (depth > MAX_KEY_DEPTH) {
    state.skipBelow = indent;
    return;
  }
  const shown = /^[|>]/u.test(value) ? "" : value;
  const key: Key = {
    kind: "key",
    name,
    signature: keySignature(name, shown),
    lineStart: number,
    lineEnd: number,
    depth,
  };
  state.keys.push(key);
  state.open.push({ key, indent });
}

function closeTo(indent: number, last: number, state: State): void {
  while (state.open.length > 0 && (state.open.at(-1)?.indent ?? 0) >= indent) {
    const key = state.open.pop()?.key;
    if (key !== undefined) key.lineEnd = Math.max(key.lineStart, last);
  }
}
