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
  "returned a non-zero code",
  "did not complete successfully",
  "executor failed running",
];

const REPORT =
  /^(?:\[INFO\] (?:Reactor Summary\b|BUILD FAILURE)|FAILURE: Build (?:failed|completed) with |npm (?:ERR!|error) |\s?ELIFECYCLE\s|make(?:\[\d+\])?: \*\*\* |error Command failed\b|lerna ERR! )/;

/** Matches docker's report of a failed instruction, by BuildKit, by the classic builder and by Compose around either of them. */
const DOCKER_REPORT =
  /^(?:#\d{1,6} )?(?:ERROR: |error: )?(?:Service '.{1,200}' failed to build ?: |target .{1,200}: |failed to (?:build|solve): ){0,3}(?:The command '.{1,4000}' returned a non-zero code: \d|process ".{1,4000}" did not complete successfully|executor failed running \[)/;

/** Matches the line above the output of an instruction of a Dockerfile. */
const DOCKER_STEP =
  /^(?:Step \d{1,5}(?:\/\d{1,5})? : | ?---> Running in |#\d{1,6} \[| ?> \[.{1,4000}\] .{1,4000}:$)/;

/** Matches what BuildKit itself prints about an instruction, between the lines of the command. */
const DOCKER_NOISE = /^#\d{1,6} (?:sha256:|CACHED$|DONE \d|\.\.\.$)/;

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
    const isDocker = DOCKER_REPORT.test(text);
    if (!isDocker && !REPORT.test(text)) return;
    const isContinued = this.#reportedAt > 0 && number - this.#reportedAt <= KEPT_LINES;
    this.#reportedAt = number;
    if (isContinued) return;
    const before = this.#recent.last(2 * KEPT_LINES);
    this.#lines = (isDocker ? instructionOutput(before) : before)
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

/** Returns what the failed instruction of a Dockerfile printed; a line of dashes ends BuildKit's quotation of it. */
function instructionOutput(lines: readonly LogLine[]): readonly LogLine[] {
  const printed = lines.slice(lines.findLastIndex(({ text }) => DOCKER_STEP.test(text)) + 1);
  const end = printed.findIndex(({ text }) => text === "------");
  return printed.slice(0, end < 0 ? undefined : end).filter(({ text }) => !DOCKER_NOISE.test(text));
}
