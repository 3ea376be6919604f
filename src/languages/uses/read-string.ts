import { addNameBetween, MAX_NESTING, skipTo, type TokenReader } from "./token-reader.ts";
import { NUMBER, STRING } from "./tokens.ts";

/** How a string is read on from its opening quote. */
interface StringForm {
  readonly close: string;
  readonly escapes: boolean;
  readonly multiline: boolean;
  /** True if a quote that is written twice does not end the string. */
  readonly doubled?: boolean;
  /** The text that begins code inside the string, or an empty text. */
  readonly code: string;
  /** A bracket that may stand inside of the string, if one closes it, too. */
  readonly open?: number;
  /** True if the content names no definition. */
  readonly isPlain?: boolean;
}

/** Reads the string that begins with a quote; returns false if the quote begins none. */
export function readString(reader: TokenReader, quote: number): boolean {
  const { text, syntax, at } = reader;
  if (quote === 0x60) return readBacktick(reader);
  const three = quote === 0x22 ? '"""' : "'''";
  if (syntax.prefixes === "csharp" && quote === 0x22 && text.startsWith(three, at))
    return readRaw(reader, at, 0);
  if (syntax.triple === true && text.startsWith(three, at) && (quote === 0x22 || syntax.single === "string"))
    return readUpTo(reader, at + 3, {
      close: three,
      escapes: true,
      multiline: true,
      code: syntax.interpolation ?? "",
    });
  if (quote === 0x27 && syntax.single === "character") return readCharacter(reader);
  const isSingle = quote === 0x27;
  return readUpTo(reader, at + 1, {
    close: isSingle ? "'" : '"',
    escapes: true,
    multiline: syntax.multiline === true,
    code: isSingle ? "" : (syntax.interpolation ?? ""),
  });
}

function readBacktick(reader: TokenReader): boolean {
  const { text, syntax, at } = reader;
  switch (syntax.backtick) {
    case "template":
      return readUpTo(reader, at + 1, { close: "`", escapes: true, multiline: true, code: "${" });
    case "raw":
      return readUpTo(reader, at + 1, { close: "`", escapes: false, multiline: true, code: "" });
    case "name": {
      const end = text.indexOf("`", at + 1);
      const line = text.indexOf("\n", at);
      if (end < 0 || (line >= 0 && line < end)) return false;
      addNameBetween(reader, at + 1, end);
      reader.at = end + 1;
      return true;
    }
    case undefined:
      break;
  }
  return false;
}

const CHARACTER = /'(?:\\[^'\n]{1,10}|\\'|[^'\\\n]{1,2})'/uy;

/** Reads a literal of one character; a quote that begins a lifetime or a type variable is punctuation. */
function readCharacter(reader: TokenReader): boolean {
  CHARACTER.lastIndex = reader.at;
  if (!CHARACTER.test(reader.text)) return false;
  reader.list.add(NUMBER, reader.at, CHARACTER.lastIndex, reader.line);
  reader.at = CHARACTER.lastIndex;
  return true;
}

/** Reads a string from the first character of its content. Code inside the string is read as code. */
function readUpTo(reader: TokenReader, from: number, form: StringForm): boolean {
  const { text, characters, list } = reader;
  const { close, escapes, multiline, code: marker } = form;
  if (!multiline && reader.at < reader.noQuoteBefore) return false;
  const firstLine = reader.line;
  const last = close.charCodeAt(0);
  const begin = marker === "" ? -1 : marker.charCodeAt(0);
  const simple = marker === "{$" ? DOLLAR : -1;
  let pieces = 0;
  let lineBreaks = 0;
  let depth = 0;
  for (let at = from; at < text.length; at++) {
    const code = characters[at] ?? 0;
    if (code === 0x0a) {
      if (!multiline && pieces === 0) {
        reader.noQuoteBefore = at;
        return false;
      }
      if (!multiline) break;
      lineBreaks++;
    } else if (code !== last && code !== 0x5c && code !== begin && code !== form.open && code !== simple)
      continue;
    else if (form.doubled === true && code === last && characters[at + 1] === last) at++;
    else if (code === form.open) depth++;
    else if (depth > 0 && code === last) depth--;
    else if (code === last && (close.length === 1 || text.startsWith(close, at))) {
      if (pieces === 0) list.add(form.isPlain === true ? NUMBER : STRING, from, at, firstLine);
      reader.line += lineBreaks;
      reader.at = at + close.length;
      return true;
    } else if (escapes && code === 0x5c && !beginsCode(marker, characters[at + 1] ?? 0)) {
      at++;
      if (characters[at] === 0x0a) lineBreaks++;
    } else if (marker === "{" && code === 0x7b && characters[at + 1] === 0x7b) {
      // Two braces stand for one in the text.
      at++;
    } else if (code === simple) {
      const end = readMemberInside(reader, at, lineBreaks);
      if (end === undefined) continue;
      pieces++;
      at = end - 1;
    } else if (code === begin && text.startsWith(marker, at) && reader.nesting < MAX_NESTING) {
      reader.line += lineBreaks;
      lineBreaks = 0;
      pieces++;
      reader.at = at;
      readInside(reader, marker);
      at = reader.at - 1;
    }
  }
  if (pieces === 0) list.add(STRING, from, from, firstLine);
  // A string that is never closed ends with the text, or with its line if it may not contain line breaks.
  skipTo(reader, multiline || pieces === 0 ? text.length : reader.at);
  return true;
}

/** Returns true if the character after a backslash begins code all the same: `\\(a)` in Swift, and `\\{a}` in Python. */
function beginsCode(marker: string, next: number): boolean {
  return (marker === "\\(" && next === 0x28) || (marker === "{" && next === 0x7b);
}

/** Reads a literal of Ruby such as `%w[…]` or `%(…)` from the first character of its content. */
export function readPercentLiteral(
  reader: TokenReader,
  from: number,
  { open, close, code }: { readonly open: string; readonly close: string; readonly code: string },
): boolean {
  const nested = open === close ? {} : { open: open.charCodeAt(0) };
  return readUpTo(reader, from, { close, code, escapes: true, multiline: true, isPlain: true, ...nested });
}

const DOLLAR = 0x24;
const MEMBER = /(\$[\p{ID_Start}_]\w*)(\??->)[\p{ID_Start}_]\w*/uy;

/** Reads `$a->b` in a string of PHP as if it stood in parentheses, and returns its end; undefined if there is none. */
function readMemberInside(reader: TokenReader, at: number, lineBreaks: number): number | undefined {
  const { text, list } = reader;
  MEMBER.lastIndex = at;
  const [, owner, arrow] = MEMBER.exec(text) ?? [];
  if (owner === undefined || arrow === undefined) return undefined;
  const end = MEMBER.lastIndex;
  const line = reader.line + lineBreaks;
  const mark = at + owner.length;
  list.addOpening(0x28, at, line);
  addNameBetween({ ...reader, line }, at, mark);
  list.addMark(0x2d, mark + arrow.length - 2, line);
  list.addMark(0x3e, mark + arrow.length - 1, line);
  addNameBetween({ ...reader, line }, mark + arrow.length, end);
  list.addClosing(0x29, end - 1, line);
  return end;
}

/** Reads the code inside of a string as if it stood in parentheses. */
export function readInside(reader: TokenReader, marker: string): void {
  const { list } = reader;
  list.addOpening(0x28, reader.at, reader.line);
  // The dollar sign belongs to the name of the variable.
  reader.at += marker === "{$" ? 1 : marker.length;
  reader.nesting++;
  reader.readCode(reader, marker === "\\(" ? 0x29 : 0x7d);
  reader.nesting--;
  list.addClosing(0x29, reader.at - 1, reader.line);
}

const HASHES = /#*/uy;

/**
 * Reads a string whose prefix changes its form, such as `r"…"`, `f"…"` or `R"(…)"`; `at` is the offset after the
 * prefix. Returns false if the word is no such prefix.
 */
export function skipRawString(reader: TokenReader, prefix: string, at: number): boolean {
  const { text, syntax } = reader;
  switch (syntax.prefixes) {
    case "python":
      return (
        /^[rbfut]{1,3}$/iu.test(prefix) && text[at] !== "#" && readPython(reader, prefix.toLowerCase(), at)
      );
    case "rust":
      return /^(?:[bc]?r|b|c)$/u.test(prefix) && readRust(reader, prefix, at);
    case "cpp":
      return /^(?:u8|[uUL])?R$/u.test(prefix) && text[at] === '"' && readCpp(reader, at);
    case "csharp":
      return /^\$+$/u.test(prefix) && readVerbatim(reader);
    case undefined:
      break;
  }
  return false;
}

function readPython(reader: TokenReader, prefix: string, at: number): boolean {
  const quote = reader.text[at] ?? '"';
  const three = quote.repeat(3);
  const isTriple = reader.text.startsWith(three, at);
  return readUpTo(reader, at + (isTriple ? 3 : 1), {
    close: isTriple ? three : quote,
    // A backslash keeps the next quote from ending a raw string, too.
    escapes: true,
    multiline: isTriple,
    code: /[ft]/u.test(prefix) ? "{" : "",
  });
}

function readRust(reader: TokenReader, prefix: string, at: number): boolean {
  const { text } = reader;
  HASHES.lastIndex = at;
  HASHES.test(text);
  const hashes = HASHES.lastIndex - at;
  const isRaw = prefix.endsWith("r");
  if (prefix === "r" && hashes === 1 && readRawName(reader, at + 1)) return true;
  if (text[at + hashes] !== '"' || (hashes > 0 && !isRaw)) return false;
  return readUpTo(reader, at + hashes + 1, {
    close: `"${"#".repeat(hashes)}`,
    escapes: !isRaw,
    multiline: true,
    code: "",
  });
}

const RUST_NAME = /[\p{ID_Start}_][\p{ID_Continue}]*/uy;

/** Reads a name such as `r#type`, of which the mark is a part only if the name is a keyword without it. */
function readRawName(reader: TokenReader, at: number): boolean {
  RUST_NAME.lastIndex = at;
  const name = RUST_NAME.exec(reader.text)?.[0];
  if (name === undefined) return false;
  addNameBetween(reader, reader.syntax.keywords.has(name) ? reader.at : at, at + name.length);
  reader.at = at + name.length;
  return true;
}

function readCpp(reader: TokenReader, at: number): boolean {
  const open = reader.text.indexOf("(", at);
  if (open < 0 || open - at > 18) return false;
  const close = `)${reader.text.slice(at + 1, open)}"`;
  return readUpTo(reader, open + 1, { close, escapes: false, multiline: true, code: "" });
}

/** Reads a C# string that begins with `$`, `@` or both; returns false if none begins. */
export function readVerbatim(reader: TokenReader): boolean {
  const { text, at } = reader;
  const prefix = /^[$@]{1,4}/u.exec(text.slice(at, at + 4))?.[0] ?? "";
  const open = at + prefix.length;
  if (prefix === "" || text[open] !== '"') return false;
  if (text.startsWith('"""', open) && !prefix.includes("@")) return readRaw(reader, open, prefix.length);
  const isVerbatim = prefix.includes("@");
  const form: StringForm = {
    close: '"',
    escapes: !isVerbatim,
    multiline: isVerbatim,
    doubled: isVerbatim,
    code: prefix.includes("$") ? "{" : "",
  };
  if (readUpTo(reader, open + 1, form)) return true;
  reader.list.addMark(text.charCodeAt(at), at, reader.line);
  reader.at++;
  return true;
}

const QUOTES = /"+/uy;

/**
 * Reads a raw string of C# from its quotes, of which there may be more than three, so that the text can contain three;
 * as many braces as dollar signs begin code.
 */
function readRaw(reader: TokenReader, open: number, dollars: number): boolean {
  QUOTES.lastIndex = open;
  QUOTES.test(reader.text);
  const from = QUOTES.lastIndex;
  return readUpTo(reader, from, {
    close: '"'.repeat(from - open),
    escapes: false,
    multiline: true,
    code: "{".repeat(dollars),
  });
}
