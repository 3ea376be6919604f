import { termsOfWord } from "./terms.ts";

/**
 * The words that texts are made of, each with the numbers of its terms. A word is looked up by its characters where they
 * stand in the text: to make a string of each would cost more than all the counting.
 */
export interface WordTable {
  words: number;
  terms: number;
  /** Open addressing, at most half full: the word's number + 1. */
  places: Int32Array;
  hashes: Int32Array;
  /** The characters of all words, one word after the other, and where each one's begin. */
  characters: Uint16Array;
  characterStart: Uint32Array;
  /** The terms of all words, one word after the other, and where each one's begin. */
  wordTerms: Uint32Array;
  wordTermStart: Uint32Array;
  /** The UTF-8 bytes of all terms, and where each one's begin. */
  names: Uint8Array;
  nameStart: Uint32Array;
  readonly numbers: Map<string, number>;
}

const FIRST_WORDS = 2_048;

export function createWordTable(): WordTable {
  return {
    words: 0,
    terms: 0,
    places: new Int32Array(FIRST_WORDS * 2),
    hashes: new Int32Array(FIRST_WORDS),
    characters: new Uint16Array(FIRST_WORDS * 8),
    characterStart: new Uint32Array(FIRST_WORDS + 1),
    wordTerms: new Uint32Array(FIRST_WORDS * 2),
    wordTermStart: new Uint32Array(FIRST_WORDS + 1),
    names: new Uint8Array(FIRST_WORDS * 8),
    nameStart: new Uint32Array(FIRST_WORDS + 1),
    numbers: new Map(),
  };
}

/** A word where it stands. One is used for all words of a text. */
export interface WordSpan {
  readonly text: string;
  from: number;
  to: number;
  /** Of its characters, by `eachWord`. */
  hash: number;
}

/** The number of a word, also of one that was never seen. */
export function wordAt(table: WordTable, span: WordSpan): number {
  const { places, hashes } = table;
  const { hash } = span;
  const mask = places.length - 1;
  for (let at = (hash ^ (hash >>> 15)) & mask; ; at = (at + 1) & mask) {
    const word = (places[at] ?? 0) - 1;
    if (word < 0) return addWord(table, span.text.slice(span.from, span.to), hash);
    if (hashes[word] === hash && isWord(table, word, span)) return word;
  }
}

function isWord({ characters, characterStart }: WordTable, word: number, span: WordSpan): boolean {
  const { text, from, to } = span;
  const start = characterStart[word] ?? 0;
  if ((characterStart[word + 1] ?? 0) - start !== to - from) return false;
  for (let at = from, own = start; at < to; at++, own++)
    if (characters[own] !== text.charCodeAt(at)) return false;
  return true;
}

function addWord(table: WordTable, text: string, hash: number): number {
  const word = table.words++;
  const start = table.characterStart[word] ?? 0;
  table.characters = withRoom(table.characters, start + text.length);
  for (let i = 0; i < text.length; i++) table.characters[start + i] = text.charCodeAt(i);
  table.characterStart = withRoom(table.characterStart, word + 2);
  table.characterStart[word + 1] = start + text.length;
  table.hashes = withRoom(table.hashes, word + 1);
  table.hashes[word] = hash;
  let end = table.wordTermStart[word] ?? 0;
  for (const term of termsOfWord(text)) {
    table.wordTerms = withRoom(table.wordTerms, end + 1);
    table.wordTerms[end++] = termNumber(table, term);
  }
  table.wordTermStart = withRoom(table.wordTermStart, word + 2);
  table.wordTermStart[word + 1] = end;
  if (table.words * 2 > table.places.length) spreadOut(table, table.places.length * 2);
  else place(table, word);
  return word;
}

function termNumber(table: WordTable, term: string): number {
  const known = table.numbers.get(term);
  if (known !== undefined) return known;
  const number = table.terms++;
  const bytes = Buffer.from(term);
  // A copy: a slice would keep its whole text alive.
  table.numbers.set(bytes.toString(), number);
  const start = table.nameStart[number] ?? 0;
  table.names = withRoom(table.names, start + bytes.length);
  table.names.set(bytes, start);
  table.nameStart = withRoom(table.nameStart, number + 2);
  table.nameStart[number + 1] = start + bytes.length;
  return number;
}

function spreadOut(table: WordTable, size: number): void {
  table.places = new Int32Array(size);
  for (let word = 0; word < table.words; word++) place(table, word);
}

function place({ places, hashes }: WordTable, word: number): void {
  const hash = hashes[word] ?? 0;
  const mask = places.length - 1;
  let at = (hash ^ (hash >>> 15)) & mask;
  while (places[at] !== 0) at = (at + 1) & mask;
  places[at] = word + 1;
}

type Numbers = Uint8Array | Uint16Array | Uint32Array | Int32Array;

/** The array, or a copy of twice its length, with room for so many numbers. */
export function withRoom<T extends Numbers>(array: T, length: number): T {
  if (length <= array.length) return array;
  // The constructor of a typed array makes one of its own kind.
  const larger = new (array.constructor as new (length: number) => T)(Math.max(length, array.length * 2));
  larger.set(array);
  return larger;
}
