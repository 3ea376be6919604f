import { blankRanges } from "./blank-ranges.ts";

/**
 * An open bracket with the indentation of the logical line on which it stands; a logical line includes its continuation
 * lines.
 */
interface Open {
  readonly at: number;
  readonly code: number;
  readonly indent: number;
}

interface Scan {
  readonly text: string;
  readonly open: Open[];
  /** Offsets of brackets that have no partner and will be replaced by spaces. */
  readonly strays: number[];
  /** Ranges of the text that will be overwritten with closing brackets. */
  readonly ends: { readonly start: number; readonly end: number; readonly by: string }[];
  /**
   * Indentation of the current logical line. Inside round or square brackets it is that of the line with the opening
   * bracket.
   */
  indent: number;
  /** True while only white space has been seen on the current line. */
  isLineStart: boolean;
}

const CLOSERS: Readonly<Record<number, number>> = { 0x28: 0x29, 0x5b: 0x5d, 0x7b: 0x7d };
/** Maximum nesting depth of brackets; deeper nesting occurs only in hostile input. */
const MAX_DEPTH = 500;
/** Matches lines that continue the previous one. */
const CONTINUES = /[ \t]*(?:[:,.?&|+]|->|=>|extends\b|implements\b|throws\b|where\b|with\b)/uy;
const BLANKS = /[ \t]*/uy;

/**
 * Balances the brackets of a text that does not parse. The indentation shows which brackets are never closed or close
 * nothing; these are replaced by spaces. Brackets that are still open at the end of the text are closed there.
 */
export function balanceBrackets(text: string): string {
  const scan: Scan = { text, open: [], strays: [], ends: [], indent: 0, isLineStart: true };
  startLine(0, scan);
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (scan.open.length > MAX_DEPTH) return text;
    if (code === 0x0a) startLine(at + 1, scan);
    else if (code === 0x22 || code === 0x27 || code === 0x60) at = stringEnd(text, at);
    else if (code === 0x2f) at = commentEnd(text, at);
    else if (code === 0x28 || code === 0x5b || code === 0x7b)
      scan.open.push({ at, code, indent: scan.indent });
    else if (code === 0x29 || code === 0x5d || code === 0x7d) close(at, code, scan);
    if (code > 0x20) scan.isLineStart = false;
  }
  const rest = scan.open.map(({ code }) => String.fromCharCode(CLOSERS[code] ?? 0x7d)).reverse();
  return applyEdits(scan) + rest.join("");
}

function applyEdits({ text, strays, ends }: Scan): string {
  const ranges = strays.sort((a, b) => a - b).map((at) => [at, at + 1] as const);
  let result = blankRanges(text, ranges);
  for (const { start, end, by } of ends.toSorted((a, b) => a.start - b.start))
    result = result.slice(0, start) + by + result.slice(end);
  return result;
}

/** Matches keywords that begin a declaration and never occur in an expression. */
const DECLARATION =
  /[ \t]*(?:export|import|function|class|interface|enum|namespace|public|private|protected|internal|override|static|def|func|fun|fn|pub|impl|trait|struct|typedef|void|extern)[ \t]/uy;
/** Matches keywords of blocks, such as `namespace`, whose content is often not indented. */
const UNINDENTED = /\b(?:namespace|extern|module|package|mod|object)\b/u;

function startLine(at: number, scan: Scan): void {
  const { text, open } = scan;
  scan.isLineStart = true;
  DECLARATION.lastIndex = at;
  if (open.length > 0 && DECLARATION.test(text)) endBefore(at, scan);
  const around = open.at(-1);
  CONTINUES.lastIndex = at;
  if (around !== undefined && around.code !== 0x7b) scan.indent = around.indent;
  else if (!CONTINUES.test(text)) scan.indent = indentAt(text, at);
}

/**
 * Closes the blocks that must have ended before this line, because a declaration begins on it and is not indented
 * deeper.
 */
function endBefore(lineStart: number, scan: Scan): void {
  const { text, open, ends } = scan;
  const indent = indentAt(text, lineStart);
  const first = open.findIndex(
    (opener) => opener.indent >= indent && !UNINDENTED.test(lineAt(text, opener.at)),
  );
  if (first < 0) return;
  const end = text.slice(0, lineStart).trimEnd().length;
  const start = lineStartOf(text, end - 1);
  const unclosed = open.slice(first);
  const braces = unclosed.filter(({ code }) => code === 0x7b);
  const own = braces.findIndex(({ at }) => at >= start);
  const outer = own < 0 ? braces.length : own;
  if (outer > 0 && !endLine({ start, end, braces: outer }, scan)) return;
  for (const opener of unclosed) if (opener.code !== 0x7b) closeOrBlank(opener, scan);
  const last = braces[own];
  // The block that was opened on the previous line has no content, so it is closed on that line.
  if (last !== undefined && outer === 0)
    ends.push({ start: last.at, end, by: (end - last.at > 1 ? "{}" : ";").padEnd(end - last.at) });
  open.length = first;
}

/** Overwrites the last line of a block with the missing closing braces, if the line is long enough for them. */
function endLine(
  { start, end, braces }: { readonly start: number; readonly end: number; readonly braces: number },
  { text, ends }: Scan,
): boolean {
  const line = text.slice(start, end).trim();
  const by = (/^[})\];,]+$/u.test(line) ? line : "") + "}".repeat(braces);
  if (by.length > end - start) return false;
  ends.push({ start, end, by: by.padStart(end - start) });
  return true;
}

function lineAt(text: string, at: number): string {
  const end = text.indexOf("\n", at);
  return text.slice(lineStartOf(text, at), end < 0 ? text.length : end);
}

function indentAt(text: string, lineStart: number): number {
  BLANKS.lastIndex = lineStart;
  return BLANKS.exec(text)?.[0].length ?? 0;
}

function close(at: number, code: number, scan: Scan): void {
  const { open, strays, isLineStart, text } = scan;
  if (isLineStart && isFollowedDeeper(text, at)) {
    strays.push(at);
    return;
  }
  const opener = isLineStart ? openedAtIndent(code, indentAt(text, lineStartOf(text, at)), open) : -1;
  const match = opener >= 0 ? opener : isMatch(open.at(-1), code) ? open.length - 1 : -1;
  if (match < 0) {
    strays.push(at);
    return;
  }
  for (const unclosed of open.splice(match).slice(1)) closeOrBlank(unclosed, scan);
}

const BODY_FOLLOWS = /[^\n]*?( )(?=\{|->|=>)/uy;

/**
 * Handles a bracket that is never closed. A bracket around parameters is closed before the body begins, and other
 * brackets are replaced by spaces.
 */
function closeOrBlank({ at, code }: Open, { text, strays, ends }: Scan): void {
  BODY_FOLLOWS.lastIndex = at;
  const found = code === 0x28 ? BODY_FOLLOWS.exec(text) : null;
  const end = BODY_FOLLOWS.lastIndex;
  if (found === null) strays.push(at);
  else ends.push({ start: end - 1, end, by: ")" });
}

const NEXT_LINE = /[^\n]*\n(?:[ \t\r]*\n)*([ \t]*)(?=[\p{L}_@"'])/uy;

/** True if the next line is indented deeper than the bracket, which therefore does not close a block. */
function isFollowedDeeper(text: string, at: number): boolean {
  NEXT_LINE.lastIndex = at;
  const next = NEXT_LINE.exec(text)?.[1];
  return next !== undefined && next.length > at - lineStartOf(text, at);
}

function lineStartOf(text: string, at: number): number {
  return text.lastIndexOf("\n", at) + 1;
}

function isMatch(opener: Open | undefined, closer: number): boolean {
  return opener !== undefined && CLOSERS[opener.code] === closer;
}

/**
 * Finds the innermost open bracket that this closing bracket fits and that stands on a line of the same indentation.
 */
function openedAtIndent(closer: number, indent: number, open: readonly Open[]): number {
  return open.findLastIndex((opener) => opener.indent === indent && isMatch(opener, closer));
}

/**
 * Returns the index of the last character of a string. A quote that is not closed on its line is treated as an
 * apostrophe.
 */
function stringEnd(text: string, start: number): number {
  const quote = text.charCodeAt(start);
  for (let at = start + 1; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === 0x5c) at += 1;
    else if (code === quote) return at;
    else if (code === 0x0a && quote !== 0x60) return start;
  }
  return start;
}

function commentEnd(text: string, start: number): number {
  const next = text.charCodeAt(start + 1);
  if (next !== 0x2f && next !== 0x2a) return start;
  const end = next === 0x2f ? text.indexOf("\n", start) - 1 : text.indexOf("*/", start + 2) + 1;
  return end > start ? end : text.length;
}
