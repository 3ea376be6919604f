/**
 * Splits source text into terms. An identifier yields its parts (`JoinSet` -> join, set) and, if it has several, the
 * whole without separators (joinset), so that join_set, joinSet and JoinSet match each other. Terms are not stemmed;
 * stems are used only to find more terms for a query.
 */

/**
 * Longest line that is indexed; longer ones are data or minified code, whose words would outweigh all others. Lists of
 * names that a program wrote on one line, such as exports, are shorter.
 */
export const MAX_LINE_LENGTH = 50_000;

/**
 * Number of lines per chunk, the part of a file that is ranked. Ranking is equally good between 30 and 50 lines and
 * worse with longer chunks.
 */
export const LINES_PER_CHUNK = 50;

/** Returns the terms of an identifier: its parts of two or more characters, then the whole if it has several parts. */
export function termsOfIdentifier(identifier: string): readonly string[] {
  const known = splitCache.get(identifier);
  if (known !== undefined) return known;
  const terms = termsOfWord(identifier);
  if (splitCache.size >= MAX_CACHED_IDENTIFIERS) splitCache.clear();
  splitCache.set(identifier, terms);
  return terms;
}

/** Returns the parts of an identifier, without the whole and without one-letter parts. */
export function partsOfIdentifier(identifier: string): readonly string[] {
  const terms = termsOfIdentifier(identifier);
  return terms.length > 1 && terms.at(-1) === foldName(identifier) ? terms.slice(0, -1) : terms;
}

/** Normalizes a name so that names that differ only in case and separators are equal. */
export function foldName(name: string): string {
  return name.toLowerCase().replaceAll(/[_$\-\s]/g, "");
}

/** Calls `found` for every word between two positions of a text. */
export function scanWords(text: string, start: number, end: number, found: (word: string) => void): void {
  let at = start;
  while (at < end) {
    const kind = classOf(text.charCodeAt(at));
    if (kind !== WORD) {
      at++;
      // A number and the letters attached to it (0x1f, 10px) do not count as a word.
      if (kind === DIGIT) while (at < end && classOf(text.charCodeAt(at)) !== SEPARATOR) at++;
      continue;
    }
    const from = at++;
    while (at < end && classOf(text.charCodeAt(at)) !== SEPARATOR) at++;
    found(text.slice(from, at));
  }
}

const splitCache = new Map<string, readonly string[]>();
/** Upper bound on cached identifiers: enough for a large repository, at some tens of megabytes. */
const MAX_CACHED_IDENTIFIERS = 100_000;
/** Longest word that has terms; longer ones are encoded data. */
export const MAX_IDENTIFIER_LENGTH = 200;

const PART = /[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[A-Z]|\d+|[\u0080-\uffff]+/g;

/** Splits an identifier into its terms without using the cache. */
export function termsOfWord(identifier: string): readonly string[] {
  if (identifier.length > MAX_IDENTIFIER_LENGTH) return [];
  const parts = identifier.match(PART) ?? [];
  const terms: string[] = [];
  for (const part of parts) {
    if (part.charCodeAt(0) > 127) terms.push(...nonAsciiTerms(part));
    else if (part.length > 1) terms.push(part.toLowerCase());
  }
  if (parts.length < 2) return terms;
  const whole = foldName(identifier);
  if (whole.length > 1) terms.push(whole);
  return terms;
}

/** The terms of an identifier, in lower case and one after another; `ends` has the end of each. Reused for the next one. */
export interface AsciiTerms {
  readonly characters: Uint16Array;
  readonly ends: Uint16Array;
  count: number;
}

const asciiTerms: AsciiTerms = {
  // The parts and the whole have at most twice as many characters as the identifier.
  characters: new Uint16Array(MAX_IDENTIFIER_LENGTH * 2),
  ends: new Uint16Array(MAX_IDENTIFIER_LENGTH),
  count: 0,
};

/**
 * Returns the same terms as `termsOfWord` does, several times as fast; undefined for an identifier with other characters
 * than those of ASCII names.
 */
export function termsOfAscii(identifier: Uint16Array, start: number, end: number): AsciiTerms | undefined {
  const { characters, ends } = asciiTerms;
  let length = 0;
  let count = 0;
  let parts = 0;
  for (let at = start; at < end;) {
    const to = endOfPart(identifier, at, end);
    if (to < 0) return undefined;
    const from = at;
    at = Math.max(to, at + 1);
    if (to === from) continue;
    parts++;
    if (to - from === 1) continue;
    for (let letter = from; letter < to; letter++) characters[length++] = lowerCase(identifier[letter] ?? 0);
    ends[count++] = length;
  }
  if (parts > 1) {
    const whole = length;
    for (let at = start; at < end; at++) {
      const code = identifier[at] ?? 0;
      if (code !== UNDERSCORE && code !== DOLLAR) characters[length++] = lowerCase(code);
    }
    if (length - whole > 1) ends[count++] = length;
  }
  asciiTerms.count = count;
  return asciiTerms;
}

const UNDERSCORE = 0x5f;
const DOLLAR = 0x24;

function isUpper(code: number): boolean {
  return code >= 0x41 && code <= 0x5a;
}

function isLower(code: number): boolean {
  return code >= 0x61 && code <= 0x7a;
}

function isDigit(code: number): boolean {
  return code >= 0x30 && code <= 0x39;
}

function lowerCase(code: number): number {
  return isUpper(code) ? code + 0x20 : code;
}

/**
 * Returns the end of the part of an identifier that begins at an offset: the offset itself for a separator, -1 for a
 * character that no ASCII name contains.
 */
function endOfPart(identifier: Uint16Array, start: number, end: number): number {
  const first = identifier[start] ?? 0;
  let at = start + 1;
  if (isDigit(first)) {
    while (at < end && isDigit(identifier[at] ?? 0)) at++;
    return at;
  }
  if (isUpper(first)) {
    while (at < end && isUpper(identifier[at] ?? 0)) at++;
    // In `HTTPServer` the last capital letter begins the next part.
    if (at === end || !isLower(identifier[at] ?? 0)) return at;
    if (at > start + 1) return at - 1;
  } else if (!isLower(first)) return first === UNDERSCORE || first === DOLLAR ? start : -1;
  while (at < end && isLower(identifier[at] ?? 0)) at++;
  return at;
}

const IDEOGRAPHS = /[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7a3]/;

/**
 * Returns the terms of a run of non-ASCII characters. Scripts without spaces between words, such as Chinese, are
 * indexed by pairs of characters.
 */
function nonAsciiTerms(run: string): readonly string[] {
  const lower = run.toLowerCase();
  if (!IDEOGRAPHS.test(lower) || lower.length < 3) return [lower];
  return Array.from({ length: lower.length - 1 }, (_, i) => lower.slice(i, i + 2));
}

/** Classes of characters, by which a text is split into words. */
export const SEPARATOR = 0;
export const WORD = 1;
const DIGIT = 2;

/**
 * For every UTF-16 code unit, its character class plus 1. For those beyond ASCII, it is 0 until they are first looked
 * up.
 */
const CLASSES = new Uint8Array(65_536);
for (let code = 0; code < 128; code++) {
  const char = String.fromCharCode(code);
  CLASSES[code] = 1 + (/[A-Za-z_$]/.test(char) ? WORD : /[0-9]/.test(char) ? DIGIT : SEPARATOR);
}

/** Returns the class of a character: separator, letter of a word, or digit. */
export function classOf(code: number): number {
  const known = CLASSES[code] ?? 0;
  if (known > 0) return known - 1;
  const kind = /[\p{L}\p{M}]/u.test(String.fromCharCode(code)) ? WORD : SEPARATOR;
  CLASSES[code] = kind + 1;
  return kind;
}
