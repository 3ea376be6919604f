import type { Budget } from "../kernel/budget.ts";
import { pluralize } from "../kernel/pluralize.ts";
import type { Excerpt, LogLine, LogName } from "../model/run.ts";
import { cutExcerpt, cutText } from "./run/excerpt.ts";
import { withMark } from "./files/line-page.ts";
import type { RunCalls } from "./run/run-calls.ts";

/** The fields of a JSON reply while it is put together. */
export type Fields = Record<string, unknown>;

/** A text of a reply, and how much of it there is room for. */
export interface OutputText {
  readonly excerpt: Excerpt | undefined;
  readonly tokens: number;
  /** The stream whose lines its numbers count; absent: both. */
  readonly stream?: LogName;
  /** Only lines from the end, and no mark among them. */
  readonly endOnly?: boolean;
}

/** What is left out of a list or a text. */
interface Cut {
  readonly shown: number;
  readonly total: number;
  /** The lines of the log that hold the rest, as arguments of the call that shows it. */
  readonly log?: { readonly startLine: number; readonly endLine: number; readonly stream?: LogName };
}

/** Less room than this holds no line of a text, only the mark of what was cut. */
const LEAST_TEXT = 20;

/** Counts what the budget still holds while the object grows. */
export class Room {
  readonly cut: Record<string, Cut> = {};
  readonly #lists = new Map<string, Cut>();
  readonly #budget: Budget;
  readonly #calls: RunCalls;

  constructor(budget: Budget, fields: Fields, { lean, calls }: { lean: boolean; calls: RunCalls }) {
    this.#budget = budget;
    this.#calls = calls;
    budget.reserve(`${JSON.stringify(fields)}${" hint and truncated".repeat(lean ? 3 : 6)}`);
  }

  /** As many items as fit; the rest is counted under the name, over all lists of that name. */
  fit<T>(name: string, items: readonly T[], total = items.length): T[] {
    const fitting = this.#budget.fit(items, (item) => `${JSON.stringify(item)},`);
    const before = this.#lists.get(name) ?? { shown: 0, total: 0 };
    const sum = { shown: before.shown + fitting.length, total: before.total + total };
    this.#lists.set(name, sum);
    if (sum.shown < sum.total) this.cut[name] = sum;
    return fitting;
  }

  /** As much of a text as fits; the rest is counted under the name. */
  fitText(name: string, { excerpt: given, tokens, stream, endOnly = false }: OutputText): string | undefined {
    if (given === undefined || given.total === 0) return undefined;
    const excerpt = endOnly ? { ...given, first: [], last: [...given.first, ...given.last] } : given;
    const most = Math.min(tokens, this.tokens * 0.9);
    const write = (line: LogLine): string => withMark(line, (one) => this.#calls.restOf(one, stream));
    const cut = cutExcerpt(excerpt, { tokens: most < LEAST_TEXT ? 0 : most, write });
    const { head, tail, gap } = cut;
    if (gap !== undefined) {
      const log = { startLine: gap.from, endLine: gap.to, ...(stream === undefined ? {} : { stream }) };
      this.cut[name] = { shown: head.length + tail.length, total: excerpt.total, log };
    }
    if (most < LEAST_TEXT) return undefined;
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
