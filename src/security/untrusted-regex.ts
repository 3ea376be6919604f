import { setFlagsFromString } from "node:v8";
import { type PatternBudget, PatternThread } from "../kernel/patterns/pattern-thread.ts";

let isEnabled = false;

/**
 * Compiles a regular expression from an untrusted source, such as a repository's config or a caller's glob. A V8 flag
 * makes expressions that backtrack too often fall back to the linear engine, which supports everything except
 * look-around, back references and large counts. The flag is never reset, because V8 compiles an expression only when
 * it is first used.
 */
export function compileUntrusted(source: string, flags: "" | "s" = ""): RegExp {
  enableLinearEngine();
  return new RegExp(source, flags);
}

function enableLinearEngine(): void {
  if (isEnabled) return;
  isEnabled = true;
  setFlagsFromString("--enable-experimental-regexp-engine-on-excessive-backtracks");
  setFlagsFromString("--enable-experimental-regexp-engine");
}

/** A regular expression whose time is limited. */
export interface BoundedPattern {
  /** The groups of the first match; undefined if there is none, or if the time is used up. */
  exec(text: string): readonly (string | undefined)[] | undefined;
}

/**
 * Regular expressions of a user, which share a time budget. Those that the linear engine supports run here; all others
 * run in a thread that is ended when their time is used up.
 */
export class BoundedPatterns {
  readonly #thread: PatternThread;

  constructor(budget: PatternBudget) {
    this.#thread = new PatternThread(budget);
  }

  /** True if the patterns have used up their time; those in the thread match nothing any more. */
  get isExhausted(): boolean {
    return this.#thread.isExhausted;
  }

  /** Compiles a pattern. Throws if it is not valid. */
  compile(source: string): BoundedPattern {
    const expression = compileUntrusted(source);
    if (isLinear(source)) return { exec: (text) => expression.exec(text) ?? undefined };
    const pattern = this.#thread.add({ source, flags: "" });
    return { exec: (text) => this.#thread.exec(pattern, text) };
  }

  close(): void {
    this.#thread.close();
  }
}

/** The flag of V8 for expressions that must run on its linear engine. */
const LINEAR_FLAG: string = "l";

/** Checks whether V8's linear engine supports an expression; only then does it accept the flag `l`. */
export function isLinear(source: string): boolean {
  enableLinearEngine();
  try {
    void new RegExp(source, LINEAR_FLAG);
    return true;
  } catch {
    // The expression needs backtracking, or this version of V8 has no linear engine.
    return false;
  }
}
