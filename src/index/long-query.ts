import { stretchesOf, type Zone } from "./issue-text.ts";
import { foldName, partsOfIdentifier, scanWords } from "./terms.ts";
import { STOP_WORDS } from "./words.ts";

/** What an issue text says, each word by the best place where it stands. */
export interface LongQuery {
  /** The words that count, in order, with repetitions. */
  readonly words: readonly string[];
  /** How much each word counts. */
  readonly weights: ReadonlyMap<string, number>;
  /** Names, folded, with how much each counts. */
  readonly names: ReadonlyMap<string, number>;
}

/** A block is mostly the reporter's own program or its output; a form is everybody's. */
const WORD_WEIGHTS: Readonly<Record<Zone, number>> = {
  title: 1.8,
  prose: 1,
  code: 1.2,
  block: 0.3,
  frame: 0.5,
  form: 0,
};

/** What a program calls is seldom what is wrong. */
const NAME_WEIGHTS: Readonly<Record<Zone, number>> = {
  title: 1.5,
  prose: 1,
  code: 1,
  block: 0,
  frame: 0,
  form: 0,
};

/** Reads an issue text: which of its words and names count, and how much. */
export function readLongQuery(text: string): LongQuery {
  const words: string[] = [];
  const weights = new Map<string, number>();
  const names = new Map<string, number>();
  for (const { zone, text: stretch } of stretchesOf(text)) {
    if (WORD_WEIGHTS[zone] === 0) continue;
    scanWords(stretch, 0, stretch.length, (word) => {
      if (STOP_WORDS.has(word.toLowerCase())) return;
      words.push(word);
      raise(weights, word, WORD_WEIGHTS[zone]);
      if (NAME_WEIGHTS[zone] > 0 && isName(word, zone)) raise(names, foldName(word), NAME_WEIGHTS[zone]);
    });
  }
  return { words, weights, names };
}

function raise(weights: Map<string, number>, word: string, weight: number): void {
  weights.set(word, Math.max(weights.get(word) ?? 0, weight));
}

/** A capital begins every sentence; only between backticks is it a name's. */
function isName(word: string, zone: Zone): boolean {
  return partsOfIdentifier(word).length > 1 || (zone === "code" && word.length > 2 && /^[A-Z]/.test(word));
}
