import { termsOfAscii, termsOfWord, type AsciiTerms } from "./terms.ts";

/**
 * A hash table of words and the terms of each word, which are words of the same table. Words are looked up by their
 * characters in the text, because creating a string for each would cost more than the counting itself.
 */
export interface WordTable {
  size: number;
  /**
   * The slots of the hash table, which uses open addressing and is at most half full. Each slot has the number of a
   * word plus 1 and its hash, side by side for one memory access.
   */
  places: Int32Array;
  hashes: Int32Array;
  /** The characters of all words, one after another; `characterStart` has the start of each word. */
  characters: Uint16Array;
  characterStart: Uint32Array;
  /**
   * The terms of all words, as numbers of words; those of one word are between its `termStart` and `termEnd`. The end
   * is 0 until the word has been split.
   */
  terms: Uint32Array;
  termStart: Uint32Array;
  termEnd: Uint32Array;
  termsUsed: number;
  /**
   * The UTF-8 bytes of all words that are terms; those of one word are between its `nameStart` and `nameEnd`. The end
   * is 0 for a word that is not a term.
   */
  names: Uint8Array;
  nameStart: Uint32Array;
  nameEnd: Uint32Array;
  namesUsed: number;
}

const INITIAL_SIZE = 2_048;

export function createWordTable(): WordTable {
  return {
    size: 0,
    places: new Int32Array(INITIAL_SIZE * 4),
    hashes: new Int32Array(INITIAL_SIZE),
    characters: new Uint16Array(INITIAL_SIZE * 8),
    characterStart: new Uint32Array(INITIAL_SIZE),
    terms: new Uint32Array(INITIAL_SIZE * 2),
    termStart: new Uint32Array(INITIAL_SIZE),
    termEnd: new Uint32Array(INITIAL_SIZE),
    termsUsed: 1,
    names: new Uint8Array(INITIAL_SIZE * 8),
    nameStart: new Uint32Array(INITIAL_SIZE),
    nameEnd: new Uint32Array(INITIAL_SIZE),
    namesUsed: 1,
  };
}

/** A range of characters in a text and its hash. One object is reused for all words of a text. */
export interface Span {
  readonly characters: Uint16Array;
  from: number;
  to: number;
  hash: number;
}

/** The multiplier of the Fowler-Noll-Vo hash, which distributes short texts well. */
export const HASH_FACTOR = 0x01000193;

/** Returns the number of a word, adding the word if it is new. */
export function wordAt(table: WordTable, span: Span): number {
  const { places } = table;
  const { hash } = span;
  const mask = places.length - 2;
  for (let at = firstPlace(hash, mask); ; at = (at + 2) & mask) {
    const word = (places[at] ?? 0) - 1;
    if (word < 0) return addWord(table, span);
    if (places[at + 1] === hash && isSame(table, word, span)) return word;
  }
}

function firstPlace(hash: number, mask: number): number {
  return ((hash ^ (hash >>> 15)) << 1) & mask;
}

function isSame(table: WordTable, word: number, { characters, from, to }: Span): boolean {
  const own = table.characters;
  let start = table.characterStart[word] ?? 0;
  if ((table.characterStart[word + 1] ?? 0) - start !== to - from) return false;
  for (let at = from; at < to; at++) if (own[start++] !== characters[at]) return false;
  return true;
}

function addWord(table: WordTable, { characters, from, to, hash }: Span): number {
  const word = table.size++;
  table.hashes = ensureCapacity(table.hashes, word + 1, Int32Array);
  table.characterStart = ensureCapacity(table.characterStart, word + 2, Uint32Array);
  table.termStart = ensureCapacity(table.termStart, word + 1, Uint32Array);
  table.termEnd = ensureCapacity(table.termEnd, word + 1, Uint32Array);
  table.nameStart = ensureCapacity(table.nameStart, word + 1, Uint32Array);
  table.nameEnd = ensureCapacity(table.nameEnd, word + 1, Uint32Array);
  let end = table.characterStart[word] ?? 0;
  table.characters = ensureCapacity(table.characters, end + to - from, Uint16Array);
  for (let at = from; at < to; at++) table.characters[end++] = characters[at] ?? 0;
  table.characterStart[word + 1] = end;
  table.hashes[word] = hash;
  if (table.size * 4 > table.places.length) rehash(table, table.places.length * 2);
  else place(table, word);
  return word;
}

/** Splits a word into terms and stores them in the table. */
export function splitWord(table: WordTable, word: number): void {
  const first = table.termsUsed;
  if (isPlain(table, word)) addTerm(table, word);
  else {
    const { characters, characterStart } = table;
    const terms = termsOfAscii(characters, characterStart[word] ?? 0, characterStart[word + 1] ?? 0);
    if (terms === undefined)
      for (const term of termsOfWord(textOfWord(table, word))) addTerm(table, numberOf(table, term));
    else addAsciiTerms(table, terms);
  }
  table.termStart[word] = first;
  table.termEnd[word] = table.termsUsed;
}

function addTerm(table: WordTable, term: number): void {
  if (table.nameEnd[term] === 0) nameTerm(table, term);
  table.terms = ensureCapacity(table.terms, table.termsUsed + 1, Uint32Array);
  table.terms[table.termsUsed++] = term;
}

function addAsciiTerms(table: WordTable, { characters, ends, count }: AsciiTerms): void {
  let from = 0;
  for (let term = 0; term < count; term++) {
    const to = ends[term] ?? 0;
    let hash = 0;
    for (let at = from; at < to; at++) hash = Math.imul(hash ^ (characters[at] ?? 0), HASH_FACTOR);
    addTerm(table, wordAt(table, { characters, from, to, hash }));
    from = to;
  }
}

const LOWERCASE_A = 97;
const LOWERCASE_Z = 122;

/** Returns true if a word consists of two or more lowercase ASCII letters; such a word is its own only term. */
function isPlain({ characters, characterStart }: WordTable, word: number): boolean {
  const end = characterStart[word + 1] ?? 0;
  const start = characterStart[word] ?? 0;
  for (let at = start; at < end; at++) {
    const code = characters[at] ?? 0;
    if (code < LOWERCASE_A || code > LOWERCASE_Z) return false;
  }
  return end - start > 1;
}

function textOfWord({ characters, characterStart }: WordTable, word: number): string {
  return Buffer.from(characters.slice(characterStart[word], characterStart[word + 1]).buffer).toString(
    "utf16le",
  );
}

function numberOf(table: WordTable, term: string): number {
  const characters = new Uint16Array(term.length);
  let hash = 0;
  for (let at = 0; at < term.length; at++) {
    const code = term.charCodeAt(at);
    characters[at] = code;
    hash = Math.imul(hash ^ code, HASH_FACTOR);
  }
  return wordAt(table, { characters, from: 0, to: term.length, hash });
}

function nameTerm(table: WordTable, word: number): void {
  const { characters, characterStart } = table;
  const end = characterStart[word + 1] ?? 0;
  let from = characterStart[word] ?? 0;
  let at = table.namesUsed;
  table.names = ensureCapacity(table.names, at + (end - from) * MAX_UTF8_BYTES_PER_CHAR, Uint8Array);
  for (; from < end && (characters[from] ?? 0) < 128; from++) table.names[at++] = characters[from] ?? 0;
  if (from < end) {
    at = table.namesUsed;
    const bytes = Buffer.from(textOfWord(table, word));
    table.names.set(bytes, at);
    at += bytes.length;
  }
  table.nameStart[word] = table.namesUsed;
  table.nameEnd[word] = at;
  table.namesUsed = at;
}

/** Maximum number of UTF-8 bytes per UTF-16 code unit. */
const MAX_UTF8_BYTES_PER_CHAR = 3;

function rehash(table: WordTable, size: number): void {
  table.places = new Int32Array(size);
  for (let word = 0; word < table.size; word++) place(table, word);
}

function place({ places, hashes }: WordTable, word: number): void {
  const hash = hashes[word] ?? 0;
  const mask = places.length - 2;
  let at = firstPlace(hash, mask);
  while (places[at] !== 0) at = (at + 2) & mask;
  places[at] = word + 1;
  places[at + 1] = hash;
}

type Numbers = Uint8Array | Uint16Array | Uint32Array | Int32Array;

/** Returns the array if it has room for `length` numbers, else a copy of at least twice its length. */
export function ensureCapacity<T extends Numbers>(
  array: T,
  length: number,
  Kind: new (length: number) => T,
): T {
  if (length <= array.length) return array;
  const larger = new Kind(Math.max(length, array.length * 2));
  larger.set(array);
  return larger;
}
