/** A simple statement, or the header of a compound statement such as `if`, by its position in the text. */
export interface Statement {
  readonly start: number;
  /** Offset at which the statement ends: a line ending, a semicolon or the end of the text. */
  readonly end: number;
  /** Number of line breaks inside the statement. */
  readonly breaks: number;
  /** Offset of the first colon outside brackets, or -1 if there is none. */
  readonly colon: number;
  /** Offsets of the `=` signs outside brackets that are assignments and not comparisons. */
  readonly equals: readonly number[];
  /** True if a bracket or string in the statement is never closed. */
  readonly isBroken: boolean;
}

/** Maximum number of `=` signs that are recorded for a statement; real code does not have more. */
const MAX_EQUALS = 20;
/**
 * Matches a line that can only begin a definition. A bracket that is still open before such a line was never closed.
 */
const DEFINITION_LINE = /[ \t]*(?:(?:async[ \t]+)?def[ \t]+\w+[ \t]*[([]|class[ \t]+\w+[ \t]*[(:[])/uy;
const BEFORE_EQUALS: ReadonlySet<number> = new Set(
  Array.from("=!<>+-*/%&|^@:", (mark) => mark.charCodeAt(0)),
);

/** Reads one statement to its end, over brackets, strings and continuation lines. */
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
    // Most characters neither end a statement nor open a bracket or string, and are skipped quickly.
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

/** Returns the offset of the next line break, or of the end of the text. */
export function lineEnd(text: string, at: number): number {
  const end = text.indexOf("\n", at);
  return end < 0 ? text.length : end;
}

function beginsDefinition(text: string, at: number): boolean {
  DEFINITION_LINE.lastIndex = at;
  return DEFINITION_LINE.test(text);
}

interface StringEnd {
  /** Offset of the last character of the string. */
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

/** True for an f-string, which since Python 3.12 may contain its own quotes inside braces. */
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

/** Counts the line breaks between two offsets. */
export function breaksIn(text: string, start: number, end: number): number {
  let breaks = 0;
  for (let at = text.indexOf("\n", start); at >= 0 && at < end; at = text.indexOf("\n", at + 1)) breaks += 1;
  return breaks;
}

/** Matches a sticky pattern at the given offset. */
export function matchAt(pattern: RegExp, at: number, text: string): RegExpExecArray | null {
  pattern.lastIndex = at;
  return pattern.exec(text);
}

export interface BoundName {
  readonly name: string;
  /** True if the name is a type alias, defined by `type X = …`. */
  readonly isType: boolean;
}

const TYPE_ALIAS = /type[ \t]+([\p{ID_Start}_][\p{ID_Continue}]*)[ \t]*[[=]/uy;
/** Matches a single name, which most assignments have as their target. */
const PLAIN_TARGET = /^([A-Za-z_]\w*)\s*$/u;
const TARGET = /^[\s(*[\\]*([\p{ID_Start}_][\p{ID_Continue}]*)[\s)\]\\]*$/u;
/**
 * Maximum length of the text before the last `=` of an assignment; a longer one unpacks data and defines nothing of
 * interest.
 */
const MAX_TARGETS_TEXT = 2000;

/** Returns the names that a statement assigns, annotates or defines as a type alias. */
export function namesBound({ start, end, colon, equals }: Statement, text: string): readonly BoundName[] {
  const alias = equals.length > 0 ? matchAt(TYPE_ALIAS, start, text)?.[1] : undefined;
  if (alias !== undefined) return [{ name: alias, isType: true }];
  const isAnnotated = colon >= 0 && (equals.length === 0 || colon < (equals[0] ?? end));
  const last = lastTargetEnd(equals, text);
  if (last < 0 && !isAnnotated) return [];
  const targets = isAnnotated ? text.slice(start, colon) : text.slice(start, last);
  if (targets.length > MAX_TARGETS_TEXT) return [];
  const only = PLAIN_TARGET.exec(targets)?.[1];
  if (only !== undefined) return [{ name: only, isType: false }];
  return withoutSubscripts(targets)
    .split(/[=,]/u)
    .flatMap((target) => {
      const name = TARGET.exec(target)?.[1];
      return name === undefined ? [] : [{ name, isType: false }];
    });
}

/** Returns the end of the last target in `a = b = value`. The `=` of default values in a lambda are ignored. */
function lastTargetEnd(equals: readonly number[], text: string): number {
  const [first = -1] = equals;
  if (equals.length < 2) return first;
  const real = equals.filter((at) => at === first || !/\blambda\b/u.test(text.slice(first, at)));
  return real.at(-1) ?? -1;
}

/** Replaces brackets after a name by a dot, because targets such as `a[b, c]` and `f(x).a` define no names. */
function withoutSubscripts(targets: string): string {
  if (!/[\p{ID_Continue}\])"'][ \t]*[[(]/u.test(targets)) return targets;
  let result = "";
  // Number of open brackets, counted from the bracket that follows a name.
  let depth = 0;
  for (const char of targets) {
    const isOpening = char === "[" || char === "(";
    if (depth > 0) depth += isOpening ? 1 : char === "]" || char === ")" ? -1 : 0;
    else if (isOpening && /[\p{ID_Continue}\])"'.][ \t]*$/u.test(result)) {
      depth = 1;
      result += ".";
    } else result += char;
  }
  return result;
}
