import type { CommentSyntax } from "./language.ts";

/** Maximum length of a signature; longer ones, which occur only in generated code, are truncated. */
const MAX_SIGNATURE = 1000;

/** Matches white space that a signature does not have: other than single spaces between words, or a comma at the end of a list. */
const UNTIDY = /\s\s|[^\S ]| [,;)\]]|[([] |,[)\]]/u;

/** Formats a declaration on one line, without comments and without the bracket or keyword that opens its body. */
export function oneLine(declaration: string, comments: CommentSyntax): string {
  let text = declaration;
  if (text.includes("\n")) text = withoutComments(text, comments);
  if (UNTIDY.test(text))
    text = text
      .replace(/\s+/gu, " ")
      .replace(/ ([,;)\]])/gu, "$1")
      .replace(/([([]) /gu, "$1")
      .replace(/,([)\]])/gu, "$1");
  text = withoutOpening(text.trim());
  return text.length > MAX_SIGNATURE ? `${text.slice(0, MAX_SIGNATURE)}…` : text;
}

/** Removes the mark at the end of a declaration that begins its body or value. */
function withoutOpening(text: string): string {
  const last = text.at(-1) ?? " ";
  const isOpening = last === "=" ? !"=!<>".includes(text.at(-2) ?? " ") : "{;:,".includes(last);
  return isOpening ? text.slice(0, -1).trimEnd() : text;
}

/**
 * Returns the offset after the annotations at `start`. Attributes in square brackets are skipped only if the language
 * has them.
 */
export function skipAnnotations(text: string, start: number, brackets: boolean): number {
  let at = start;
  for (;;) {
    const next = skipAnnotation(text, at, brackets);
    if (next === at) return at;
    at = next;
  }
}

const ANNOTATION_NAME = /@(?!interface\b)(?:[\w.]+:)?[\w.]+/uy;
const BLANK = /\s*/uy;

function skipAnnotation(text: string, start: number, brackets: boolean): number {
  const first = text.charCodeAt(start);
  if (first === 0x40) {
    ANNOTATION_NAME.lastIndex = start;
    const name = ANNOTATION_NAME.exec(text);
    if (name === null) return start;
    const named = start + name[0].length;
    const end = text.charCodeAt(named) === 0x5b ? closingBracket(text, named) : named;
    return skipBlank(text, text.charCodeAt(end) === 0x28 ? closingBracket(text, end) : end);
  }
  if (first === 0x23 && text.charCodeAt(start + 1) === 0x5b)
    return skipBlank(text, closingBracket(text, start + 1));
  return brackets && first === 0x5b ? skipBlank(text, closingBracket(text, start)) : start;
}

function skipBlank(text: string, at: number): number {
  BLANK.lastIndex = at;
  return at + (BLANK.exec(text)?.[0].length ?? 0);
}

/**
 * Maximum length of an annotation that is recognised, which bounds the search for its end; a longer one is kept as part
 * of the declaration.
 */
const MAX_ANNOTATION = 4000;

/** Returns the offset after the bracket that closes the one at `open`, ignoring strings. */
function closingBracket(text: string, open: number): number {
  let depth = 0;
  const limit = Math.min(text.length, open + MAX_ANNOTATION);
  for (let at = open; at < limit; at += 1) {
    const code = text.charCodeAt(at);
    if (code === 0x28 || code === 0x5b || code === 0x7b) depth += 1;
    else if (code === 0x29 || code === 0x5d || code === 0x7d) {
      depth -= 1;
      if (depth === 0) return at + 1;
    } else if (code === 0x22 || code === 0x27) at = endOfString(text, at, limit);
  }
  return open;
}

function endOfString(text: string, open: number, limit: number): number {
  const quote = text.charCodeAt(open);
  for (let at = open + 1; at < limit; at += 1) {
    const code = text.charCodeAt(at);
    if (code === 0x5c) at += 1;
    else if (code === quote) return at;
    else if (code === 0x0a) return open;
  }
  return open;
}

function withoutComments(text: string, comments: CommentSyntax): string {
  let result = text;
  if (comments.block !== undefined) {
    const [open, close] = comments.block;
    for (let from = result.indexOf(open); from >= 0; from = result.indexOf(open, from)) {
      const to = result.indexOf(close, from + open.length);
      if (to < 0) break;
      result = `${result.slice(0, from)} ${result.slice(to + close.length)}`;
    }
  }
  return result
    .split("\n")
    .map((line) => withoutLineComment(line, comments.line))
    .join("\n");
}

/** Removes a comment at the end of a line, unless an odd number of quotes shows that it is inside a string. */
function withoutLineComment(line: string, marks: readonly string[]): string {
  for (const mark of marks) {
    const at = line.startsWith(mark) ? 0 : line.indexOf(` ${mark}`);
    if (at >= 0 && (line.slice(0, at).split('"').length & 1) === 1) return line.slice(0, at);
  }
  return line;
}
