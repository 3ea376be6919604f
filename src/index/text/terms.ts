/**
 * Words of source text. An identifier gives its parts (`JoinSet` -> join, set) and, when it has several, the whole
 * without separators (joinset), so that join_set, joinSet and JoinSet meet. Nothing is stemmed here: stems only widen a
 * query.
 */

/** Lines longer than this are data or minified code: their words would drown the others. */
export const MAX_LINE_LENGTH = 2_000;

/** Lines a chunk. Between 30 and 50 lines the ranking is the same; longer chunks lose. */
export const LINES_PER_CHUNK = 50;

/** The terms of one identifier or word: its parts of two characters or more, then the whole if it has several parts. */
export function termsOfIdentifier(identifier: string): readonly string[] {
  const known = splitCache.get(identifier);
  if (known !== undefined) return known;
  const terms = termsOfWord(identifier);
  if (splitCache.size >= MAX_CACHED_IDENTIFIERS) splitCache.clear();
  splitCache.set(identifier, terms);
  return terms;
}

/** The parts of an identifier without the whole; one-letter parts are left out. */
export function partsOfIdentifier(identifier: string): readonly string[] {
  const terms = termsOfIdentifier(identifier);
  return terms.length > 1 && terms.at(-1) === foldName(identifier) ? terms.slice(0, -1) : terms;
}

/** Two names are the same for a lookup when only case and separators differ. */
export function foldName(name: string): string {
  return name.toLowerCase().replaceAll(/[_$\-\s]/g, "");
}

/** Calls back for every word of a piece of text. */
export function scanWords(text: string, start: number, end: number, found: (word: string) => void): void {
  let at = start;
  while (at < end) {
    const kind = classOf(text.charCodeAt(at));
    if (kind !== WORD) {
      at++;
      // A number and what hangs on it (0x1f, 10px) is no word.
      if (kind === DIGIT) while (at < end && classOf(text.charCodeAt(at)) !== SEPARATOR) at++;
      continue;
    }
    const from = at++;
    while (at < end && classOf(text.charCodeAt(at)) !== SEPARATOR) at++;
    found(text.slice(from, at));
  }
}

const splitCache = new Map<string, readonly string[]>();
/** Identifiers of a large repository; some tens of megabytes while it is read. */
const MAX_CACHED_IDENTIFIERS = 100_000;
/** Longer runs are encoded data. */
export const MAX_IDENTIFIER_LENGTH = 200;

const PART = /[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[A-Z]|\d+|[\u0080-\uffff]+/g;

/** The same, not remembered. */
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

/** Scripts without spaces between words are indexed by pairs of characters. */
function nonAsciiTerms(run: string): readonly string[] {
  const lower = run.toLowerCase();
  if (!IDEOGRAPHS.test(lower) || lower.length < 3) return [lower];
  return Array.from({ length: lower.length - 1 }, (_, i) => lower.slice(i, i + 2));
}

/** Classes of characters. */
export const SEPARATOR = 0;
export const WORD = 1;
const DIGIT = 2;

/** For every UTF-16 code, the class + 1; of those beyond ASCII, 0 until it is asked for. */
const CLASSES = new Uint8Array(65_536);
for (let code = 0; code < 128; code++) {
  const char = String.fromCharCode(code);
  CLASSES[code] = 1 + (/[A-Za-z_$]/.test(char) ? WORD : /[0-9]/.test(char) ? DIGIT : SEPARATOR);
}

/** What a character is to words: no part of one, one of its letters, or a digit. */
export function classOf(code: number): number {
  const known = CLASSES[code] ?? 0;
  if (known > 0) return known - 1;
  const kind = /[\p{L}\p{M}]/u.test(String.fromCharCode(code)) ? WORD : SEPARATOR;
  CLASSES[code] = kind + 1;
  return kind;
}
