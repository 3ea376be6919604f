import type { LogLine } from "../../model/run.ts";
import type { RecentLines } from "../engine/recent-lines.ts";
import type { Line } from "../tool.ts";

/** Number of lines that are kept from before the report of a failed build. */
const KEPT_LINES = 20;

/** Literal texts with which build tools begin to report that a command failed; what failed was printed above. */
export const REPORT_SIGNATURES: readonly string[] = [
  "Reactor Summary",
  "BUILD FAILURE",
  "FAILURE: Build ",
  "npm ERR!",
  "npm error",
  "ELIFECYCLE",
  ": *** ",
  "error Command failed",
  "lerna ERR!",
];

const REPORT =
  /^(?:\[INFO\] (?:Reactor Summary\b|BUILD FAILURE)|FAILURE: Build (?:failed|completed) with |npm (?:ERR!|error) |\s?ELIFECYCLE\s|make(?:\[\d+\])?: \*\*\* |error Command failed\b|lerna ERR! )/;

/** Matches lines without information: rules, empty log lines, and headings of Maven's plugins that did nothing. */
const EMPTY = /^(?:\[\w{1,8}\] ?)?[-=*\s]*$/;

/** Keeps the lines above the report of a failed build, because a tool without a known format explains the failure there. */
export class LastWords {
  readonly #recent: RecentLines;
  #lines: readonly LogLine[] = [];
  #reportedAt = 0;

  constructor(recent: RecentLines) {
    this.#recent = recent;
  }

  /** Reads a line with one of `REPORT_SIGNATURES`, before it is added to the buffer of recent lines. */
  observe({ text, number }: Line): void {
    if (!REPORT.test(text)) return;
    const isContinued = this.#reportedAt > 0 && number - this.#reportedAt <= KEPT_LINES;
    this.#reportedAt = number;
    if (isContinued) return;
    this.#lines = this.#recent
      .last(2 * KEPT_LINES)
      .filter((line) => !EMPTY.test(line.text))
      .slice(-KEPT_LINES);
  }

  /** Drops lines from `from` on, because what printed them was successful. */
  overrule(from: number): void {
    if ((this.#lines[0]?.number ?? 0) >= from) this.#lines = [];
  }

  get lines(): readonly LogLine[] {
    return this.#lines;
  }
}
