import { Worker } from "node:worker_threads";
import { assetPath } from "../assets.ts";

/** A regular expression that runs in the thread. */
export interface ThreadPattern {
  readonly source: string;
  readonly flags: string;
}

/** The states of the shared memory. One side waits until the other side has changed the state. */
export const STATE = { starting: 0, idle: 1, asked: 2, answered: 3 } as const;
/** The places of the numbers in the shared memory: the state, the pattern, the text's length, the answer's length. */
export const SLOT = { state: 0, pattern: 1, textLength: 2, answerLength: 3, answer: 4 } as const;
const MAX_ANSWER_SLOTS = 400;
/** The longest text that is matched; a longer one does not match. */
const MAX_TEXT = 64 * 1024;
const MAX_START_MS = 10_000;

export interface ThreadMemory {
  readonly numbers: Int32Array;
  readonly text: Uint16Array;
}

export interface PatternBudget {
  /** The longest time of one match, and of all of them together. */
  readonly callMs: number;
  readonly totalMs: number;
}

/**
 * Runs regular expressions that may take exponential time in a thread of its own. The caller waits, but never longer than
 * the budget allows; after that the thread is ended and nothing matches any more.
 */
export class PatternThread {
  readonly #patterns: ThreadPattern[] = [];
  readonly #callMs: number;
  #left: number;
  #worker: Worker | undefined;
  #memory: ThreadMemory | undefined;

  constructor({ callMs, totalMs }: PatternBudget) {
    this.#left = totalMs;
    this.#callMs = callMs;
  }

  /** True if the patterns have used up their time. */
  get isExhausted(): boolean {
    return this.#left <= 0;
  }

  /** Adds a pattern before the first call of `exec`, and returns its number. */
  add(pattern: ThreadPattern): number {
    return this.#patterns.push(pattern) - 1;
  }

  /** The text of each group of the first match, like `RegExp.exec`. */
  exec(pattern: number, text: string): readonly (string | undefined)[] | undefined {
    if (this.isExhausted || text.length > MAX_TEXT) return undefined;
    const { numbers, text: letters } = (this.#memory ??= this.#start());
    for (let at = 0; at < text.length; at++) letters[at] = text.charCodeAt(at);
    numbers[SLOT.pattern] = pattern;
    numbers[SLOT.textLength] = text.length;
    const begun = performance.now();
    Atomics.store(numbers, SLOT.state, STATE.asked);
    Atomics.notify(numbers, SLOT.state);
    const waited = Atomics.wait(numbers, SLOT.state, STATE.asked, Math.min(this.#callMs, this.#left));
    this.#left -= performance.now() - begun;
    if (waited === "timed-out") {
      this.#left = 0;
      this.close();
      return undefined;
    }
    const length = numbers[SLOT.answerLength] ?? 0;
    if (length === 0) return undefined;
    return Array.from({ length: length / 2 }, (_, group) => {
      const [from = -1, to = -1] = numbers.subarray(SLOT.answer + 2 * group, SLOT.answer + 2 * group + 2);
      return from < 0 ? undefined : text.slice(from, to);
    });
  }

  /** Ends the thread; the next call starts a new one. */
  close(): void {
    void this.#worker?.terminate();
    this.#worker = undefined;
    this.#memory = undefined;
  }

  #start(): ThreadMemory {
    const memory = {
      numbers: new Int32Array(new SharedArrayBuffer(4 * (SLOT.answer + MAX_ANSWER_SLOTS))),
      text: new Uint16Array(new SharedArrayBuffer(2 * MAX_TEXT)),
    };
    this.#worker = new Worker(assetPath("pattern-worker.js"), {
      workerData: { ...memory, patterns: this.#patterns },
    });
    this.#worker.unref();
    // The time that the thread needs to start does not count, because a busy machine must not turn patterns off.
    Atomics.wait(memory.numbers, SLOT.state, STATE.starting, MAX_START_MS);
    return memory;
  }
}
