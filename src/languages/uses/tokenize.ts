import { codeUnitsOf } from "../code-units.ts";
import { CLOSE, classesOf, DIGIT, LETTER, LINE, MARK, OPEN, SPACE } from "./character-classes.ts";
import { addToHash } from "./intern-name.ts";
import { addNameBetween, isNameStart, MAX_NESTING, skipTo, type TokenReader } from "./token-reader.ts";
import { readJsx } from "./jsx.ts";
import { readHeredoc, readHeredocs } from "./heredoc.ts";
import { readInside, readPercentLiteral, readString, readVerbatim, skipRawString } from "./read-string.ts";
import type { TokenSyntax } from "./token-syntax.ts";
import { NAME, NUMBER, PUNCTUATION, STRING, TokenList, type Tokens } from "./tokens.ts";

const list = new TokenList();

/**
 * Splits a text into names, strings, numbers and punctuation. It takes linear time and accepts any text. `characters`
 * are those of the text.
 */
export function tokenize(text: string, syntax: TokenSyntax, characters = codeUnitsOf(text)): Tokens {
  list.begin(text, characters);
  const reader: TokenReader = {
    text,
    characters,
    syntax,
    list,
    at: 0,
    line: 1,
    nesting: 0,
    noQuoteBefore: 0,
    noRegexBefore: 0,
    heredocs: [],
    readCode,
  };
  if (syntax.phpTags === true) skipToPhp(reader);
  readCode(reader, 0);
  return list.finish();
}

/** Reads code up to a closing bracket, as `TokenReader.readCode` says. */
function readCode(reader: TokenReader, until: number): void {
  const { characters, syntax } = reader;
  const { length } = reader.text;
  const classes = classesOf(syntax);
  const hasBraceComments = syntax.block?.[0].startsWith("{") === true;
  let depth = 0;
  let { at } = reader;
  while (at < length) {
    const code = characters[at] ?? 0;
    const kind = code > 0x7f ? LETTER : (classes[code] ?? MARK);
    if (kind === SPACE) at++;
    else if (kind === LINE) {
      reader.line++;
      at++;
      if (reader.heredocs.length > 0) {
        reader.at = at;
        readHeredocs(reader);
        ({ at } = reader);
      }
    } else if (kind === MARK && until === 0) list.addMark(code, at++, reader.line);
    else if (kind === CLOSE) {
      if (depth === 0 && code === until) {
        reader.at = at + 1;
        return;
      }
      depth = Math.max(0, depth - 1);
      list.addClosing(code, at++, reader.line);
    } else if (kind === OPEN && !hasBraceComments) {
      depth++;
      list.addOpening(code, at++, reader.line);
    } else {
      reader.at = at;
      if (kind === LETTER) readName(reader, code);
      else if (kind === DIGIT) readNumber(reader);
      else if (kind === OPEN && !skipComment(reader, code)) {
        depth++;
        list.addOpening(code, reader.at++, reader.line);
      } else if (until !== 0 && depth === 0 && beginsFormat(reader, code)) {
        skipFormat(reader, until);
        return;
      } else if (kind !== OPEN) readMark(reader, code);
      ({ at } = reader);
    }
  }
  reader.at = at;
}

/** Returns true if the format of a value in an f-string begins, such as `:>10` or `!r`; it is no code. */
function beginsFormat({ characters, at, syntax: { prefixes } }: TokenReader, code: number): boolean {
  if (prefixes !== "python" && prefixes !== "csharp") return false;
  return code === 0x3a || (code === 0x21 && prefixes === "python" && characters[at + 1] !== 0x3d);
}

function skipFormat(reader: TokenReader, until: number): void {
  const { text, characters } = reader;
  while (reader.at < text.length) {
    const code = characters[reader.at] ?? 0;
    if (code === 0x0a || code === 0x22 || code === 0x27) return;
    reader.at++;
    if (code === until) return;
    if (code === 0x7b) readCode(reader, 0x7d);
  }
}

/** For each ASCII character, whether it can be a part of a name. */
const NAME_PARTS = Uint8Array.from({ length: 128 }, (_, code) =>
  /[\w$]/.test(String.fromCharCode(code)) ? 1 : 0,
);

/** What follows the dollar sign in a variable of Ruby itself, such as `$'` and `$"`, which begin no strings. */
const SPECIAL_VARIABLE = /["'`~!@&+/\\;,.<>:?*=]/u;

function readName(reader: TokenReader, first: number): void {
  const { characters, syntax, at } = reader;
  let end = at;
  let hash = 0;
  let code = first;
  while (code < 0x80 && NAME_PARTS[code] === 1) {
    hash = addToHash(hash, code);
    code = characters[++end] ?? 0;
  }
  if (code > 0x7f) {
    readUnicodeName(reader);
    return;
  }
  if (syntax.prefixes !== undefined && isQuote(code) && skipPrefixed(reader, end)) return;
  if (syntax.nameMarks === true) {
    if (first === 0x24 && end === at + 1 && SPECIAL_VARIABLE.test(reader.text[end] ?? "")) {
      list.add(NUMBER, at, end + 1, reader.line);
      reader.at = end + 1;
      return;
    }
    if (isNameMark(reader, end)) hash = addToHash(hash, characters[end++] ?? 0);
  }
  list.addName(at, end, reader.line, hash);
  reader.at = end;
}

/** Returns true for a character after a word that may make it the prefix of a string. */
function isQuote(code: number): boolean {
  return code === 0x22 || code === 0x27 || code === 0x23 || code === 0x40;
}

/** Reads the string that begins with a word, such as `r"a"`; returns false if the word from here to `end` begins none. */
function skipPrefixed(reader: TokenReader, end: number): boolean {
  return skipRawString(reader, reader.text.slice(reader.at, end), end);
}

/** Returns true if the character after a name belongs to it, as in `empty?` of Ruby. */
function isNameMark({ characters }: TokenReader, end: number): boolean {
  return (characters[end] === 0x3f || characters[end] === 0x21) && characters[end + 1] !== 0x3d;
}

/** Matches the characters of a name at an offset. */
const NAME_CHARACTERS = /[\p{ID_Continue}$\u200c\u200d]+/uy;

function readUnicodeName(reader: TokenReader): void {
  const { text, characters, syntax, at } = reader;
  NAME_CHARACTERS.lastIndex = at;
  if (!NAME_CHARACTERS.test(text)) {
    // The character belongs to no name: a mark such as an arrow, or half of an emoji.
    list.addMark(0xffff, at, reader.line);
    reader.at++;
    return;
  }
  let end = NAME_CHARACTERS.lastIndex;
  if (syntax.prefixes !== undefined && isQuote(characters[end] ?? 0) && skipPrefixed(reader, end)) return;
  if (syntax.nameMarks === true && isNameMark(reader, end)) end++;
  addNameBetween(reader, at, end);
  reader.at = end;
}

const NUMBER_TEXT = /[\p{ID_Continue}_']*(?:\.\d[\p{ID_Continue}_]*)?/uy;

function readNumber(reader: TokenReader): void {
  const { text, characters, at } = reader;
  let end = at + 1;
  let code = characters[end] ?? 0;
  while (code >= 0x30 && code <= 0x39) code = characters[++end] ?? 0;
  if (code > 0x7f || code === 0x27 || code === 0x2e || NAME_PARTS[code] === 1) {
    NUMBER_TEXT.lastIndex = at;
    NUMBER_TEXT.test(text);
    end = Math.max(at + 1, NUMBER_TEXT.lastIndex);
    if (characters[end - 1] === 0x27) end--;
  }
  list.add(NUMBER, at, end, reader.line);
  reader.at = end;
}

/** Reads a character that is no letter, digit or bracket: a comment, a string, a regular expression or punctuation. */
function readMark(reader: TokenReader, code: number): void {
  const { characters, syntax, at } = reader;
  if (skipComment(reader, code)) return;
  if (code === 0x22 || code === 0x27 || code === 0x60) {
    if (readString(reader, code)) return;
  } else if (code === 0x2f && syntax.regex === true && beginsExpression(reader)) {
    if (skipRegex(reader)) return;
  } else if (code === 0x3c) {
    if (syntax.jsx === true && beginsExpression(reader) && readJsx(reader)) return;
    if (syntax.heredoc !== undefined && readHeredoc(reader)) return;
  } else if (code === 0x3f && syntax.phpTags === true && characters[at + 1] === 0x3e) {
    skipToPhp(reader);
    return;
  } else if (code === 0x40 && syntax.prefixes === "csharp") {
    if (readVerbatim(reader)) return;
    if (isVerbatimName(reader)) {
      reader.at++;
      return;
    }
  } else if (code === 0x3f && syntax.heredoc === "ruby" && skipCharacter(reader)) {
    return;
  } else if (code === 0x25 && syntax.heredoc === "ruby" && beginsExpression(reader)) {
    if (skipPercentLiteral(reader)) return;
  }
  list.addMark(code, at, reader.line);
  reader.at++;
}

/** Returns true for `@a` in C#, which is the name `a`; a keyword needs the mark to be one. */
function isVerbatimName({ text, at, syntax }: TokenReader): boolean {
  NAME_CHARACTERS.lastIndex = at + 1;
  const name = NAME_CHARACTERS.exec(text)?.[0];
  return name !== undefined && !syntax.keywords.has(name);
}

function skipComment(reader: TokenReader, code: number): boolean {
  const { text, characters, syntax, at } = reader;
  if (syntax.block !== undefined && beginsBlock(text, at, syntax.block[0])) {
    skipBlock(reader, syntax.block[1]);
    return true;
  }
  if (code === 0x23 && syntax.hash !== undefined) {
    if (syntax.hash === "comment-or-attribute" && characters[at + 1] === 0x5b) return false;
    // In a shell, `$#` and `${#a}` are no comments.
    if (syntax.heredoc === "bash" && at > 0 && !/[\s;&|(]/u.test(text[at - 1] ?? "")) return false;
    skipLine(reader);
    return true;
  }
  const next = characters[at + 1];
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
  const { text, at } = reader;
  const end = text.indexOf("\n", at);
  const line = end < 0 ? text.length : end;
  const stop = reader.syntax.phpTags === true ? text.slice(at, line).indexOf("?>") : -1;
  reader.at = stop >= 0 ? at + stop : line;
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
function beginsExpression({ text, at, syntax }: TokenReader): boolean {
  const last = list.count - 1;
  if (last < 0 || (syntax.heredoc === "ruby" && isFirstOnLine(text, at))) return true;
  const kind = list.kind[last];
  if (kind === NUMBER || kind === STRING) return false;
  if (kind === PUNCTUATION) {
    const code = list.code[last];
    return code !== 0x29 && code !== 0x5d && code !== 0x7d;
  }
  if (BEFORE_VALUE.has(list.name[last] ?? "")) return true;
  // In Ruby, `puts /a/` and `puts %w[a]` have a space before the literal and none after its mark.
  return syntax.heredoc === "ruby" && text.charCodeAt(at - 1) === 0x20 && !/[\s=]/u.test(text[at + 1] ?? " ");
}

/** Returns true if only spaces precede a character on its line; in Ruby, no operator can then continue the line before. */
function isFirstOnLine(text: string, at: number): boolean {
  let before = at - 1;
  while (text[before] === " " || text[before] === "\t") before--;
  return before < 0 || text[before] === "\n";
}

/** Reads a character of Ruby that is a quote or escape, such as `?"`; returns false for the operator `a ? b : c`. */
function skipCharacter(reader: TokenReader): boolean {
  const { text, at } = reader;
  const last = list.count - 1;
  // After a name it could be either, and the operator is far more common.
  if (last >= 0 && list.kind[last] === NAME && !BEFORE_VALUE.has(list.name[last] ?? "")) return false;
  if (!beginsExpression(reader)) return false;
  const length = /^\?(?:\\.|["'`#/%])(?![\p{ID_Continue}"'])/u.exec(text.slice(at, at + 4))?.[0].length;
  if (length === undefined) return false;
  list.add(NUMBER, at, at + length, reader.line);
  reader.at = at + length;
  return true;
}

function isNamePart(code: number): boolean {
  return isNameStart(code) || (code >= 0x30 && code <= 0x39);
}

function skipRegex(reader: TokenReader): boolean {
  const { text, characters, at } = reader;
  if (at < reader.noRegexBefore) return false;
  let inClass = false;
  for (let end = at + 1; end < text.length; end++) {
    const code = characters[end] ?? 0;
    if (code === 0x0a) {
      reader.noRegexBefore = end;
      return false;
    }
    if (code === 0x5c) end++;
    else if (code === 0x5b) inClass = true;
    else if (code === 0x5d) inClass = false;
    else if (code === 0x2f && !inClass) {
      end++;
      while (isNamePart(characters[end] ?? 0)) end++;
      readInterpolations(reader, end);
      // A regular expression is a value, but never one that names a definition.
      list.add(NUMBER, at, end, reader.line);
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
