import { stemOf } from "../../index/stems.ts";
import { scanWords, termsOfIdentifier } from "../../index/terms.ts";

/** The words of a text, numbered, line by line. */
export interface LineTerms {
  /** Term numbers of each line, repetitions included. */
  readonly lines: readonly (readonly number[])[];
  /** Each term and its stem by number. */
  readonly terms: readonly string[];
  readonly stems: readonly string[];
}

/** Reads the terms of every line once; everything else counts numbers. */
export function termsOfLines(lines: readonly string[]): LineTerms {
  const numbers = new Map<string, number>();
  const words = new Map<string, readonly number[]>();
  const terms: string[] = [];
  const numberOf = (term: string): number => {
    const known = numbers.get(term);
    if (known !== undefined) return known;
    numbers.set(term, terms.length);
    return terms.push(term) - 1;
  };
  const read = (line: string): readonly number[] => {
    const found: number[] = [];
    scanWords(line, 0, line.length, (word) => {
      let ids = words.get(word);
      if (ids === undefined) {
        ids = termsOfIdentifier(word).map(numberOf);
        words.set(word, ids);
      }
      for (const id of ids) found.push(id);
    });
    return found;
  };
  const numbered = lines.map(read);
  return { lines: numbered, terms, stems: terms.map(stemOf) };
}
