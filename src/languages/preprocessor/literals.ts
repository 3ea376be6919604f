/**
 * Which string syntax a language has: C and C++ have raw strings that begin with `R"x(`, and C# has `@"` and triple
 * quotes.
 */
export type Literals = "c" | "csharp";

const RAW_C = /R"([^\s()\\"]{0,16})\(/uy;

/**
 * Returns the offset after the comment or literal that begins at `at`, where there is a slash or quote. If neither
 * begins there, returns the next offset.
 */
export function skipLiteral(text: string, at: number, literals: Literals): number {
  const code = text.charCodeAt(at);
  if (code === 0x2f) return skipComment(text, at);
  if (code === 0x27) return isDigitMark(text, at) ? at + 1 : skipQuoted(text, at);
  const before = text.charCodeAt(at - 1);
  if (literals === "c") return before === 0x52 ? skipRawLiteral(text, at) : skipQuoted(text, at);
  if (text.startsWith('""', at + 1) && before !== 0x40) return skipRawString(text, at);
  const isVerbatim = before === 0x40 || (before === 0x24 && text.charCodeAt(at - 2) === 0x40);
  return isVerbatim ? skipVerbatim(text, at) : skipQuoted(text, at);
}

function skipComment(text: string, at: number): number {
  const next = text.charCodeAt(at + 1);
  if (next !== 0x2f && next !== 0x2a) return at + 1;
  const end = next === 0x2f ? text.indexOf("\n", at) : text.indexOf("*/", at + 2) + 2;
  return end > at + 1 ? end : text.length;
}

/** True if a single quote is a digit separator, as in `1'000`. */
function isDigitMark(text: string, at: number): boolean {
  return /^[\da-fA-F]'[\da-fA-F]{2}/u.test(text.slice(at - 1, at + 3));
}

/**
 * Returns the offset after a quoted literal. A quote that is not closed on its line is treated as an apostrophe in
 * prose.
 */
function skipQuoted(text: string, start: number): number {
  const quote = text.charCodeAt(start);
  for (let at = start + 1; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === 0x5c) at += text.charCodeAt(at + 1) === 0x0d ? 2 : 1;
    else if (code === quote) return at + 1;
    else if (code === 0x0a) break;
  }
  return start + 1;
}

function skipRawLiteral(text: string, at: number): number {
  RAW_C.lastIndex = at - 1;
  const mark = RAW_C.exec(text)?.[1];
  return mark === undefined ? skipQuoted(text, at) : skipPast(text, `)${mark}"`, at);
}

function skipVerbatim(text: string, start: number): number {
  for (let at = text.indexOf('"', start + 1); at >= 0; at = text.indexOf('"', at + 2))
    if (text.charCodeAt(at + 1) !== 0x22) return at + 1;
  return start + 1;
}

/** Returns the offset after a C# string that begins with three or more quotes; two quotes alone are an empty string. */
function skipRawString(text: string, start: number): number {
  let end = start;
  while (text.charCodeAt(end) === 0x22) end += 1;
  return skipPast(text, text.slice(start, end), end);
}

function skipPast(text: string, mark: string, from: number): number {
  const end = text.indexOf(mark, from);
  return end < 0 ? from + 1 : end + mark.length;
}
