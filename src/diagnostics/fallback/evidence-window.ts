import type { LogEvidence } from "../../model/log-evidence.ts";
import type { LogLine } from "../../model/run.ts";
import { asLogLine } from "../engine/recent-lines.ts";
import type { RecentLines } from "../engine/recent-lines.ts";
import type { Line } from "../tool.ts";
import { strengthOf, successOf } from "./evidence-strength.ts";
import type { Strength } from "./evidence-strength.ts";

/** Number of lines that are kept before a line about a failure and, with `AFTER`, after it. */
const BEFORE = 2;
const AFTER = 4;
const MAX_WINDOW = 3 * (BEFORE + AFTER);
/**
 * Number of passages about failures that are kept from the start of the log and from its end: causes come first,
 * closing lines last.
 */
const FIRST_WINDOWS = 2;
const LAST_WINDOWS = 4;
/** Number of lines that are always kept from the start of the log and, with `TAIL_LINES`, from its end. */
const HEAD_LINES = 3;
const TAIL_LINES = 10;

/**
 * The strengths of evidence for a failure, the strongest last. When stronger evidence appears, weaker evidence is
 * dropped.
 */
const RANKS: readonly LogEvidence["strength"][] = ["hint", "error", "item", "verdict"];

/** Finds lines that indicate a failure, whatever tool wrote them, and keeps the lines around the strongest ones. */
export class EvidenceWindow {
  readonly #recent: RecentLines;
  #head: readonly LogLine[] | undefined;
  #windows: LogLine[][] = [];
  /** Number of lines that may still be added to the last passage about a failure. */
  #room = 0;
  #strength: LogEvidence["strength"] | undefined;
  #count = 0;
  #lastFailure = 0;
  #lastSuccess = 0;
  /** The number of the first line that counts as evidence. */
  #since = 0;

  constructor(recent: RecentLines) {
    this.#recent = recent;
  }

  /**
   * Takes a line that indicates neither failure nor success. Every line is passed to this class before it is added to
   * the buffer of recent lines.
   */
  pass(line: Line): void {
    if (this.#room > 0) this.#extend(line);
    if (this.#head === undefined && this.#recent.count > HEAD_LINES)
      this.#head = this.#recent.last(HEAD_LINES);
  }

  /** Takes a line with one of `SUCCESS_SIGNATURES` and none of `FAILURE_SIGNATURES`. */
  passSuccess(line: Line): void {
    this.#take(line, successOf(line.text.slice(0, 1_000)), true);
  }

  /** Rates a line with one of `FAILURE_SIGNATURES`. If a tool's parser accepted the line, a mere mention of an error does not count. */
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

  /** Drops what was found since a line, because the build that printed it was successful. */
  overrule(from: number): void {
    if (this.#since >= from) this.#forget();
  }

  /** Returns the evidence found, or undefined if nothing in the log indicates a failure. */
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
    if (this.#strength === undefined) this.#since = line.number;
    this.#strength = strength;
    this.#count++;
    const open = this.#room > 0 ? this.#windows.at(-1) : undefined;
    if (open === undefined) {
      this.#windows.push([...this.#recent.last(BEFORE), asLogLine(line)]);
      if (this.#windows.length > FIRST_WINDOWS + LAST_WINDOWS) this.#windows.splice(FIRST_WINDOWS, 1);
      this.#room = AFTER;
    } else {
      open.push(asLogLine(line));
      // Consecutive lines about failures form one passage, whose length is bounded.
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
