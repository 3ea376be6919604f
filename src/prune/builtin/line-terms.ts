import { MAX_LINE_LENGTH, scanWords, termsOfIdentifier } from "../../index/text/terms.ts";

/** The terms of a text as numbers, line by line. */
export interface LineTerms {
  /** Concatenated term numbers of all lines, including repetitions. */
  readonly ids: readonly number[];
  /** Start of each line in `ids`, with an extra entry for the end. */
  readonly starts: Uint32Array;
  /** The terms by their numbers. */
  readonly terms: readonly string[];
}

/** Splits every line into terms once; all scoring works on the numbers. */
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
    // Words of data and minified code would outweigh the others.
    scanWords(line, 0, Math.min(line.length, MAX_LINE_LENGTH), add);
    starts[index + 1] = ids.length;
  }
  return { ids, starts, terms };
}
