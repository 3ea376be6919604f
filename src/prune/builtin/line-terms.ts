import { MAX_LINE_LENGTH, scanWords, termsOfIdentifier } from "../../index/text/terms.ts";

/** The terms (lowercase words and parts of identifiers) of a text, each represented by a number, line by line. */
export interface LineTerms {
  /** The term numbers of all lines one after another, including repetitions. */
  readonly ids: readonly number[];
  /** For each line, the index in `ids` where its terms start; one more entry marks the end of the last line. */
  readonly starts: Uint32Array;
  /** The text of each term, at the index that is its number. */
  readonly terms: readonly string[];
}

/** Splits every line into terms once and numbers them, so that scoring compares numbers instead of strings. */
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
    // Only the start of a very long line is read; otherwise the many words of data and minified code would outweigh the
    // rest.
    scanWords(line, 0, Math.min(line.length, MAX_LINE_LENGTH), add);
    starts[index + 1] = ids.length;
  }
  return { ids, starts, terms };
}
