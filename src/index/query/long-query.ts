import { splitIssueText, type Zone } from "./issue-text.ts";
import { foldName, partsOfIdentifier, scanWords } from "../text/terms.ts";
import { STOP_WORDS } from "../text/words.ts";

/**
 * The words and names of an issue text (a long query, such as a bug report). The weight of each is that of the best
 * part of the text it occurs in.
 */
export interface LongQuery {
  /** The words to search for in their order, with repetitions. */
  readonly words: readonly string[];
  readonly weights: ReadonlyMap<string, number>;
  /** Names, folded (in lower case, without separators), with their weights. */
  readonly names: ReadonlyMap<string, number>;
  /** The files in the stack traces of the issue text (the bug report), innermost call first. */
  readonly frames: readonly string[];
}

/**
 * Weights of words by the part of the issue text (the bug report) they occur in. Code blocks count little, because they
 * mostly contain the reporter's own program or its output. Form fields do not count, because they are the same in all
 * reports.
 */
const WORD_WEIGHTS: Readonly<Record<Zone, number>> = {
  title: 1.8,
  prose: 1,
  code: 1.2,
  block: 0.35,
  frame: 0.5,
  form: 0,
};

/**
 * Weights of names by the part of the issue text (the bug report) they occur in. In code blocks they count less,
 * because the names that a reporter's program calls are seldom the cause.
 */
const NAME_WEIGHTS: Readonly<Record<Zone, number>> = {
  title: 1.5,
  prose: 1,
  code: 1,
  block: 0.15,
  frame: 0,
  form: 0,
};

/** Parses an issue text (a long query, such as a bug report) into weighted words and names. */
export function readLongQuery(text: string): LongQuery {
  const words: string[] = [];
  const weights = new Map<string, number>();
  const names = new Map<string, number>();
  const frames: string[] = [];
  for (const { zone, text: part } of splitIssueText(text)) {
    if (WORD_WEIGHTS[zone] === 0) continue;
    if (zone === "frame") frames.push(part);
    scanWords(part, 0, part.length, (word) => {
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

/**
 * Returns true if a word looks like a name: it has several parts, or a capital first letter in backticks. Elsewhere a
 * capital proves nothing, because every sentence starts with one.
 */
function isName(word: string, zone: Zone): boolean {
  return partsOfIdentifier(word).length > 1 || (zone === "code" && word.length > 2 && /^[A-Z]/.test(word));
}

/** Matches a file followed by a line number, as in `a.py", line 3`, `a.js:3`, `a.php(3)` and `a.cs:line 3`. */
const FRAME_FILE = /(?:[\w@.+-]+[/\\])*[\w@+-][\w@.+-]*\.[A-Za-z]{1,5}(?="?(?:[:(]\d|:line \d|, line \d))/;
/** Matches a stack frame of Python, which prints the innermost call last. */
const PYTHON_FRAME = /^\s*File "/;
/** Upper bound on the distinct files of a stack trace; even that of a stack overflow has few. */
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
