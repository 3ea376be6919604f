import { addNameBetween, isNameStart, MAX_NESTING, skipTo, type TokenReader } from "./token-reader.ts";

const TAG_NAME = /[\p{ID_Start}_$][\p{ID_Continue}$]*/uy;

/**
 * Reads an element of JSX from its `<`, so that the words of its text do not count as names. Returns false if the mark
 * begins no element but, for example, type parameters.
 */
export function readJsx(reader: TokenReader): boolean {
  const { text, at } = reader;
  const next = text.charCodeAt(at + 1);
  if (next !== 0x3e && !isNameStart(next)) return false;
  if (reader.nesting >= MAX_NESTING) return false;
  // A generic arrow function in TSX is written `<T,>(…)` or `<T extends A>(…)`.
  if (/^<[\p{ID_Continue}$]+\s*(?:,|extends\s|=[^=>])/u.test(text.slice(at, at + 120))) return false;
  reader.nesting++;
  readElement(reader);
  reader.nesting--;
  return true;
}

/** Reads an opening tag and, unless it closes itself, the content up to the closing tag. */
function readElement(reader: TokenReader): void {
  const { text, list } = reader;
  list.addMark(0x3c, reader.at, reader.line);
  reader.at++;
  readTagName(reader);
  readTypeArguments(reader);
  while (reader.at < text.length) {
    const code = text.charCodeAt(reader.at);
    if (code === 0x3e) {
      reader.at++;
      readContent(reader);
      return;
    }
    if (code === 0x2f && text.charCodeAt(reader.at + 1) === 0x3e) {
      reader.at += 2;
      closeElement(reader);
      return;
    }
    if (code === 0x22 || code === 0x27) {
      const end = text.indexOf(code === 0x22 ? '"' : "'", reader.at + 1);
      skipTo(reader, end < 0 ? text.length : end + 1);
    } else if (code === 0x7b) readBraces(reader);
    else if (code === 0x0a) skipTo(reader, reader.at + 1);
    else if (isNameStart(code)) {
      TAG_NAME.lastIndex = reader.at;
      reader.at = TAG_NAME.test(text) ? TAG_NAME.lastIndex : reader.at + 1;
    } else reader.at++;
  }
}

/** Adds the names of a tag, such as `Menu.Item`. The names of HTML elements are in lower case and refer to nothing. */
function readTagName(reader: TokenReader): void {
  const { text, list } = reader;
  for (;;) {
    TAG_NAME.lastIndex = reader.at;
    if (!TAG_NAME.test(text)) return;
    const end = TAG_NAME.lastIndex;
    const isMember = text.charCodeAt(end) === 0x2e;
    const isElement =
      /^[a-z]/u.test(text[reader.at] ?? "") && !isMember && list.code[list.count - 1] === 0x3c;
    if (!isElement) addNameBetween(reader, reader.at, end);
    reader.at = end;
    if (!isMember) return;
    list.addMark(0x2e, end, reader.line);
    reader.at = end + 1;
  }
}

/** Number of characters that the type arguments of a tag may have. */
const MAX_TYPE_ARGUMENTS = 1_000;

/** Reads the type arguments of a component, as in `<Table<Row> rows={…} />`, as names and marks. */
function readTypeArguments(reader: TokenReader): void {
  const { text, list } = reader;
  if (text.charCodeAt(reader.at) !== 0x3c) return;
  const last = Math.min(text.length, reader.at + MAX_TYPE_ARGUMENTS);
  let depth = 0;
  while (reader.at < last) {
    const code = text.charCodeAt(reader.at);
    TAG_NAME.lastIndex = reader.at;
    if (isNameStart(code) && TAG_NAME.test(text)) {
      addNameBetween(reader, reader.at, TAG_NAME.lastIndex);
      reader.at = TAG_NAME.lastIndex;
      continue;
    }
    if (code === 0x0a) reader.line++;
    else if (code > 0x20) list.addMark(code, reader.at, reader.line);
    reader.at++;
    if (code === 0x3c) depth++;
    else if (code === 0x3e && text.charCodeAt(reader.at - 2) !== 0x3d && --depth === 0) return;
  }
}

/** Marks the end of an element like a closing bracket, so that an operator may follow. */
function closeElement({ list, at, line }: TokenReader): void {
  list.addMark(0x29, at - 1, line);
}

function readBraces(reader: TokenReader): void {
  const { list } = reader;
  list.addOpening(0x7b, reader.at, reader.line);
  reader.at++;
  reader.readCode(reader, 0x7d);
  list.addClosing(0x7d, reader.at - 1, reader.line);
}

/** Reads the content of an element up to and including its closing tag. */
function readContent(reader: TokenReader): void {
  const { text } = reader;
  while (reader.at < text.length) {
    const code = text.charCodeAt(reader.at);
    if (code === 0x7b) readBraces(reader);
    else if (code === 0x3c && text.charCodeAt(reader.at + 1) === 0x2f) {
      const end = text.indexOf(">", reader.at);
      skipTo(reader, end < 0 ? text.length : end + 1);
      closeElement(reader);
      return;
    } else if (code === 0x3c && reader.nesting < MAX_NESTING) {
      reader.nesting++;
      readElement(reader);
      reader.nesting--;
    } else skipTo(reader, reader.at + 1);
  }
}
