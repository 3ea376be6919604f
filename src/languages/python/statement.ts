/** A simple statement, or the head of a compound one, by its place in the text. */
export interface Statement {
  readonly start: number;
  /** The index of the line end, the semicolon, or the end of the text. */
  readonly end: number;
  /** Line breaks inside it. */
  readonly breaks: number;
  /** The first colon outside brackets, or -1. */
  readonly colon: number;
  /** Each `=` outside brackets that assigns. */
  readonly equals: readonly number[];
  /** A bracket or a string was never closed. */
  readonly isBroken: boolean;
}

/** More targets than this are no code. */
const MAX_EQUALS = 20;
/** No expression contains these words at the start of a line: a bracket before them was never closed. */
const DEFINITION_LINE = /[ \t]*(?:(?:async[ \t]+)?def[ \t]+\w+[ \t]*[([]|class[ \t]+\w+[ \t]*[(:[])/uy;
const BEFORE_EQUALS: ReadonlySet<number> = new Set(
  Array.from("=!<>+-*/%&|^@:", (mark) => mark.charCodeAt(0)),
);

/** Reads one statement from its first character to its end, over brackets, strings and continued lines. */
export function readStatement(text: string, start: number): Statement {
  const { length } = text;
  let at = start;
  let depth = 0;
  let breaks = 0;
  let colon = -1;
  const equals: number[] = [];
  let isBroken = false;
  for (; at < length; at += 1) {
    const code = text.charCodeAt(at);
    // Letters, digits and most marks need no look.
    if (code > 0x5d && code !== 0x7b && code !== 0x7d) continue;
    if (code === 0x0a) {
      if (depth === 0) break;
      if (beginsDefinition(text, at + 1)) {
        isBroken = true;
        break;
      }
      breaks += 1;
    } else if (code === 0x28 || code === 0x5b || code === 0x7b) depth += 1;
    else if (code === 0x29 || code === 0x5d || code === 0x7d) depth = depth === 0 ? 0 : depth - 1;
    else if (code === 0x22 || code === 0x27) {
      const end = stringEnd(text, at);
      isBroken ||= end.isOpen;
      breaks += end.breaks;
      at = end.last;
    } else if (code === 0x23) at = lineEnd(text, at) - 1;
    else if (code === 0x5c) {
      const skipped = text.charCodeAt(at + 1) === 0x0d ? 2 : 1;
      if (text.charCodeAt(at + skipped) === 0x0a) breaks += 1;
      at += skipped;
    } else if (depth > 0) continue;
    else if (code === 0x3b) break;
    else if (code === 0x3a && colon < 0) colon = text.charCodeAt(at + 1) === 0x3d ? colon : at;
    else if (code === 0x3d) {
      if (text.charCodeAt(at + 1) === 0x3d) at += 1;
      else if (equals.length < MAX_EQUALS && !BEFORE_EQUALS.has(text.charCodeAt(at - 1))) equals.push(at);
    }
  }
  return {
    start,
    end: Math.min(at, length),
    breaks,
    colon,
    equals,
    isBroken: isBroken || (depth > 0 && at >= length),
  };
}

/** The index of the line break at or behind an index, or of the end of the text. */
export function lineEnd(text: string, at: number): number {
  const end = text.indexOf("\n", at);
  return end < 0 ? text.length : end;
}

function beginsDefinition(text: string, at: number): boolean {
  DEFINITION_LINE.lastIndex = at;
  return DEFINITION_LINE.test(text);
}

interface StringEnd {
  /** The index of the string's last character. */
  readonly last: number;
  readonly breaks: number;
  readonly isOpen: boolean;
}

function stringEnd(text: string, open: number): StringEnd {
  const quote = text.charCodeAt(open);
  if (text.charCodeAt(open + 1) === quote && text.charCodeAt(open + 2) === quote)
    return tripleEnd(text, open);
  const isFormat = hasFormatPrefix(text, open);
  let braces = 0;
  let breaks = 0;
  for (let at = open + 1; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === 0x5c) {
      at += text.charCodeAt(at + 1) === 0x0d ? 2 : 1;
      if (text.charCodeAt(at) === 0x0a) breaks += 1;
    } else if (code === 0x0a) return { last: at - 1, breaks, isOpen: true };
    else if (code === quote && braces === 0) return { last: at, breaks, isOpen: false };
    else if (isFormat && code === 0x7b) {
      if (text.charCodeAt(at + 1) === 0x7b) at += 1;
      else braces += 1;
    } else if (isFormat && code === 0x7d && braces > 0) braces -= 1;
    else if (braces > 0 && (code === 0x22 || code === 0x27)) at = stringEnd(text, at).last;
  }
  return { last: text.length - 1, breaks, isOpen: true };
}

/** Since Python 3.12 an f-string may hold its own quotes inside braces. */
function hasFormatPrefix(text: string, open: number): boolean {
  const near = text.charCodeAt(open - 1) | 0x20;
  return near === 0x66 || (near === 0x72 && (text.charCodeAt(open - 2) | 0x20) === 0x66);
}

function tripleEnd(text: string, open: number): StringEnd {
  const quotes = text.slice(open, open + 3);
  let end = text.indexOf(quotes, open + 3);
  while (end >= 0 && isEscaped(text, end)) end = text.indexOf(quotes, end + 1);
  const last = end < 0 ? text.length - 1 : end + 2;
  return { last, breaks: breaksIn(text, open, last), isOpen: end < 0 };
}

function isEscaped(text: string, at: number): boolean {
  let slashes = 0;
  while (text.charCodeAt(at - 1 - slashes) === 0x5c) slashes += 1;
  return slashes % 2 === 1;
}

/** The line breaks between two indexes. */
export function breaksIn(text: string, start: number, end: number): number {
  let breaks = 0;
  for (let at = text.indexOf("\n", start); at >= 0 && at < end; at = text.indexOf("\n", at + 1)) breaks += 1;
  return breaks;
}

/** The match of a sticky pattern that begins just there. */
export function matchAt(pattern: RegExp, at: number, text: string): RegExpExecArray | null {
  pattern.lastIndex = at;
  return pattern.exec(text);
}
