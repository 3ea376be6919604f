import { sampleLines } from "./common-prefix.ts";
import { prefixCandidates } from "./learned-prefix.ts";
import type { PrefixCandidate } from "./learned-prefix.ts";

/** How much is understood of lines: more where more of them are a known tool's. A name of a file that begins with a remainder is spoilt. */
export type ReadLines = (lines: readonly string[], remainders: readonly RegExp[]) => number;

/** Only lines that may hold something to be found tell whether a prefix hides it: a word of failure, a place. */
const WORTH_READING =
  /error|fail|warn|exception|panic|assert|passed|cannot|could not|✗|✘|✖|×|not ok|\.\w{1,5}[:(]\d/i;
/** What stands before the first such line belongs to the sample. */
const BEFORE = 2_000;
const MAX_SAMPLE = 128 * 1024;
/** Each attempt reads a sample several times; a log that yields nothing is not tried over and over. */
const MAX_ATTEMPTS = 3;
/** Nor is one looked through for something to read that begins with so many stretches without it. */
const MAX_LOOKS = 12;
const TIE = 0.01;
/** The share of lines by which a prefix that was learned is still there. */
const SHARE = 0.8;

/**
 * Learns a prefix whose shape nobody knows: one that nearly all lines share and without which more of them is understood. So neither a
 * tool's own indentation nor a word that all its lines begin with is taken for a wrapper's.
 */
export class PrefixLearner {
  readonly #read: ReadLines;
  #learned: RegExp | undefined;
  #attempts = 0;
  #looks = 0;

  constructor(read: ReadLines) {
    this.#read = read;
  }

  /** The prefix of the lines of this stretch of the log, if there is one. `unwrap` takes off those of known shapes. */
  learn(text: string, unwrap: (lines: readonly string[]) => string[]): RegExp | undefined {
    const isOver = this.#attempts >= MAX_ATTEMPTS || this.#looks >= MAX_LOOKS;
    if (isOver && this.#learned === undefined) return undefined;
    const first = unwrap(sampleLines(text));
    if (this.#learned !== undefined && hasPrefix(first, this.#learned)) return this.#learned;
    if (isOver || prefixCandidates(first).length === 0) return undefined;
    this.#looks++;
    const worth = text.length <= MAX_SAMPLE ? 0 : text.search(WORTH_READING);
    if (worth < 0) return undefined;
    const from = text.lastIndexOf("\n", Math.max(0, worth - BEFORE)) + 1;
    // A report may be one long line.
    const end = text.indexOf("\n", from + MAX_SAMPLE);
    const lines = unwrap(text.slice(from, end < 0 ? undefined : end).split("\n"));
    this.#learned = this.#try(lines, prefixCandidates(lines));
    return this.#learned;
  }

  #try(lines: readonly string[], candidates: readonly PrefixCandidate[]): RegExp | undefined {
    if (candidates.length === 0) return undefined;
    this.#attempts++;
    const all = candidates.map((one) => one.expression);
    // Of lines that are all indented, and understood as well without, the indentation is a wrapper's.
    const spoilers = [...all, ...candidates.flatMap((one) => one.remainders)];
    let best = this.#read(lines, spoilers) - (all.some((one) => one.test("")) ? TIE : 0);
    let chosen: RegExp | undefined;
    for (const { expression, remainders } of candidates) {
      const stripped = lines.map((line) => line.replace(expression, ""));
      const understood = this.#read(stripped, remainders);
      if (understood <= best) continue;
      best = understood;
      chosen = expression;
    }
    return chosen;
  }
}

function hasPrefix(lines: readonly string[], prefix: RegExp): boolean {
  return lines.filter((line) => prefix.test(line)).length >= lines.length * SHARE;
}
