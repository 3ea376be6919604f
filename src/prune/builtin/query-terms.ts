import { stemOf } from "../../index/text/stems.ts";
import { scanWords, termsOfIdentifier } from "../../index/text/terms.ts";
import { abbreviationsOf, STOP_WORDS } from "../../index/text/words.ts";

/**
 * How well a word matches a word of the question if both have the same stem or one is an abbreviation, compared with 1
 * for the same word.
 */
const SAME_STEM_FIT = 0.6;
const ABBREVIATION_FIT = 0.5;

/** The words that matter in a question, numbered from 0. */
export interface QueryTerms {
  readonly count: number;
  /**
   * Returns which word of the question a term of the text matches, and how well: 1 for the same word, less for the same
   * stem or an abbreviation.
   */
  match(term: string): { readonly wish: number; readonly fit: number } | undefined;
}

/** Splits a question into distinct words and parts of identifiers, without stop words. */
export function parseQueryTerms(question: string): QueryTerms {
  const stems = new Map<string, number>();
  const exact = new Map<string, number>();
  scanWords(question, 0, question.length, (word) => {
    if (STOP_WORDS.has(word.toLowerCase())) return;
    for (const term of termsOfIdentifier(word)) {
      if (STOP_WORDS.has(term)) continue;
      const stem = stemOf(term);
      const wish = stems.get(stem) ?? stems.size;
      stems.set(stem, wish);
      exact.set(term, wish);
    }
  });
  const short = new Map<string, number>();
  for (const [term, wish] of exact)
    for (const other of abbreviationsOf(term)) if (!exact.has(other)) short.set(other, wish);
  // A stem starts with the same letters as its words, so only words with a matching prefix need to be stemmed.
  const beginnings = new Set([...stems.keys()].map(prefixOf));
  return {
    count: stems.size,
    match(term) {
      const asked = exact.get(term);
      if (asked !== undefined) return { wish: asked, fit: 1 };
      const same = beginnings.has(prefixOf(term)) ? stems.get(stemOf(term)) : undefined;
      if (same !== undefined) return { wish: same, fit: SAME_STEM_FIT };
      const other = short.get(term);
      return other === undefined ? undefined : { wish: other, fit: ABBREVIATION_FIT };
    },
  };
}

function prefixOf(word: string): string {
  return word.slice(0, 3);
}
