import type { TestCounts } from "../../tool.ts";
import { rareCounts } from "./summary.ts";

const HEAD = /^―{3,} (.+) ―{3,}$/;
const PROGRESS = /^ ?\S.* \d{1,3}% .*[█▉▊▋▌▍▎▏ ]*$|^ \S+\.py (?:✓|⨯|s|x|✗)+/;
const RESULTS = /^Results \(([\d.]{1,12})s(?:\)|[^)]{0,40}\)):$/;
const COUNT = /^ {2,}(\d{1,9}) (passed|failed|error|errors|skipped|xfailed|xpassed|deselected|rerun)$/;

/** The name in the head of a failure as pytest-sugar draws it. */
export function sugarHead(text: string): string | undefined {
  return HEAD.exec(text)?.[1];
}

/** Whether the line is pytest-sugar's progress: it ends the failure shown above it. */
export function isSugarProgress(text: string): boolean {
  return PROGRESS.test(text) && /[█▏✓⨯✗]/.test(text);
}

/** Reads pytest-sugar's closing counts, one to a line. */
export class SugarCounts {
  #seconds: number | undefined;
  #counts: Map<string, number> | undefined;

  /** Whether the line is one of the closing ones. */
  take(text: string): boolean {
    const results = RESULTS.exec(text);
    if (results !== null) {
      this.#seconds = Number(results[1]);
      this.#counts = new Map();
      return true;
    }
    const count = this.#counts === undefined ? null : COUNT.exec(text);
    if (count === null) return this.#counts !== undefined && /^ {9,}- /.test(text);
    this.#counts?.set((count[2] ?? "").replace(/s$/, ""), Number(count[1]));
    return true;
  }

  /** The counts, once there were any. */
  finish(): TestCounts | undefined {
    const counts = this.#counts;
    this.#counts = undefined;
    if (counts === undefined || counts.size === 0) return undefined;
    const of = (what: string): number => counts.get(what) ?? 0;
    return {
      passed: of("passed"),
      failed: of("failed"),
      skipped: of("skipped"),
      total: of("passed") + of("failed") + of("skipped") + of("xfailed") + of("xpassed"),
      ...rareCounts(of),
      failedSuites: of("error"),
      ...(this.#seconds === undefined ? {} : { durationMs: Math.round(this.#seconds * 1000) }),
    };
  }
}
