/** The offset at which the header of a declaration ends, and whether a body in braces follows. */
export interface Head {
  readonly end: number;
  readonly opensBody: boolean;
  /** True if a bracket in the header is never closed. */
  readonly isBroken?: boolean;
}

/** Maximum length of the header of a declaration; longer ones, which occur only in generated code, are truncated. */
const MAX_HEAD = 6000;
/** Matches the beginning of a line that continues the declaration above it. */
const CONTINUES = /\s*(?:where\b|->|throws\b|rethrows\b|async\b|\{|,|:|&|=(?!=))/uy;
const VALUE_LIMIT = 80;

/** Reads the header of a declaration, from after its name to its body, its long value or its end. */
export function headEnd(text: string, from: number): Head {
  const limit = Math.min(text.length, from + MAX_HEAD);
  let depth = 0;
  for (let at = from; at < limit; at += 1) {
    const code = text.charCodeAt(at);
    if (code === 0x28 || code === 0x5b) depth += 1;
    else if (code === 0x29 || code === 0x5d) depth -= 1;
    else if (code === 0x22) at = stringEnd(text, at, limit);
    else if (code === 0x2f && isComment(text, at)) at = commentEnd(text, at, limit);
    else if (code === 0x0a && depth > 0 && beginsDeclaration(text, at + 1)) return brokenHead(text, from);
    else if (depth > 0) continue;
    else if (code === 0x7b) return { end: at, opensBody: true };
    else if (code === 0x7d || code === 0x3b) return { end: at, opensBody: false };
    else if (code === 0x3d && text.charCodeAt(at + 1) !== 0x3d && text.charCodeAt(at - 1) !== 0x3d)
      return valueEnd(text, at);
    else if (code === 0x0a && !continues(text, at)) return { end: at, opensBody: false };
  }
  return { end: limit, opensBody: false };
}

const DECLARATION =
  /[ \t]*(?:(?:@[\w.]+|public|private|fileprivate|internal|open|static|final|override|mutating)[ \t]+)*(?:func|class|struct|enum|protocol|extension|actor)[ \t]+[\p{L}_]/uy;

/**
 * True if the line begins a declaration. Outside closures no bracket contains a declaration, so a bracket that is open
 * before the line was never closed.
 */
export function beginsDeclaration(text: string, lineStart: number): boolean {
  DECLARATION.lastIndex = lineStart;
  return DECLARATION.test(text);
}

function brokenHead(text: string, from: number): Head {
  const lineEnd = text.indexOf("\n", from);
  const brace = text.indexOf("{", from);
  const opensBody = brace >= 0 && brace < lineEnd;
  return { end: opensBody ? brace : lineEnd, opensBody, isBroken: true };
}

function continues(text: string, lineEnd: number): boolean {
  CONTINUES.lastIndex = lineEnd;
  return CONTINUES.test(text) || /[,:&]\s*$/u.test(text.slice(Math.max(0, lineEnd - 3), lineEnd));
}

/**
 * Returns the end of the header at a value. A short value on the same line belongs to the header; longer values and
 * closures do not.
 */
function valueEnd(text: string, equals: number): Head {
  const lineEnd = text.indexOf("\n", equals);
  const end = lineEnd < 0 ? text.length : lineEnd;
  const value = text.slice(equals, end);
  const isShort = end - equals <= VALUE_LIMIT && !/[{}]|\/[/*]|"""/u.test(value) && !/[([,]\s*$/u.test(value);
  return { end: isShort ? end : equals, opensBody: false };
}

function isComment(text: string, at: number): boolean {
  const next = text.charCodeAt(at + 1);
  return next === 0x2f || next === 0x2a;
}

function commentEnd(text: string, at: number, limit: number): number {
  const isLine = text.charCodeAt(at + 1) === 0x2f;
  const end = isLine ? text.indexOf("\n", at) - 1 : text.indexOf("*/", at + 2) + 1;
  return end <= at || end > limit ? at + 1 : end;
}

function stringEnd(text: string, open: number, limit: number): number {
  for (let at = open + 1; at < limit; at += 1) {
    const code = text.charCodeAt(at);
    if (code === 0x5c) at += 1;
    else if (code === 0x22) return at;
    else if (code === 0x0a) return open;
  }
  return open;
}

const LISTED = /[ \t]*(?:\(\s*)?(`?[\p{L}_][\p{L}\p{N}_]*`?)/uy;

/**
 * Finds the names in lists such as `var a, b: Int` and `case one, two(Int)`: the first words between commas outside
 * brackets.
 */
export function namesInList(text: string, from: number): { readonly name: string; readonly at: number }[] {
  const names: { name: string; at: number }[] = [];
  let depth = 0;
  let awaitsName = true;
  const limit = Math.min(text.length, from + MAX_HEAD);
  for (let at = from; at < limit; at += 1) {
    if (awaitsName) {
      const found = nameAt(text, at);
      if (found === undefined) return names;
      names.push(found);
      awaitsName = false;
      at = found.at + found.name.length;
    }
    const code = text.charCodeAt(at);
    if (code === 0x28 || code === 0x5b || code === 0x3c) depth += 1;
    else if (code === 0x29 || code === 0x5d || code === 0x3e) depth = Math.max(0, depth - 1);
    else if (code === 0x22) at = stringEnd(text, at, limit);
    else if (code === 0x7b || code === 0x7d || code === 0x3b) return names;
    else if (code === 0x2f && isComment(text, at)) return names;
    else if (code === 0x2c && depth === 0) awaitsName = true;
    else if (code === 0x0a && depth === 0) return names;
  }
  return names;
}

function nameAt(text: string, from: number): { readonly name: string; readonly at: number } | undefined {
  const start = skipBlank(text, from);
  LISTED.lastIndex = start;
  const match = LISTED.exec(text);
  const [whole, name] = match ?? [];
  if (match === null || whole === undefined || name === undefined) return undefined;
  return { name: name.replaceAll("`", ""), at: start + whole.length - name.length };
}

function skipBlank(text: string, from: number): number {
  let at = from;
  while (/\s/u.test(text[at] ?? "x")) at += 1;
  return at;
}
