import { MAX_LINE_LENGTH, scanWords, termsOfIdentifier } from "../../index/text/terms.ts";

/** The words of a text, numbered, line by line. */
export interface LineTerms {
  /** Term numbers of all lines one after the other, repetitions included. */
  readonly ids: readonly number[];
  /** Where in `ids` each line begins; one more entry says where the last one ends. */
  readonly starts: Uint32Array;
  /** Each term by its number. */
  readonly terms: readonly string[];
}

/** Reads the terms of every line once; everything else counts numbers. */
export function termsOfLines(lines: readonly string[]): LineTerms {
  const numbers = new Map<string, number>();
  const words = new Map<string, readonly number[]>();
  const terms: string[] = [];
  const ids: number[] = [];
  const starts = new Uint32Array(lines.length + 1);
  const numberOf = (term: string): number => {
    const known = numbers.get(term);
    if (known !== undefined) return known;
    numbers.set(term, terms.length);
    return terms.push(term) - 1;
  };
  const add = (word: string): void => {
    let found = words.get(word);
    if (found === undefined) {
      found = termsOfIdentifier(word).map(numberOf);
      words.set(word, found);
    }
    for (const id of found) ids.push(id);
  };
  for (const [index, line] of lines.entries()) {
    // The words of data and minified code would drown the others.
    scanWords(line, 0, Math.min(line.length, MAX_LINE_LENGTH), add);
    starts[index + 1] = ids.length;
  }
  return { ids, starts, terms };
}
