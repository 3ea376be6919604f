import { stemOf } from "../../index/text/stems.ts";
import { scanWords, termsOfIdentifier } from "../../index/text/terms.ts";
import { abbreviationsOf, STOP_WORDS } from "../../index/text/words.ts";

/** How far a word with the same stem counts as the asked word, and a short or long form of it. */
const SAME_STEM = 0.6;
const SHORT_FORM = 0.5;

/** What a question asks for: each word of it is a wish with a number. */
export interface Wishes {
  readonly count: number;
  /** The wish that a term of the text fulfils and how well: 1 exactly, less by its stem. */
  match(term: string): { readonly wish: number; readonly fit: number } | undefined;
}

/** The wishes of a question: each part of each identifier once, without the words that every question has. */
export function wishesOf(question: string): Wishes {
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
  // A stem is the beginning of its words, so most words need not be stemmed to know that they do not fit.
  const beginnings = new Set([...stems.keys()].map(beginningOf));
  return {
    count: stems.size,
    match(term) {
      const asked = exact.get(term);
      if (asked !== undefined) return { wish: asked, fit: 1 };
      const same = beginnings.has(beginningOf(term)) ? stems.get(stemOf(term)) : undefined;
      if (same !== undefined) return { wish: same, fit: SAME_STEM };
      const other = short.get(term);
      return other === undefined ? undefined : { wish: other, fit: SHORT_FORM };
    },
  };
}

function beginningOf(word: string): string {
  return word.slice(0, 3);
}
