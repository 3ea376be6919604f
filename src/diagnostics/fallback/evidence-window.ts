import type { LogEvidence } from "../../model/log-evidence.ts";
import type { LogLine } from "../../model/run.ts";
import { asLogLine } from "../engine/recent-lines.ts";
import type { RecentLines } from "../engine/recent-lines.ts";
import type { Line } from "../tool.ts";
import { strengthOf, successOf } from "./evidence-strength.ts";
import type { Strength } from "./evidence-strength.ts";

/** Lines shown around one that speaks of a failure. */
const BEFORE = 2;
const AFTER = 4;
const MAX_WINDOW = 3 * (BEFORE + AFTER);
/** Of many such places the first and the last are kept: causes come first, closing words last. */
const FIRST_WINDOWS = 2;
const LAST_WINDOWS = 4;
/** How the log begins and ends is kept as well. */
const HEAD_LINES = 3;
const TAIL_LINES = 10;

/** Of stronger lines the weaker ones are forgotten. */
const RANKS: readonly LogEvidence["strength"][] = ["hint", "error", "item", "verdict"];

/** Looks for lines that say that something failed, whatever tool wrote them, and keeps what stands around the strongest. */
export class EvidenceWindow {
  readonly #recent: RecentLines;
  #head: readonly LogLine[] | undefined;
  #windows: LogLine[][] = [];
  /** How many lines may still be added to the last window. */
  #room = 0;
  #strength: LogEvidence["strength"] | undefined;
  #count = 0;
  #lastFailure = 0;
  #lastSuccess = 0;

  constructor(recent: RecentLines) {
    this.#recent = recent;
  }

  /** A line that says nothing. Like the others it is seen before it is among the recent ones. */
  pass(line: Line): void {
    if (this.#room > 0) this.#extend(line);
    if (this.#head === undefined && this.#recent.count > HEAD_LINES)
      this.#head = this.#recent.last(HEAD_LINES);
  }

  /** A line that holds one of `SUCCESS_SIGNATURES`, and none of `FAILURE_SIGNATURES`. */
  praise(line: Line): void {
    this.#take(line, successOf(line.text.slice(0, 1_000)), true);
  }

  /**
   * Weighs a line that holds one of `FAILURE_SIGNATURES`. In one that a tool's parser took, what merely speaks of an error does not count: the
   * parser knows better.
   */
  weigh(line: Line, isTaken: boolean): void {
    this.#take(line, strengthOf(line), isTaken);
  }

  #take(line: Line, strength: Strength, isTaken: boolean): void {
    if (strength === "success" || strength === "all-clear") {
      this.#lastSuccess = line.number;
      if (strength === "all-clear" && this.#strength !== "verdict") this.#forget();
    } else if (strength !== "none" && (strength !== "hint" || !isTaken)) return this.#add(line, strength);
    this.pass(line);
  }

  /** What was seen; undefined where nothing in the log speaks of a failure. */
  evidence(): LogEvidence | undefined {
    if (this.#strength === undefined) return undefined;
    const shown = [...(this.#head ?? []), ...this.#windows.flat(), ...this.#recent.last(TAIL_LINES)];
    const lines = [...new Map(shown.map((line) => [line.number, line])).values()];
    return {
      strength: this.#strength,
      isLastWord: this.#lastFailure > this.#lastSuccess,
      count: this.#count,
      lines: lines.sort((one, other) => one.number - other.number),
    };
  }

  #add(line: Line, strength: LogEvidence["strength"]): void {
    this.#lastFailure = line.number;
    const known = this.#strength === undefined ? -1 : RANKS.indexOf(this.#strength);
    if (RANKS.indexOf(strength) < known) return this.pass(line);
    if (RANKS.indexOf(strength) > known) this.#forget();
    this.#strength = strength;
    this.#count++;
    const open = this.#room > 0 ? this.#windows.at(-1) : undefined;
    if (open === undefined) {
      this.#windows.push([...this.#recent.last(BEFORE), asLogLine(line)]);
      if (this.#windows.length > FIRST_WINDOWS + LAST_WINDOWS) this.#windows.splice(FIRST_WINDOWS, 1);
      this.#room = AFTER;
    } else {
      open.push(asLogLine(line));
      // A long block of them is one place: it must not grow without end.
      this.#room = open.length < MAX_WINDOW ? AFTER : 0;
    }
  }

  #forget(): void {
    this.#strength = undefined;
    this.#windows = [];
    this.#count = 0;
    this.#room = 0;
  }

  #extend(line: Line): void {
    if (line.text.trim() === "") return;
    this.#windows.at(-1)?.push(asLogLine(line));
    this.#room--;
  }
}
