import { forEachYielding } from "../../kernel/for-each-yielding.ts";
import { TEST_KINDS, type SymbolKind } from "../../model/symbol.ts";
import { decodeFeatures, decodeFlags, decodeHeader, type BlobHeader, type SymbolBrief } from "./record.ts";
import { foldName } from "../text/terms.ts";
import { joinTexts, vocabularyOf, type SortedTexts, type Vocabulary } from "./vocabulary.ts";

/**
 * A searchable part of the index with many blobs (file contents, here called documents): a sorted vocabulary, and for
 * each term the chunks that contain it. A segment belongs to no ref; a view maps paths to its documents. Segments are
 * immutable.
 */
export interface Segment {
  /** The keys of the blobs; the number of a document is its position in this list. */
  readonly keys: readonly string[];
  document(number: number): DocumentBrief;
  isGenerated(number: number): boolean;
  isParsed(number: number): boolean;
  /** Number of the first chunk of each document; one more entry marks the end. */
  readonly chunkStart: Uint32Array;
  readonly chunkDocument: Uint32Array;
  readonly chunkLength: Uint32Array;
  readonly vocabulary: Vocabulary;
  /**
   * Position of each term's first posting (a chunk that contains the term, and how often); one more entry marks the
   * end.
   */
  readonly postingStart: Uint32Array;
  readonly postingChunk: Uint32Array;
  readonly postingCount: Uint8Array;
  readonly names: NameTable;
  /** The contents of this segment in a form that can be stored. */
  readonly data: SegmentData;
}

/** A segment of the index as plain arrays and texts, which can be stored for the next process. */
export interface SegmentData {
  readonly keys: readonly string[];
  /** The headers of all records, one after another. */
  readonly headers: Uint8Array;
  readonly headerStart: Uint32Array;
  readonly chunkStart: Uint32Array;
  readonly chunkLength: Uint32Array;
  readonly terms: SortedTexts;
  readonly postingStart: Uint32Array;
  readonly postingChunk: Uint32Array;
  readonly postingCount: Uint8Array;
  readonly names: SortedTexts;
  readonly nameStart: Uint32Array;
  /** Pairs of a document number and the position of a symbol in that document, ordered by the symbol's name. */
  readonly namePlaces: Uint32Array;
}

export type DocumentBrief = BlobHeader;

/** Finds definitions by folded name (in lower case, without separators). */
export interface NameTable {
  readonly folded: Vocabulary;
  /** Calls `found` for every definition whose folded name is the entry `index` of the list of names. */
  each(index: number, found: (document: number, symbol: number) => void): void;
}

/**
 * Builds a segment from the records of many blobs. It yields to the event loop, because a large repository takes
 * seconds.
 */
export async function compileSegment(records: Iterable<readonly [string, Uint8Array]>): Promise<Segment> {
  const keys: string[] = [];
  const headers: Uint8Array[] = [];
  const headerStart: number[] = [0];
  const chunkStart: number[] = [0];
  const chunkLength: number[] = [];
  const names = collectNames();
  const stream = collectPostings();
  await forEachYielding(records, ([key, bytes]) => {
    const { header, headerLength } = stream.read(bytes, chunkLength.length);
    names.add(keys.length, header.symbols);
    keys.push(key);
    headers.push(bytes.subarray(0, headerLength));
    headerStart.push((headerStart.at(-1) ?? 0) + headerLength);
    for (const length of header.chunkLengths) chunkLength.push(length);
    chunkStart.push(chunkLength.length);
  });
  return openSegment({
    keys,
    headers: Buffer.concat(headers),
    headerStart: Uint32Array.from(headerStart),
    chunkStart: Uint32Array.from(chunkStart),
    chunkLength: Uint32Array.from(chunkLength),
    ...stream.sorted(),
    ...names.sorted(),
  });
}

/** Makes the stored data of a segment searchable. Its documents are decoded when they are needed. */
export function openSegment(data: SegmentData): Segment {
  const { keys, headers, headerStart, chunkStart, chunkLength, nameStart, namePlaces } = data;
  const { postingStart, postingChunk, postingCount } = data;
  const chunkDocument = new Uint32Array(chunkLength.length);
  for (let document = 0; document < keys.length; document++)
    chunkDocument.fill(document, chunkStart[document], chunkStart[document + 1]);
  const headerOf = (number: number) => headers.subarray(headerStart[number], headerStart[number + 1]);
  const { generated, parsed } = flagsOf(keys.length, headerOf);
  const documents = new Map<number, DocumentBrief>();
  return {
    keys,
    document(number) {
      const known = documents.get(number);
      if (known !== undefined) return known;
      const document = decodeHeader(headerOf(number));
      if (documents.size >= MAX_CACHED_DOCUMENTS) documents.clear();
      documents.set(number, document);
      return document;
    },
    isGenerated: (number) => generated[number] === 1,
    isParsed: (number) => parsed[number] === 1,
    chunkStart,
    chunkDocument,
    chunkLength,
    vocabulary: vocabularyOf(data.terms),
    postingStart,
    postingChunk,
    postingCount,
    names: {
      folded: vocabularyOf(data.names),
      each(index, found) {
        const end = nameStart[index + 1] ?? 0;
        for (let at = nameStart[index] ?? end; at < end; at += 2)
          found(namePlaces[at] ?? 0, namePlaces[at + 1] ?? 0);
      },
    },
    data,
  };
}

/**
 * Upper bound on decoded documents in the cache. The next query often needs them again, but all of them would take most
 * of the memory.
 */
const MAX_CACHED_DOCUMENTS = 2_500;

function flagsOf(count: number, headerOf: (number: number) => Uint8Array) {
  const generated = new Uint8Array(count);
  const parsed = new Uint8Array(count);
  for (let number = 0; number < count; number++) {
    const flags = decodeFlags(headerOf(number));
    generated[number] = Number(flags.generated);
    parsed[number] = Number(flags.parsed);
  }
  return { generated, parsed };
}

/** Symbol kinds that lookups by name do not search for: imports, and tests, whose titles are not names. */
const EXCLUDED_KINDS: ReadonlySet<SymbolKind> = new Set(["import", ...TEST_KINDS]);

function collectNames() {
  const places = new Map<string, number[]>();
  return {
    add(document: number, symbols: readonly SymbolBrief[]): void {
      for (const [symbol, { name, kind }] of symbols.entries()) {
        if (EXCLUDED_KINDS.has(kind)) continue;
        const folded = foldName(name);
        const list = places.get(folded);
        if (list === undefined) places.set(folded, [document, symbol]);
        else list.push(document, symbol);
      }
    },
    sorted(): Pick<SegmentData, "names" | "nameStart" | "namePlaces"> {
      const sorted = [...places.keys()].sort();
      const nameStart = new Uint32Array(sorted.length + 1);
      const flat: number[] = [];
      for (const [index, name] of sorted.entries()) {
        for (const place of places.get(name) ?? []) flat.push(place);
        nameStart[index + 1] = flat.length;
      }
      return { names: joinTexts(sorted), nameStart, namePlaces: Uint32Array.from(flat) };
    },
  };
}

/**
 * Collects postings (which chunk contains which term how often) in the order of the blobs, and sorts them by term at
 * the end.
 */
function collectPostings() {
  const numbers = new Map<string, number>();
  const names: string[] = [];
  const counts: number[] = [];
  let term = new Uint32Array(65_536);
  let chunk = new Uint32Array(65_536);
  let count = new Uint8Array(65_536);
  let length = 0;
  const push = (t: number, c: number, n: number): void => {
    if (length === term.length) {
      term = doubleCapacity(term);
      chunk = doubleCapacity(chunk);
      const larger = new Uint8Array(count.length * 2);
      larger.set(count);
      count = larger;
    }
    term[length] = t;
    chunk[length] = c;
    count[length] = Math.min(n, 255);
    length++;
  };
  return {
    read(bytes: Uint8Array, firstChunk: number) {
      const from = length;
      const features = decodeFeatures(bytes, (t, c, n) => push(t, firstChunk + c, n));
      const global = features.terms.map((name) => {
        const known = numbers.get(name);
        if (known !== undefined) return known;
        numbers.set(name, names.length);
        counts.push(0);
        return names.push(name) - 1;
      });
      for (let at = from; at < length; at++) {
        const number = global[term[at] ?? 0] ?? 0;
        term[at] = number;
        counts[number] = (counts[number] ?? 0) + 1;
      }
      return features;
    },
    sorted: () => sortPostings(names, counts, { term, chunk, count, length }),
  };
}

function sortPostings(
  names: readonly string[],
  counts: readonly number[],
  stream: { term: Uint32Array; chunk: Uint32Array; count: Uint8Array; length: number },
) {
  const order = Uint32Array.from(names.keys()).sort((a, b) => {
    const left = names[a] ?? "";
    const right = names[b] ?? "";
    return left < right ? -1 : left > right ? 1 : 0;
  });
  const postingStart = new Uint32Array(names.length + 1);
  const next = new Uint32Array(names.length);
  for (let rank = 0, at = 0; rank < order.length; rank++) {
    const number = order[rank] ?? 0;
    next[number] = at;
    at += counts[number] ?? 0;
    postingStart[rank + 1] = at;
  }
  const postingChunk = new Uint32Array(stream.length);
  const postingCount = new Uint8Array(stream.length);
  for (let i = 0; i < stream.length; i++) {
    const number = stream.term[i] ?? 0;
    const at = next[number] ?? 0;
    next[number] = at + 1;
    postingChunk[at] = stream.chunk[i] ?? 0;
    postingCount[at] = stream.count[i] ?? 0;
  }
  const terms = joinTexts(Array.from(order, (number) => names[number] ?? ""));
  return { terms, postingStart, postingChunk, postingCount };
}

function doubleCapacity(array: Uint32Array<ArrayBuffer>): Uint32Array<ArrayBuffer> {
  const larger = new Uint32Array(array.length * 2);
  larger.set(array);
  return larger;
}
