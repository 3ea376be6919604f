import type { Corpus, SliceBook } from "./corpus.ts";

/** The chunks of a corpus in one list, with where each one is. */
export interface Layout {
  readonly chunks: readonly string[];
  /** For each chunk its file's place in the corpus, its first and its last line. */
  readonly files: Int32Array;
  readonly starts: Int32Array;
  readonly ends: Int32Array;
}

export function layOut(corpus: Corpus, book: SliceBook): Layout {
  const chunks: string[] = [];
  const files: number[] = [];
  const starts: number[] = [];
  const ends: number[] = [];
  for (const [file, { key }] of corpus.files.entries())
    for (const { chunk, lineStart, lineEnd } of book.get(key) ?? []) {
      chunks.push(chunk);
      files.push(file);
      starts.push(lineStart);
      ends.push(lineEnd);
    }
  return {
    chunks,
    files: Int32Array.from(files),
    starts: Int32Array.from(starts),
    ends: Int32Array.from(ends),
  };
}
