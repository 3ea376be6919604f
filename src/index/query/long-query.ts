import { splitIssueText, type Zone } from "./issue-text.ts";
import { foldName, partsOfIdentifier, scanWords } from "../text/terms.ts";
import { STOP_WORDS } from "../text/words.ts";

/** What an issue text says, each word by the best place where it stands. */
export interface LongQuery {
  /** The words that count, in order, with repetitions. */
  readonly words: readonly string[];
  /** How much each word counts. */
  readonly weights: ReadonlyMap<string, number>;
  /** Names, folded, with how much each counts. */
  readonly names: ReadonlyMap<string, number>;
  /** The files of its stack traces, innermost first. */
  readonly frames: readonly string[];
}

/** A block is mostly the reporter's own program or its output; a form is everybody's. */
const WORD_WEIGHTS: Readonly<Record<Zone, number>> = {
  title: 1.8,
  prose: 1,
  code: 1.2,
  block: 0.35,
  frame: 0.5,
  form: 0,
};

/** What a program calls is seldom what is wrong. */
const NAME_WEIGHTS: Readonly<Record<Zone, number>> = {
  title: 1.5,
  prose: 1,
  code: 1,
  block: 0.15,
  frame: 0,
  form: 0,
};

/** Reads an issue text: which of its words and names count, and how much. */
export function readLongQuery(text: string): LongQuery {
  const words: string[] = [];
  const weights = new Map<string, number>();
  const names = new Map<string, number>();
  const frames: string[] = [];
  for (const { zone, text: stretch } of splitIssueText(text)) {
    if (WORD_WEIGHTS[zone] === 0) continue;
    if (zone === "frame") frames.push(stretch);
    scanWords(stretch, 0, stretch.length, (word) => {
      if (STOP_WORDS.has(word.toLowerCase())) return;
      words.push(word);
      raiseWeight(weights, word, WORD_WEIGHTS[zone]);
      if (NAME_WEIGHTS[zone] > 0 && isName(word, zone))
        raiseWeight(names, foldName(word), NAME_WEIGHTS[zone]);
    });
  }
  return { words, weights, names, frames: filesOfFrames(frames) };
}

function raiseWeight(weights: Map<string, number>, word: string, weight: number): void {
  weights.set(word, Math.max(weights.get(word) ?? 0, weight));
}

/** A capital begins every sentence; only between backticks is it a name's. */
function isName(word: string, zone: Zone): boolean {
  return partsOfIdentifier(word).length > 1 || (zone === "code" && word.length > 2 && /^[A-Z]/.test(word));
}

/** A file with the line that every language puts after it: `a.py", line 3`, `a.js:3`, `a.php(3)`, `a.cs:line 3`. */
const FRAME_FILE = /(?:[\w@.+-]+[/\\])*[\w@+-][\w@.+-]*\.[A-Za-z]{1,5}(?="?(?:[:(]\d|:line \d|, line \d))/;
/** Where the inner frames come last. */
const PYTHON_FRAME = /^\s*File "/;
/** A recursion that filled the stack has few files. */
const MAX_FRAMES = 100;

function filesOfFrames(frames: readonly string[]): readonly string[] {
  const files = new Set<string>();
  const python = frames.filter((frame) => PYTHON_FRAME.test(frame)).reverse();
  for (const frame of [...python, ...frames]) {
    if (files.size >= MAX_FRAMES) break;
    const file = FRAME_FILE.exec(frame)?.[0];
    if (file !== undefined) files.add(file.replaceAll("\\", "/").replace(/^(?:\.\/)+/, ""));
  }
  return [...files];
}
