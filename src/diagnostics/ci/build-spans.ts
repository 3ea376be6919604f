import type { PassedSpan } from "../../model/ci-outcome.ts";
import { asLogLine } from "../engine/recent-lines.ts";
import type { Line } from "../tool.ts";

/** Upper bound on the successful builds that are kept; no real log has more, and errors in further ones count. */
const MAX_SPANS = 1_000;

interface BuildDriver {
  /** Matches a line that the tool prints only at the start of a build. */
  readonly start: RegExp;
  readonly passed: RegExp;
  readonly failed: RegExp;
}

/**
 * Tools that run other tools and judge the build as a whole. They print the errors of a plugin or of a program under test even if the build
 * does not depend on them, so only their verdict tells whether the errors matter.
 */
const DRIVERS: readonly BuildDriver[] = [
  {
    // Maven.
    start: /^\[INFO\] Scanning for projects\.\.\.$/,
    passed: /^\[INFO\] BUILD SUCCESS(?:FUL)?$/,
    failed: /^\[(?:INFO|ERROR)\] BUILD (?:FAILURE|ERROR)$/,
  },
  {
    // Gradle, of which old versions print a task as `:compileJava`.
    start:
      /^(?:Starting a Gradle Daemon|Welcome to Gradle |To honour the JVM settings|> Configure project|> Task :|:[A-Za-z][\w:-]{0,150}(?: (?:UP-TO-DATE|FROM-CACHE|NO-SOURCE|SKIPPED))?$)/,
    passed: /^BUILD SUCCESSFUL(?: in .{1,40})?$/,
    failed: /^BUILD FAILED(?: in .{1,40})?$/,
  },
  { start: /^Buildfile: \S/, passed: /^BUILD SUCCESSFUL$/, failed: /^BUILD FAILED$/ },
];

/** Literal texts, one of which occurs in every line that starts or ends a build. */
export const BUILD_SIGNATURES: readonly string[] = [
  "Scanning for projects...",
  "BUILD SUCCESS",
  "BUILD FAIL",
  "BUILD ERROR",
  "Starting a Gradle Daemon",
  "Welcome to Gradle ",
  "To honour the JVM settings",
  "> Configure project",
  "> Task :",
  ":compile",
  ":clean",
  ":preBuild",
  ":prepare",
  ":buildSrc",
  ":build",
  "Buildfile: ",
];

/** Finds the builds in a log that their build tool declared successful. */
export class BuildSpans {
  /** The first lines of the builds that have not ended yet; a build may run another one inside. */
  readonly #open = DRIVERS.map((): number[] => []);
  readonly passed: PassedSpan[] = [];

  /** Reads a line with one of `BUILD_SIGNATURES`. Returns the span of the build that it ends with success. */
  observe(whole: Line): PassedSpan | undefined {
    const { number } = whole;
    const line = whole.text.trimEnd();
    for (const [index, driver] of DRIVERS.entries()) {
      const open = this.#open[index] ?? [];
      if (driver.start.test(line)) this.#begin(open, driver, number);
      else if (driver.failed.test(line)) open.pop();
      else if (driver.passed.test(line)) {
        const from = open.pop();
        if (from === undefined || this.passed.length >= MAX_SPANS) continue;
        const span = { from, verdict: asLogLine(whole) };
        this.passed.push(span);
        return span;
      }
    }
    return undefined;
  }

  /** Called when a command starts: builds that are still open were ended from outside and have no verdict. */
  startCommand(): void {
    for (const open of this.#open) open.length = 0;
  }

  /** Gradle prints many lines that can be the first, Maven and Ant exactly one for each build. */
  #begin(open: number[], driver: BuildDriver, number: number): void {
    if (open.length === 0 || driver !== DRIVERS[1]) open.push(number);
  }
}
