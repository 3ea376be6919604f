import { keySignature, selectKeys, MAX_KEY_DEPTH } from "../keys.ts";
import type { Language, Scanned, ScannedSymbol } from "../language.ts";
import { lineCounter } from "../lines.ts";

/** JSON, with or without comments: the keys of its upper levels, except for keys inside lists. */
export const json: Language = {
  id: "json",
  name: "JSON",
  extensions: [".json", ".jsonc", ".json5", ".webmanifest", ".geojson", ".code-workspace"],
  fileNames: [".babelrc", ".eslintrc", ".prettierrc", ".swcrc", ".jshintrc", "composer.lock", "pipfile.lock"],
  holds: "keys, to three levels",
  outline: { by: "scanner", separator: ".", scan },
};

interface Frame {
  readonly isObject: boolean;
  /** Index of the key whose value is this object or list, or -1. */
  readonly key: number;
}

interface State {
  readonly text: string;
  readonly keys: { -readonly [K in keyof ScannedSymbol]: ScannedSymbol[K] }[];
  readonly frames: Frame[];
  /** Index of the key whose value comes next, or -1 if there is none. */
  pending: number;
}

const TOKEN =
  /"(?:[^"\\\n]|\\.)*"?|'(?:[^'\\\n]|\\.)*'?|\/\/[^\n]*|\/\*[\s\S]*?(?:\*\/|$)|[{}[\],:]|[^\s"'{}[\],:/]+|\//gu;

function scan(text: string): Scanned {
  const state: State = { text, keys: [], frames: [], pending: -1 };
  const lineOf = lineCounter(text);
  let hasErrors = false;
  for (const match of text.matchAll(TOKEN)) {
    const token = match[0];
    if (token.startsWith("//") || token.startsWith("/*")) continue;
    const line = lineOf(match.index);
    if (token === "{" || token === "[") open(token === "{", state);
    else if (token === "}" || token === "]") hasErrors = !close(line, state) || hasErrors;
    else if (token === ",") state.pending = -1;
    else if (token !== ":") readWord(token, { line, end: match.index + token.length, state });
  }
  hasErrors ||= state.frames.length > 0;
  const lastLine = lineOf(text.length);
  for (const { key } of state.frames) if (key >= 0) endAt(key, lastLine, state);
  return { symbols: selectKeys(state.keys), hasErrors };
}

function open(isObject: boolean, state: State): void {
  const around = state.frames.at(-1);
  // Keys inside a list, or in the value of a key that was skipped, are skipped too.
  const isFollowed = state.pending >= 0 || around === undefined;
  state.frames.push({ isObject: isObject && isFollowed, key: state.pending });
  state.pending = -1;
}

function close(line: number, state: State): boolean {
  const frame = state.frames.pop();
  if (frame === undefined) return false;
  if (frame.key >= 0) endAt(frame.key, line, state);
  state.pending = -1;
  return true;
}

function endAt(index: number, line: number, state: State): void {
  const key = state.keys[index];
  if (key !== undefined) key.lineEnd = line;
}

const FOLLOWED_BY_COLON = /\s*:\s*([^\n]*)/uy;

function readWord(token: string, { line, end, state }: { line: number; end: number; state: State }): void {
  const depth = state.frames.length;
  if (state.frames.at(-1)?.isObject !== true || state.pending >= 0 || depth > MAX_KEY_DEPTH) return;
  FOLLOWED_BY_COLON.lastIndex = end;
  const value = FOLLOWED_BY_COLON.exec(state.text);
  if (value === null) return;
  const name = token.replace(/^["']|["']$/gu, "");
  const shown = /^[{[]/u.test(value[1] ?? "") ? "" : (value[1] ?? "").replace(/,?\s*(?:\/\/.*)?$/u, "");
  state.pending = state.keys.length;
  state.keys.push({
    kind: "key",
    name,
    signature: keySignature(name, shown.slice(0, 200)),
    lineStart: line,
    lineEnd: line,
    depth,
  });
}
