import { stemOf } from "../../index/stems.ts";
import { scanWords, termsOfIdentifier } from "../../index/terms.ts";
import { STOP_WORDS } from "../../index/words.ts";

/** How far a word with the same stem counts as the asked word. */
const SAME_STEM = 0.6;

/** One thing asked for: terms of the text that stand for it, with their weights. */
export interface Wish {
  readonly term: string;
  readonly stem: string;
}

/** The terms that a question is about: each part of each identifier once, without the words that every question has. */
export function wishesOf(question: string): readonly Wish[] {
  const wishes = new Map<string, Wish>();
  scanWords(question, 0, question.length, (word) => {
    if (STOP_WORDS.has(word.toLowerCase())) return;
    for (const term of termsOfIdentifier(word)) {
      const stem = stemOf(term);
      if (!STOP_WORDS.has(term) && !wishes.has(stem)) wishes.set(stem, { term, stem });
    }
  });
  return [...wishes.values()];
}

/** How well a term of the text fits a wish: 1 exactly, less by its stem, 0 not at all. */
export function fit(wish: Wish, term: string, stem: string): number {
  if (wish.term === term) return 1;
  return wish.stem === stem ? SAME_STEM : 0;
}
