import type { LogLine } from "../../model/run.ts";
import { asLogLine } from "../engine/recent-lines.ts";
import { strengthOf } from "../fallback/evidence-strength.ts";
import type { Strength } from "../fallback/evidence-strength.ts";
import type { Line } from "../tool.ts";
import { LineTemplates } from "./line-template.ts";

/** Upper bound on the new lines that are kept; the last ones are nearest to the failure. */
const MAX_KEPT = 2_000;
/** The number of new lines that a reply shows. */
const MAX_SHOWN = 12;
const RANKS: readonly Strength[] = ["verdict", "item", "error", "hint", "none", "success", "all-clear"];

/** What a log has that the log of a passing run of the same job does not have. */
export interface NewLinesFound {
  readonly count: number;
  /** The new lines that speak most of a failure, in the order of the log. */
  readonly lines: readonly LogLine[];
}

/** Collects the lines of a log that have no counterpart in the log of a passing run. */
export class NewLines {
  readonly #passing: LineTemplates;
  readonly #own = new LineTemplates();
  #kept: LogLine[] = [];
  #count = 0;

  constructor(passing: LineTemplates) {
    this.#passing = passing;
  }

  take(line: Line): void {
    if (line.text.trim() === "" || this.#passing.has(line.text) || this.#own.has(line.text)) return;
    this.#own.add(line.text);
    this.#count++;
    this.#kept.push(asLogLine(line));
    if (this.#kept.length >= 2 * MAX_KEPT) this.#kept = this.#kept.slice(-MAX_KEPT);
  }

  found(): NewLinesFound {
    const rankOf = (line: LogLine): number => RANKS.indexOf(strengthOf(line));
    const ranked = this.#kept
      .map((line) => ({ line, rank: rankOf(line) }))
      .sort((one, other) => one.rank - other.rank || one.line.number - other.line.number);
    return {
      count: this.#count,
      lines: ranked
        .slice(0, MAX_SHOWN)
        .map(({ line }) => line)
        .sort((one, other) => one.number - other.number),
    };
  }
}
