import { CHUNK_LINES, eachWord, MAX_IDENTIFIER, MAX_LINE_LENGTH } from "./terms.ts";
import { createWordTable, withRoom, wordAt, type WordSpan } from "./word-table.ts";

/** The terms of one text with how often each chunk has them. Good until the next text is counted. */
export interface TextTerms {
  readonly lineCount: number;
  /** Words in each chunk, repetitions counted. */
  readonly chunkLengths: readonly number[];
  readonly termCount: number;
  /** The terms in UTF-8, each but the last with a line break behind it. */
  readonly names: Uint8Array;
  /** For each term: how many chunks have it, then for each of them the step to its number, and the count. */
  readonly postings: Uint32Array;
}

/** Cuts a text into chunks and counts the terms of each. */
export function termsOfText(text: string): TextTerms {
  if (table.terms > MAX_TERMS) forgetWords();
  const counting = begin();
  const span: WordSpan = { text, from: 0, to: 0, hash: 0 };
  const count = (from: number, to: number, hash: number): void => {
    if (to - from > MAX_IDENTIFIER) return;
    span.from = from;
    span.to = to;
    span.hash = hash;
    countWord(counting, wordAt(table, span));
  };
  let lineCount = 0;
  for (let start = 0; start <= text.length;) {
    const newline = text.indexOf("\n", start);
    const end = newline < 0 ? text.length : newline;
    if (newline < 0 && end === start && lineCount > 0) break;
    if (lineCount > 0 && lineCount % CHUNK_LINES === 0) endChunk(counting);
    if (end - start <= MAX_LINE_LENGTH) eachWord(text, { start, end }, count);
    lineCount++;
    start = end + 1;
  }
  endChunk(counting);
  const { chunkLengths, seen } = counting;
  const result = {
    lineCount,
    chunkLengths,
    termCount: seen,
    names: namesOf(counting),
    postings: postingsOf(counting),
  };
  for (let term = 0; term < seen; term++) scratch.termOf[scratch.numbers[term] ?? 0] = 0;
  return result;
}

/** Lets go of the words: after much indexing they are tens of megabytes. */
export function forgetWords(): void {
  table = createWordTable();
  scratch = createScratch();
}

/** Words of a large repository in several languages: some 20 MB. */
const MAX_TERMS = 300_000;

let table = createWordTable();
let scratch = createScratch();

/** Used again for every text: most are small, and making the arrays would cost more than the counting. */
function createScratch() {
  return {
    /** For each term of the table, its number in this text + 1. */
    termOf: new Uint32Array(1_024),
    /** For each term of this text: its number in the table, how many chunks have it, its count in the current chunk. */
    numbers: new Uint32Array(1_024),
    spread: new Uint32Array(1_024),
    counts: new Uint32Array(1_024),
    /** The terms of the current chunk. */
    touched: new Uint32Array(1_024),
    /** Triples of term, chunk and count, by chunk. */
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

function begin(): Counting {
  return { seen: 0, touched: 0, triples: 0, length: 0, chunkLengths: [] };
}

function countWord(counting: Counting, word: number): void {
  const { wordTerms, wordTermStart } = table;
  const end = wordTermStart[word + 1] ?? 0;
  const start = wordTermStart[word] ?? 0;
  for (let at = start; at < end; at++) {
    const number = wordTerms[at] ?? 0;
    const term = scratch.termOf[number] ?? 0;
    const own = term === 0 ? meet(counting, number) : term - 1;
    const count = scratch.counts[own] ?? 0;
    if (count === 0) scratch.touched[counting.touched++] = own;
    scratch.counts[own] = count + 1;
  }
  counting.length += end - start;
}

/** The first time that a text has the term. */
function meet(counting: Counting, number: number): number {
  const own = counting.seen++;
  scratch.termOf = withRoom(scratch.termOf, number + 1);
  scratch.termOf[number] = own + 1;
  scratch.numbers = withRoom(scratch.numbers, own + 1);
  scratch.numbers[own] = number;
  scratch.spread = withRoom(scratch.spread, own + 1);
  scratch.spread[own] = 0;
  scratch.counts = withRoom(scratch.counts, own + 1);
  scratch.counts[own] = 0;
  scratch.touched = withRoom(scratch.touched, own + 1);
  return own;
}

function endChunk(counting: Counting): void {
  const { touched, spread, counts } = scratch;
  const chunk = counting.chunkLengths.length;
  scratch.triples = withRoom(scratch.triples, (counting.triples + counting.touched) * 3);
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
  const { names, nameStart } = table;
  const { numbers } = scratch;
  let size = Math.max(0, seen - 1);
  for (let term = 0; term < seen; term++) {
    const number = numbers[term] ?? 0;
    size += (nameStart[number + 1] ?? 0) - (nameStart[number] ?? 0);
  }
  const all = new Uint8Array(size);
  let at = 0;
  for (let term = 0; term < seen; term++) {
    if (term > 0) all[at++] = LINE_BREAK;
    const number = numbers[term] ?? 0;
    const end = nameStart[number + 1] ?? 0;
    // Terms are short: copying them byte by byte is faster than by a call.
    for (let from = nameStart[number] ?? 0; from < end; from++) all[at++] = names[from] ?? 0;
  }
  return all;
}

/** Sorted by term: the chunks of each are in order already. */
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
