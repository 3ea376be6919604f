import type { Budget } from "../../kernel/budget.ts";
import { pluralize } from "../../kernel/pluralize.ts";
import type { Excerpt, LogLine, LogName } from "../../model/run.ts";
import { cutExcerpt, cutText } from "./excerpt.ts";
import { withCutMark } from "../files/line-page.ts";
import type { RunCalls } from "./run-calls.ts";

/** The fields of a JSON reply while it is being built. */
export type Fields = Record<string, unknown>;

/** Lines of output for a JSON reply, and the most tokens that they may take. */
export interface OutputText {
  readonly excerpt: Excerpt | undefined;
  readonly tokens: number;
  /** The output stream whose line numbers are used (default: numbers over both streams together). */
  readonly stream?: LogName;
  /** True if only the last lines are shown, without a mark for the lines before them. */
  readonly endOnly?: boolean;
}

/** How much of a list or a text that was cut is shown, and how much there is. */
interface Cut {
  readonly shown: number;
  readonly total: number;
  /** The lines of the log that were cut, as arguments of the call that shows them. */
  readonly log?: { readonly startLine: number; readonly endLine: number; readonly stream?: LogName };
}

/**
 * The fewest tokens for which a text is shown at all. With fewer, there would be room only for the mark that says what
 * was cut.
 */
const MIN_TEXT_TOKENS = 20;

/** Fits lists and texts into a JSON reply within its budget, and counts what does not fit. */
export class JsonBudget {
  readonly cut: Record<string, Cut> = {};
  readonly #lists = new Map<string, Cut>();
  readonly #budget: Budget;
  readonly #calls: RunCalls;

  constructor(budget: Budget, fields: Fields, { lean, calls }: { lean: boolean; calls: RunCalls }) {
    this.#budget = budget;
    this.#calls = calls;
    budget.reserve(`${JSON.stringify(fields)}${" hint and truncated".repeat(lean ? 3 : 6)}`);
  }

  /**
   * Returns the items that fit. The sizes of all lists with the same name are added up, so that `cut` says how many
   * items are missing.
   */
  fit<T>(name: string, items: readonly T[], total = items.length): T[] {
    const fitting = this.#budget.fit(items, (item) => `${JSON.stringify(item)},`);
    const before = this.#lists.get(name) ?? { shown: 0, total: 0 };
    const sum = { shown: before.shown + fitting.length, total: before.total + total };
    this.#lists.set(name, sum);
    if (sum.shown < sum.total) this.cut[name] = sum;
    return fitting;
  }

  /** Returns the part of a text that fits, and records under the name how many lines were cut. */
  fitText(name: string, { excerpt: given, tokens, stream, endOnly = false }: OutputText): string | undefined {
    if (given === undefined || given.total === 0) return undefined;
    const excerpt = endOnly ? { ...given, first: [], last: [...given.first, ...given.last] } : given;
    const maxTokens = Math.min(tokens, this.tokens * 0.9);
    const write = (line: LogLine): string => withCutMark(line, (one) => this.#calls.restOf(one, stream));
    const cut = cutExcerpt(excerpt, { tokens: maxTokens < MIN_TEXT_TOKENS ? 0 : maxTokens, write });
    const { head, tail, gap } = cut;
    if (gap !== undefined) {
      const log = { startLine: gap.from, endLine: gap.to, ...(stream === undefined ? {} : { stream }) };
      this.cut[name] = { shown: head.length + tail.length, total: excerpt.total, log };
    }
    if (maxTokens < MIN_TEXT_TOKENS) return undefined;
    if (endOnly && head.length + tail.length === 0) return undefined;
    const text = cutText(
      endOnly ? { head, tail } : cut,
      write,
      ({ lines, from, to }) => `… ${pluralize(lines, "line")} cut (${from}-${to})`,
    );
    this.#budget.reserve(JSON.stringify(text));
    return text;
  }

  get tokens(): number {
    return this.#budget.remainingTokens;
  }
}
