import { isNameStart, MAX_NESTING, skipTo, type TokenReader } from "./token-reader.ts";
import { readJsx } from "./jsx.ts";
import { readHeredoc } from "./heredoc.ts";
import { readInside, readPercentLiteral, readString, readVerbatim, skipRawString } from "./read-string.ts";
import type { TokenSyntax } from "./token-syntax.ts";
import { createTokenSink, NAME, NUMBER, PUNCTUATION, STRING, type Tokens } from "./tokens.ts";

/** Splits a text into names, strings, numbers and punctuation. It takes linear time and accepts any text. */
export function tokenize(text: string, syntax: TokenSyntax): Tokens {
  const reader: TokenReader = {
    text,
    syntax,
    sink: createTokenSink(text),
    at: 0,
    line: 1,
    nesting: 0,
    noQuoteBefore: 0,
    noRegexBefore: 0,
    readCode: (until) => readCode(reader, until),
  };
  if (syntax.phpTags === true) skipToPhp(reader);
  readCode(reader, 0);
  return reader.sink.tokens();
}

/** Matches the characters of a name at an offset. */
const NAME_CHARACTERS = /[\p{ID_Continue}$\u200c\u200d]+/uy;

/** Reads code up to a closing bracket, as `TokenReader.readCode` says. */
function readCode(reader: TokenReader, until: number): void {
  const { text, sink } = reader;
  const { length } = text;
  let depth = 0;
  while (reader.at < length) {
    const { at } = reader;
    const code = text.charCodeAt(at);
    if (code === 0x0a) {
      reader.line++;
      reader.at++;
    } else if (code <= 0x20) reader.at++;
    else if (isNameStart(code)) readName(reader);
    else if (code >= 0x30 && code <= 0x39) readNumber(reader);
    else if (code === 0x28 || code === 0x5b || code === 0x7b) {
      if (code === 0x7b && skipComment(reader, code)) continue;
      depth++;
      sink.open(code, at, reader.line);
      reader.at++;
    } else if (code === 0x29 || code === 0x5d || code === 0x7d) {
      reader.at++;
      if (depth === 0 && code === until) return;
      depth = Math.max(0, depth - 1);
      sink.close(code, at, reader.line);
    } else if (until !== 0 && depth === 0 && beginsFormat(reader, code)) {
      skipFormat(reader, until);
      return;
    } else readMark(reader, code);
  }
}

/** Returns true if the format of a value in an f-string begins, such as `:>10` or `!r`; it is no code. */
function beginsFormat({ text, at, syntax: { prefixes } }: TokenReader, code: number): boolean {
  if (prefixes !== "python" && prefixes !== "csharp") return false;
  return code === 0x3a || (code === 0x21 && prefixes === "python" && text.charCodeAt(at + 1) !== 0x3d);
}

function skipFormat(reader: TokenReader, until: number): void {
  const { text } = reader;
  while (reader.at < text.length) {
    const code = text.charCodeAt(reader.at);
    if (code === 0x0a || code === 0x22 || code === 0x27) return;
    reader.at++;
    if (code === until) return;
    if (code === 0x7b) readCode(reader, 0x7d);
  }
}

function isNamePart(code: number): boolean {
  return isNameStart(code) || (code >= 0x30 && code <= 0x39);
}

/** Characters after a word that may make it the prefix of a string. */
const QUOTES: ReadonlySet<number> = new Set([0x22, 0x27, 0x23, 0x40]);

function readName(reader: TokenReader): void {
  const { text, syntax, sink, at } = reader;
  let end = at + 1;
  let code = text.charCodeAt(end);
  while (code < 0x80 && isNamePart(code)) code = text.charCodeAt(++end);
  if (code > 0x7f || text.charCodeAt(at) > 0x7f) {
    NAME_CHARACTERS.lastIndex = at;
    if (!NAME_CHARACTERS.test(text)) {
      // The character belongs to no name: a mark such as an arrow, or half of an emoji.
      sink.add(PUNCTUATION, at, at + 1, reader.line, 0xffff);
      reader.at++;
      return;
    }
    end = NAME_CHARACTERS.lastIndex;
    code = text.charCodeAt(end);
  }
  if (syntax.prefixes !== undefined && QUOTES.has(code)) {
    if (skipRawString(reader, text.slice(at, end), end)) return;
  }
  if (syntax.nameMarks === true && (code === 0x3f || code === 0x21) && text.charCodeAt(end + 1) !== 0x3d)
    end++;
  sink.add(NAME, at, end, reader.line);
  reader.at = end;
}

const NUMBER_TEXT = /[\p{ID_Continue}_']*(?:\.\d[\p{ID_Continue}_]*)?/uy;

function readNumber(reader: TokenReader): void {
  const { text, sink, at } = reader;
  NUMBER_TEXT.lastIndex = at;
  NUMBER_TEXT.test(text);
  let end = Math.max(at + 1, NUMBER_TEXT.lastIndex);
  if (text.charCodeAt(end - 1) === 0x27) end--;
  sink.add(NUMBER, at, end, reader.line);
  reader.at = end;
}

/** Reads a character that is no letter, digit or bracket: a comment, a string, a regular expression or punctuation. */
function readMark(reader: TokenReader, code: number): void {
  const { text, syntax, at, sink } = reader;
  if (skipComment(reader, code)) return;
  if (code === 0x22 || code === 0x27 || code === 0x60) {
    if (readString(reader, code)) return;
  } else if (code === 0x2f && syntax.regex === true && beginsExpression(reader)) {
    if (skipRegex(reader)) return;
  } else if (code === 0x3c) {
    if (syntax.jsx === true && beginsExpression(reader) && readJsx(reader)) return;
    if (syntax.heredoc !== undefined && readHeredoc(reader)) return;
  } else if (code === 0x3f && syntax.phpTags === true && text.charCodeAt(at + 1) === 0x3e) {
    skipToPhp(reader);
    return;
  } else if (code === 0x40 && syntax.prefixes === "csharp") {
    if (readVerbatim(reader)) return;
  } else if (code === 0x25 && syntax.heredoc === "ruby" && beginsExpression(reader)) {
    if (skipPercentLiteral(reader)) return;
  }
  sink.add(PUNCTUATION, at, at + 1, reader.line, code);
  reader.at++;
}

function skipComment(reader: TokenReader, code: number): boolean {
  const { text, syntax, at } = reader;
  if (syntax.block !== undefined && beginsBlock(text, at, syntax.block[0])) {
    skipBlock(reader, syntax.block[1]);
    return true;
  }
  if (code === 0x23 && syntax.hash !== undefined) {
    if (syntax.hash === "comment-or-attribute" && text.charCodeAt(at + 1) === 0x5b) return false;
    // In a shell, `$#` and `${#a}` are no comments.
    if (syntax.heredoc === "bash" && at > 0 && !/[\s;&|(]/u.test(text[at - 1] ?? "")) return false;
    skipLine(reader);
    return true;
  }
  const next = text.charCodeAt(at + 1);
  if (code === 0x2d && syntax.dashComments === true && next === 0x2d) {
    skipLine(reader);
    return true;
  }
  if (code !== 0x2f || syntax.slashComments !== true) return false;
  if (next === 0x2f) {
    skipLine(reader);
    return true;
  }
  if (next !== 0x2a) return false;
  if (syntax.nestedComments === true) skipNested(reader);
  else skipBlock(reader, "*/");
  return true;
}

/** Returns true if a block comment begins; one whose mark starts with a line break begins only at the start of a line. */
function beginsBlock(text: string, at: number, mark: string): boolean {
  if (!mark.startsWith("\n")) return text.startsWith(mark, at);
  return (at === 0 || text.charCodeAt(at - 1) === 0x0a) && text.startsWith(mark.slice(1), at);
}

function skipLine(reader: TokenReader): void {
  const end = reader.text.indexOf("\n", reader.at);
  const stop = reader.syntax.phpTags === true ? reader.text.indexOf("?>", reader.at) : -1;
  const line = end < 0 ? reader.text.length : end;
  reader.at = stop >= 0 && stop < line ? stop : line;
}

function skipBlock(reader: TokenReader, close: string): void {
  const end = reader.text.indexOf(close, reader.at + 2);
  skipTo(reader, end < 0 ? reader.text.length : end + close.length);
}

const COMMENT_MARK = /\/\*|\*\//gu;

function skipNested(reader: TokenReader): void {
  let depth = 0;
  COMMENT_MARK.lastIndex = reader.at;
  for (let mark = COMMENT_MARK.exec(reader.text); mark !== null; mark = COMMENT_MARK.exec(reader.text)) {
    depth += mark[0] === "/*" ? 1 : -1;
    if (depth > 0) continue;
    skipTo(reader, COMMENT_MARK.lastIndex);
    return;
  }
  skipTo(reader, reader.text.length);
}

/** Words after which a value begins, so that a slash there begins a regular expression. */
const BEFORE_VALUE = new Set(
  `return typeof case in of do else delete void throw new await yield if unless while until and or not when then elsif instanceof`.split(
    " ",
  ),
);

/** Returns true if the next token begins a value, as opposed to an operator after one. */
function beginsExpression({ sink, text, at, syntax }: TokenReader): boolean {
  const kind = sink.lastKind();
  if (sink.count() === 0) return true;
  if (kind === NUMBER || kind === STRING) return false;
  if (kind === PUNCTUATION) {
    const code = sink.lastCode();
    return code !== 0x29 && code !== 0x5d && code !== 0x7d;
  }
  if (BEFORE_VALUE.has(sink.lastName())) return true;
  // In Ruby, `puts /a/` and `puts %w[a]` have a space before the literal and none after its mark.
  return syntax.heredoc === "ruby" && text.charCodeAt(at - 1) === 0x20 && !/[\s=]/u.test(text[at + 1] ?? " ");
}

function skipRegex(reader: TokenReader): boolean {
  const { text, at, sink } = reader;
  if (at < reader.noRegexBefore) return false;
  let inClass = false;
  for (let end = at + 1; end < text.length; end++) {
    const code = text.charCodeAt(end);
    if (code === 0x0a) {
      reader.noRegexBefore = end;
      return false;
    }
    if (code === 0x5c) end++;
    else if (code === 0x5b) inClass = true;
    else if (code === 0x5d) inClass = false;
    else if (code === 0x2f && !inClass) {
      end++;
      while (isNamePart(text.charCodeAt(end))) end++;
      readInterpolations(reader, end);
      // A regular expression is a value, but never one that names a definition.
      sink.add(NUMBER, at, end, reader.line);
      reader.at = end;
      return true;
    }
  }
  reader.noRegexBefore = text.length;
  return false;
}

/** Reads the code in a regular expression of Ruby, `/#{a}/`. */
function readInterpolations(reader: TokenReader, end: number): void {
  const { text, syntax } = reader;
  if (syntax.interpolation !== "#{") return;
  for (let at = text.indexOf("#{", reader.at); at >= 0 && at < end; at = text.indexOf("#{", reader.at)) {
    if (reader.nesting >= MAX_NESTING) return;
    reader.at = at;
    readInside(reader, "#{");
  }
}

const CLOSING: Readonly<Record<string, string>> = { "(": ")", "[": "]", "{": "}", "<": ">" };
const PERCENT_LITERAL = /%([qQwWiIrsx]?)([([{<|!/])/uy;

function skipPercentLiteral(reader: TokenReader): boolean {
  PERCENT_LITERAL.lastIndex = reader.at;
  const [, letter = "", open] = PERCENT_LITERAL.exec(reader.text) ?? [];
  if (open === undefined) return false;
  const from = PERCENT_LITERAL.lastIndex;
  const close = CLOSING[open] ?? open;
  if (!reader.text.includes(close, from)) return false;
  const code = ["q", "w", "i", "s"].includes(letter) ? "" : "#{";
  return readPercentLiteral(reader, from, { open, close, code });
}

/** Skips the text of a PHP file up to its next code. */
function skipToPhp(reader: TokenReader): void {
  const { text, at } = reader;
  const open = text.indexOf("<?", at === 0 ? 0 : at + 2);
  if (open < 0) {
    skipTo(reader, text.length);
    return;
  }
  skipTo(reader, open + (text.startsWith("<?php", open) ? 5 : text.startsWith("<?=", open) ? 3 : 2));
}
