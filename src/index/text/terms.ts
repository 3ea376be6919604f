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
