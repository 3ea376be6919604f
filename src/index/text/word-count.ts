import {
  LINES_PER_CHUNK,
  classOf,
  SEPARATOR,
  MAX_IDENTIFIER_LENGTH,
  MAX_LINE_LENGTH,
  WORD,
} from "./terms.ts";
import { createWordTable, HASH_FACTOR, splitWord, ensureCapacity, wordAt, type Span } from "./word-table.ts";

/**
 * The terms of one text and how often each occurs per chunk (part of the text). Valid until the next text is counted.
 */
export interface TextTerms {
  readonly lineCount: number;
  /** Number of words in each chunk, including repetitions. */
  readonly chunkLengths: readonly number[];
  readonly termCount: number;
  /** The texts of the terms in UTF-8, separated by line breaks. */
  readonly names: Uint8Array;
  /**
   * For each term: the number of chunks that contain it and, for each of these, its distance from the previous one and
   * how often the term occurs in it.
   */
  readonly postings: Uint32Array;
}

/** Splits a text into chunks of lines and counts the terms of each chunk. `characters` are those of the text. */
export function termsOfText(text: string, characters: Uint16Array): TextTerms {
  if (table.size > MAX_WORDS) clearWordTable();
  const counting: Counting = { seen: 0, touched: 0, triples: 0, length: 0, chunkLengths: [] };
  const span: Span = { characters, from: 0, to: 0, hash: 0 };
  let lineCount = 0;
  for (let start = 0; start <= text.length;) {
    const newline = text.indexOf("\n", start);
    const end = newline < 0 ? text.length : newline;
    if (newline < 0 && end === start && lineCount > 0) break;
    if (lineCount > 0 && lineCount % LINES_PER_CHUNK === 0) endChunk(counting);
    if (end - start <= MAX_LINE_LENGTH) countLine(counting, span, start, end);
    lineCount++;
    start = end + 1;
  }
  endChunk(counting);
  const { chunkLengths, seen } = counting;
  const names = namesOf(counting);
  const postings = postingsOf(counting);
  for (let term = 0; term < seen; term++) scratch.termOf[scratch.words[term] ?? 0] = 0;
  return { lineCount: text === "" ? 0 : lineCount, chunkLengths, termCount: seen, names, postings };
}

function countLine(counting: Counting, span: Span, start: number, end: number): void {
  const { characters } = span;
  for (let at = start; at < end;) {
    let code = characters[at] ?? 0;
    const kind = classOf(code);
    if (kind === SEPARATOR) {
      at++;
      continue;
    }
    const from = at;
    let hash = 0;
    do {
      hash = Math.imul(hash ^ code, HASH_FACTOR);
      code = characters[++at] ?? 0;
    } while (at < end && classOf(code) !== SEPARATOR);
    // A number and the letters attached to it (0x1f, 10px) do not count as a word.
    if (kind === WORD && at - from <= MAX_IDENTIFIER_LENGTH) {
      span.from = from;
      span.to = at;
      span.hash = hash;
      countWord(counting, wordAt(table, span));
    }
  }
}

/** Frees the table of words, which takes tens of megabytes after a large repository was indexed. */
export function clearWordTable(): void {
  table = createWordTable();
  scratch = createScratch();
}

/**
 * Number of words above which the table is emptied: enough for a large repository in several languages, at about 30 MB.
 */
const MAX_WORDS = 500_000;

let table = createWordTable();
let scratch = createScratch();

/**
 * Creates arrays that are reused for every text, because allocating them would cost more than counting a small text.
 */
function createScratch() {
  return {
    /** For each word of the table: its number among the terms of this text plus 1, or 0 if it is not one of them. */
    termOf: new Uint32Array(1_024),
    /**
     * For each term of this text: its word in the table, the number of chunks that contain it, and how often it occurs
     * in the current chunk.
     */
    words: new Uint32Array(1_024),
    spread: new Uint32Array(1_024),
    counts: new Uint32Array(1_024),
    /** The numbers of the terms that occur in the current chunk. */
    touched: new Uint32Array(1_024),
    /** Triples of a term, a chunk and the count of the term in the chunk, in the order of the chunks. */
    triples: new Uint32Array(4_096),
  };
}

interface Counting {
  seen: number;
  touched: number;
  triples: number;
  length: number;
  readonly chunkLengths: number[];
}

function countWord(counting: Counting, word: number): void {
  if (table.termEnd[word] === 0) splitWord(table, word);
  const { terms, termStart, termEnd } = table;
  const end = termEnd[word] ?? 0;
  const start = termStart[word] ?? 0;
  for (let at = start; at < end; at++) {
    const name = terms[at] ?? 0;
    const term = scratch.termOf[name] ?? 0;
    const own = term === 0 ? addTerm(counting, name) : term - 1;
    const count = scratch.counts[own] ?? 0;
    if (count === 0) scratch.touched[counting.touched++] = own;
    scratch.counts[own] = count + 1;
  }
  counting.length += end - start;
}

/** Assigns a number to a term that occurs for the first time in this text. */
function addTerm(counting: Counting, word: number): number {
  const own = counting.seen++;
  scratch.termOf = ensureCapacity(scratch.termOf, word + 1, Uint32Array);
  scratch.termOf[word] = own + 1;
  scratch.words = ensureCapacity(scratch.words, own + 1, Uint32Array);
  scratch.words[own] = word;
  scratch.spread = ensureCapacity(scratch.spread, own + 1, Uint32Array);
  scratch.spread[own] = 0;
  scratch.counts = ensureCapacity(scratch.counts, own + 1, Uint32Array);
  scratch.counts[own] = 0;
  scratch.touched = ensureCapacity(scratch.touched, own + 1, Uint32Array);
  return own;
}

function endChunk(counting: Counting): void {
  const { touched, spread, counts } = scratch;
  const chunk = counting.chunkLengths.length;
  scratch.triples = ensureCapacity(scratch.triples, (counting.triples + counting.touched) * 3, Uint32Array);
  const { triples } = scratch;
  for (let i = 0; i < counting.touched; i++) {
    const term = touched[i] ?? 0;
    const at = counting.triples++ * 3;
    triples[at] = term;
    triples[at + 1] = chunk;
    triples[at + 2] = counts[term] ?? 0;
    spread[term] = (spread[term] ?? 0) + 1;
    counts[term] = 0;
  }
  counting.chunkLengths.push(counting.length);
  counting.touched = 0;
  counting.length = 0;
}

const LINE_BREAK = 10;

function namesOf({ seen }: Counting): Uint8Array {
  const { names, nameStart, nameEnd } = table;
  const { words } = scratch;
  let size = Math.max(0, seen - 1);
  for (let term = 0; term < seen; term++) {
    const word = words[term] ?? 0;
    size += (nameEnd[word] ?? 0) - (nameStart[word] ?? 0);
  }
  const all = new Uint8Array(size);
  let at = 0;
  for (let term = 0; term < seen; term++) {
    if (term > 0) all[at++] = LINE_BREAK;
    const word = words[term] ?? 0;
    const end = nameEnd[word] ?? 0;
    // Terms are so short that copying them byte by byte is faster than calling a copy function for each.
    for (let from = nameStart[word] ?? 0; from < end; from++) all[at++] = names[from] ?? 0;
  }
  return all;
}

/** Returns the counts per term and chunk, sorted by term; the chunks of each term are already in order. */
function postingsOf({ seen, triples: count }: Counting): Uint32Array {
  const { spread, triples } = scratch;
  const next = new Uint32Array(seen);
  const previous = new Uint32Array(seen);
  const sorted = new Uint32Array(seen + count * 2);
  for (let term = 0, at = 0; term < seen; term++) {
    const chunks = spread[term] ?? 0;
    sorted[at] = chunks;
    next[term] = at + 1;
    at += 1 + chunks * 2;
  }
  for (let i = 0; i < count * 3; i += 3) {
    const term = triples[i] ?? 0;
    const chunk = triples[i + 1] ?? 0;
    const at = next[term] ?? 0;
    sorted[at] = chunk - (previous[term] ?? 0);
    sorted[at + 1] = triples[i + 2] ?? 0;
    previous[term] = chunk;
    next[term] = at + 2;
  }
  return sorted;
}
