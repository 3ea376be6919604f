import { readCounts } from "./summary.ts";

/** Reads the lines of a session. */
interface SessionLines {
  take(text: string): boolean;
  end(): void;
  /** True while the lines are the output of a failed test, whose inner sessions the reader recognizes itself. */
  readonly isInOutput: boolean;
}

/** The title may follow the name of a test, whose output it is: `test_a.py::test_b ==== test session starts ====`. */
const START = /(?:^|[^=])={3,} test session starts ={3,}\s*$/;
const ROOT = /^rootdir: (.*)$/;
/** The folder in which pytest's own fixtures, such as `pytester`, run a session. */
const FIXTURE_ROOT = /[\\/]pytest-of-[^\\/]+[\\/]/;
/** The most lines of a session before it names its folder. */
const MAX_HEAD = 20;
/** The most lines of inner sessions that are kept; if there are more, they are read like any others. */
const MAX_KEPT = 20_000;

/**
 * Leaves out the sessions that tests of pytest and of its plugins run, because the session around them counts those
 * tests. If the log ends before that session has given its counts, they are read after all.
 */
export class InnerSessions {
  readonly #reader: SessionLines;
  #isOpen = false;
  /** The lines of a session that started inside another one. */
  #held: string[] | undefined;
  /** How many inner sessions have started and not ended. */
  #depth = 0;
  #left: string[] = [];

  constructor(reader: SessionLines) {
    this.#reader = reader;
  }

  take(text: string): boolean {
    const isStart = START.test(text);
    if (this.#held !== undefined) {
      this.#hold(this.#held, text, isStart);
      return true;
    }
    if (isStart && this.#isOpen && !this.#reader.isInOutput) {
      this.#held = [text.slice(text.indexOf("==="))];
      return true;
    }
    if (isStart) this.#isOpen = true;
    else if (!this.#reader.isInOutput && isEnd(text)) {
      this.#isOpen = false;
      this.#left = [];
    }
    return this.#reader.take(text);
  }

  end(): void {
    this.#release();
    this.#reader.end();
  }

  #hold(held: string[], text: string, isStart: boolean): void {
    held.push(text);
    if (this.#depth === 0) {
      const root = ROOT.exec(text)?.[1];
      if (root !== undefined && FIXTURE_ROOT.test(`${root}/`)) this.#depth = 1;
      else if (root !== undefined || isStart || held.length > MAX_HEAD) this.#release();
    } else if (isStart) this.#depth++;
    else if (isEnd(text) && --this.#depth === 0) {
      this.#left.push(...held);
      this.#held = undefined;
    }
    if (held.length + this.#left.length > MAX_KEPT) this.#release();
  }

  /** Reads what was left out so far. */
  #release(): void {
    const lines = [...this.#left, ...(this.#held ?? [])];
    this.#left = [];
    this.#held = undefined;
    this.#depth = 0;
    for (const text of lines) this.#reader.take(text);
  }
}

function isEnd(text: string): boolean {
  return text.startsWith("=") && readCounts(text) !== undefined;
}
