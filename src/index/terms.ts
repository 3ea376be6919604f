/**
 * Words of source text. An identifier gives its parts (`JoinSet` -> join, set) and, when it has several, the whole
 * without separators (joinset), so that join_set, joinSet and JoinSet meet. Nothing is stemmed here: stems only widen a
 * query.
 */

/** Lines longer than this are data or minified code: their words would drown the others. */
export const MAX_LINE_LENGTH = 2_000;

/** Lines a chunk. Between 30 and 50 lines the ranking is the same; longer chunks lose. */
export const CHUNK_LINES = 50;

/** The words of one text with how often each chunk has them. */
export interface TextTerms {
  readonly lineCount: number;
  /** Words in each chunk, repetitions counted. */
  readonly chunkLengths: readonly number[];
  readonly terms: readonly string[];
  /** How many chunks have each term. */
  readonly spread: readonly number[];
  /** Triples of term, chunk and count, by chunk. */
  readonly postings: readonly number[];
}

/** The terms of one identifier or word: its parts of two characters or more, then the whole if it has several parts. */
export function termsOfIdentifier(identifier: string): readonly string[] {
  const known = splitCache.get(identifier);
  if (known !== undefined) return known;
  const terms = split(identifier);
  if (splitCache.size >= MAX_CACHED) splitCache.clear();
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

/** Cuts a text into chunks and counts the terms of each. */
export function termsOfText(text: string): TextTerms {
  const counter = createCounter();
  const add = (word: string) => counter.add(word);
  let lineCount = 0;
  for (let start = 0; start <= text.length;) {
    const newline = text.indexOf("\n", start);
    const end = newline < 0 ? text.length : newline;
    if (newline < 0 && end === start && lineCount > 0) break;
    if (lineCount > 0 && lineCount % CHUNK_LINES === 0) counter.endChunk();
    if (end - start <= MAX_LINE_LENGTH) scanWords(text, start, end, add);
    lineCount++;
    start = end + 1;
  }
  counter.endChunk();
  return { lineCount, ...counter.result() };
}

/** Calls back for every word of a piece of text. */
export function scanWords(text: string, start: number, end: number, found: (word: string) => void): void {
  let at = start;
  while (at < end) {
    const kind = classOf(text.charCodeAt(at));
    if (kind !== WORD) {
      at++;
      // A number and what hangs on it (0x1f, 10px) is no word.
      if (kind === DIGIT) while (at < end && classOf(text.charCodeAt(at)) !== GAP) at++;
      continue;
    }
    const from = at++;
    while (at < end && classOf(text.charCodeAt(at)) !== GAP) at++;
    found(text.slice(from, at));
  }
}

/** Counts the terms of one text. Terms are numbered once for all texts, so that counting needs one lookup a word. */
function createCounter() {
  if (numbering.names.length > MAX_CACHED) numbering = createNumbering();
  const { numbersOf, names, slots } = numbering;
  const seen: number[] = [];
  const spread: number[] = [];
  const postings: number[] = [];
  const counts: number[] = [];
  let touched: number[] = [];
  const chunkLengths: number[] = [];
  let length = 0;
  return {
    add(word: string): void {
      const numbers = numbersOf(word);
      for (const number of numbers) {
        let slot = slots[number] ?? 0;
        if (slot === 0) {
          slot = seen.push(number);
          slots[number] = slot;
          spread.push(0);
          counts.push(0);
        }
        const count = counts[slot - 1] ?? 0;
        if (count === 0) touched.push(slot - 1);
        counts[slot - 1] = count + 1;
      }
      length += numbers.length;
    },
    endChunk(): void {
      const chunk = chunkLengths.length;
      for (const slot of touched) {
        postings.push(slot, chunk, counts[slot] ?? 0);
        spread[slot] = (spread[slot] ?? 0) + 1;
        counts[slot] = 0;
      }
      chunkLengths.push(length);
      touched = [];
      length = 0;
    },
    result() {
      for (const number of seen) slots[number] = 0;
      return { chunkLengths, terms: seen.map((number) => names[number] ?? ""), spread, postings };
    },
  };
}

function createNumbering() {
  const words = new Map<string, readonly number[]>();
  const numbers = new Map<string, number>();
  const names: string[] = [];
  /** For each term, its place in the text being counted + 1. */
  const slots: number[] = [];
  const numberOf = (term: string): number => {
    const known = numbers.get(term);
    if (known !== undefined) return known;
    numbers.set(term, names.length);
    slots.push(0);
    return names.push(term) - 1;
  };
  const numbersOf = (word: string): readonly number[] => {
    const known = words.get(word);
    if (known !== undefined) return known;
    // A copy: the slice would keep its whole text alive.
    const copy = Buffer.from(word).toString();
    const found = termsOfIdentifier(copy).map(numberOf);
    words.set(copy, found);
    return found;
  };
  return { numbersOf, names, slots };
}

let numbering = createNumbering();

/** Lets go of what was remembered of words: after much indexing that is tens of megabytes. */
export function forgetWords(): void {
  numbering = createNumbering();
  splitCache.clear();
}

const splitCache = new Map<string, readonly string[]>();
/** Identifiers of a large repository; some tens of megabytes while it is read. */
const MAX_CACHED = 100_000;
/** Longer runs are encoded data. */
const MAX_IDENTIFIER = 200;

const PART = /[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[A-Z]|\d+|[\u0080-\uffff]+/g;

function split(identifier: string): readonly string[] {
  if (identifier.length > MAX_IDENTIFIER) return [];
  const parts = identifier.match(PART) ?? [];
  const terms: string[] = [];
  for (const part of parts) {
    if (part.charCodeAt(0) > 127) terms.push(...foreignTerms(part));
    else if (part.length > 1) terms.push(part.toLowerCase());
  }
  if (parts.length < 2) return terms;
  const whole = foldName(identifier);
  if (whole.length > 1) terms.push(whole);
  return terms;
}

const IDEOGRAPHS = /[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7a3]/;

/** Scripts without spaces between words are indexed by pairs of characters. */
function foreignTerms(run: string): readonly string[] {
  const lower = run.toLowerCase();
  if (!IDEOGRAPHS.test(lower) || lower.length < 3) return [lower];
  return Array.from({ length: lower.length - 1 }, (_, i) => lower.slice(i, i + 2));
}

const GAP = 0;
const WORD = 1;
const DIGIT = 2;

const CLASSES = Uint8Array.from({ length: 128 }, (_, code) => {
  const char = String.fromCharCode(code);
  return /[A-Za-z_$]/.test(char) ? WORD : /[0-9]/.test(char) ? DIGIT : GAP;
});

/** Of characters beyond ASCII: 0 not asked yet, else the class + 1. */
const foreignClasses = new Uint8Array(65_536);

function classOf(code: number): number {
  if (code < 128) return CLASSES[code] ?? GAP;
  const known = foreignClasses[code] ?? 0;
  if (known > 0) return known - 1;
  const kind = /[\p{L}\p{M}]/u.test(String.fromCharCode(code)) ? WORD : GAP;
  foreignClasses[code] = kind + 1;
  return kind;
}
