import type { TestFailure } from "../../../model/test-summary.ts";
import { countsFromTotal } from "../../parsing/counts.ts";
import type { Line, LineParser, Sink, TestCounts } from "../../tool.ts";
import { continuesCrash, isCrash, readCrash } from "../go/panic.ts";
import { firstOwnGoFrame } from "../../traces/go-frames.ts";
import type { Crash } from "../go/panic.ts";
import { crashLine, toFailure } from "./failure.ts";
import { GotestsumList } from "./gotestsum-list.ts";
import type { Test } from "./failure.ts";

/** Matches the result of a test. Go 1.4 and older write `(0.00 seconds)`. */
const OUTCOME = /^\s*--- (FAIL|PASS|SKIP|BENCH): (\S+)(?: \(([\d.]+)(?:s| seconds)\))?$/;
const STARTED = /^=== (RUN|CONT|NAME|PAUSE) +(\S*)$/;
const PACKAGE = /^(ok|FAIL|\?|---) {0,4}\s+(\S+)\s+(?:([\d.]+)s|(\(cached\))|(\[.+\]))(.*)$/;
const DONE =
  /^DONE (?:(\d{1,6}) runs, )?(\d{1,9}) tests?(?:, (\d{1,9}) skipped)?(?:, (\d{1,9}) failures?)?(?:, (\d{1,9}) errors?)? in ([\d.]{1,14})s$/;
const NOISE =
  /^(?:PASS|FAIL|coverage: .*|testing: warning: no tests to run|=== (?:Skipped|Failed|Errors)|\s*\S+\s+coverage: [\d.]+% of statements|(?:PASS|FAIL|SKIP|EMPTY) \S+(?: \([\d.]+s\))?|[✓✖∅] {2}\S+(?: .*)?|WARN invalid TestEvent.*|bad output from test2json.*)$/;

/**
 * Matches lines that may be the output of a package: neither blank nor the heading of another package's compiler
 * output.
 */
const PACKAGE_OUTPUT = /^\s*(?!# )\S/;

/** Reads the text output of go test, quiet or verbose, also as gotestsum shows and summarizes it. */
export function goTestParser(sink: Sink): LineParser {
  const reader = new GoTestReader(sink);
  return { take: ({ text }: Line) => reader.take(text), end: () => reader.end() };
}

class GoTestReader {
  readonly #sink: Sink;
  #tests = new Map<string, Test>();
  #current: Test | undefined;
  #crash: string[] | undefined;
  #race: { readonly lines: string[]; open: boolean } | undefined;
  #content: string[] = [];
  #failures: TestFailure[] = [];
  #counts = { passed: 0, failed: 0, skipped: 0 };
  #seconds: number[] = [];
  #isActive = false;
  /** True if tests are named as they start or pass (`-v`); otherwise only packages are said to pass. */
  #isVerbose = false;
  #packages = 0;
  /** True if the package whose output is being read has crashed. */
  #isCrashed = false;
  /** True if the package whose output is being read has said that all its tests ended. */
  #isOver = false;
  /** True if the package whose result is being read had no tests to run. */
  #isEmpty = false;
  /**
   * A crash that was printed before any line of go test. It belongs to another program unless a package's result
   * follows.
   */
  #orphan: Crash | undefined;
  /**
   * A crash of a program other than go test that has ended, so that a package result further below does not belong to
   * it.
   */
  #died: Crash | undefined;
  readonly #list = new GotestsumList();
  /** The counts in gotestsum's last closing line; it prints another one if it runs failed tests again. */
  #totals: (TestCounts & { readonly total: number; readonly skipped: number }) | undefined;
  /** True if gotestsum's closing line provided the counts. */
  #hasTotals = false;

  constructor(sink: Sink) {
    this.#sink = sink;
  }

  take(text: string): boolean {
    if (this.#inCrash(text) || this.#inRace(text)) return true;
    const done = DONE.exec(text);
    if (done !== null) return this.#close(done);
    if (this.#list.take(text)) {
      this.#isActive = true;
      return true;
    }
    const outcome = OUTCOME.exec(text);
    // Go always prints how long a test took; a line without a duration was printed by a test.
    const isOutcome = outcome !== null && (outcome[3] !== undefined || outcome[1] === "BENCH");
    if (isOutcome) return this.#outcome(outcome[1] ?? "", outcome[2] ?? "");
    const started = STARTED.exec(text);
    if (started !== null) return this.#start(started[2] ?? "", started[1] === "RUN");
    const pack = PACKAGE.exec(text);
    if (pack !== null && this.#isPackage(pack)) return this.#readPackage(pack);
    if (isCrash(text)) {
      this.#crash = [text];
      return true;
    }
    if (text === "WARNING: DATA RACE") {
      this.#race = { lines: [], open: true };
      return true;
    }
    return this.#readLine(text);
  }

  end(): void {
    this.#closeCrash();
    this.#list.close();
    this.#closePackage(undefined, undefined);
    for (const failure of this.#reported()) this.#sink.failure(failure);
    this.#reportTotals();
    if (this.#died !== undefined) this.#panicked(this.#died);
    this.#outside();
    const { passed, failed, skipped } = this.#counts;
    if (this.#hasTotals || passed + failed + skipped + this.#packages === 0) return;
    const [seconds, more] = this.#seconds;
    this.#sink.summary({
      passed,
      failed,
      skipped,
      ...(this.#isVerbose || passed + failed === 0 ? {} : { passedArePackages: true }),
      ...(seconds === undefined || more !== undefined ? {} : { durationMs: Math.round(seconds * 1000) }),
    });
  }

  /** Reports a crash of a program that was not a test. */
  #outside(): void {
    if (this.#isActive) return;
    if (this.#orphan !== undefined && this.#died === undefined) this.#panicked(this.#orphan);
    const race = this.#race?.lines;
    if (race !== undefined)
      this.#sink.diagnostic({
        severity: "error",
        message: ["DATA RACE", ...race.slice(0, 1)].join("\n"),
        ...firstOwnGoFrame(race),
      });
  }

  #panicked({ message, place }: Crash): void {
    this.#sink.diagnostic({ severity: "error", message, ...place, code: "panic" });
  }

  #start(name: string, isNew: boolean): boolean {
    this.#isActive = true;
    this.#isVerbose = true;
    if (name === "") return true;
    const test = this.#test(name);
    // With `-count` a test starts again.
    if (isNew && test.status !== "FAIL") test.status = "running";
    this.#current = test;
    return true;
  }

  #test(name: string): Test {
    const known = this.#tests.get(name);
    if (known !== undefined) return known;
    const test: Test = { name, status: "running", lines: [] };
    this.#tests.set(name, test);
    return test;
  }

  #outcome(word: string, name: string): boolean {
    this.#isActive = true;
    this.#isVerbose ||= word === "PASS";
    const test = this.#test(name);
    // With `-count` a test has several results, of which one failure is enough.
    if ((word === "FAIL" || word === "PASS" || word === "SKIP") && test.status !== "FAIL") test.status = word;
    this.#current = test;
    return true;
  }

  #readLine(text: string): boolean {
    this.#isOver ||= text === "PASS" || text === "FAIL";
    if (NOISE.test(text)) return this.#isActive || /^(?:PASS|FAIL)$/.test(text);
    if (!this.#isActive) return false;
    if (/^(?:exit status \d+|signal: .*|panic: .*|\*\*\* Test killed.*)$/.test(text)) {
      this.#content.push(text);
      return true;
    }
    const current = this.#current;
    const log = /^\s*[^\s:][^:]*\.go:\d+: /.test(text) || /^\s*[^\s:][^:]*\.go:\d+:\s*$/.test(text);
    const example = current?.name.startsWith("Example") === true && current.status === "FAIL";
    const belongs =
      current !== undefined && (log || example || (/^\s{4,}/.test(text) && current.lines.length > 0));
    if (belongs && current.lines.length < 500) current.lines.push(text);
    else if (!belongs && PACKAGE_OUTPUT.test(text) && this.#content.length < 40) this.#content.push(text);
    return belongs || text.trim() === "";
  }

  /** Returns whether the line is a package's result: the name must look like a package, or go test must be running. */
  #isPackage([, word = "", name = ""]: RegExpExecArray): boolean {
    return this.#isActive || word === "?" || /[./]/.test(name) || word === "ok";
  }

  #readPackage(match: RegExpExecArray): boolean {
    const [, word = "", name = "", seconds, , bracket, rest = ""] = match;
    if (word === "---") return false;
    this.#isActive = true;
    this.#packages++;
    this.#closeCrash();
    if (seconds !== undefined) this.#seconds.push(Number(seconds));
    const empty = word === "?" || bracket !== undefined || rest.includes("[no tests to run]");
    if (word === "ok" && !empty && this.#tests.size === 0) this.#counts.passed++;
    this.#isEmpty = empty;
    this.#closePackage(name, word === "FAIL" ? (bracket ?? "FAIL") : undefined);
    return true;
  }

  /** Reports the tests of a package that has ended; `verdict` is its result if it failed. */
  #closePackage(pack: string | undefined, verdict: string | undefined): void {
    let failed = 0;
    this.#tellOutcomes(pack, verdict);
    for (const test of this.#tests.values()) {
      if (test.status === "PASS") this.#counts.passed++;
      if (test.status === "SKIP") this.#counts.skipped++;
      // A test that started but never ended was running when its package failed.
      if (
        test.status !== "FAIL" &&
        !(test.status === "running" && verdict !== undefined && isLeaf(test, this.#tests))
      )
        continue;
      failed++;
      this.#counts.failed++;
      this.#failures.push(toFailure(test, pack, this.#race?.lines));
    }
    if (verdict !== undefined && failed === 0) this.#failedPackage(pack ?? "", verdict);
    this.#tests = new Map();
    this.#current = undefined;
    if (this.#isActive) this.#race = undefined;
    this.#isOver = false;
    this.#content = [];
  }

  /** Reports passed tests and completed packages. Without `-v` only failed tests are named, but a package that did not crash ran to completion. */
  #tellOutcomes(pack: string | undefined, verdict: string | undefined): void {
    const tests = [...this.#tests.values()];
    const file = pack === undefined ? {} : { file: pack };
    for (const { name, status } of tests) {
      if (status === "PASS") this.#sink.outcome({ name, result: "passed", ...file });
      if (status === "SKIP") this.#sink.outcome({ name, result: "skipped", ...file });
    }
    const isVerbose = tests.some(({ status }) => status === "PASS");
    const crashed = this.#isCrashed || tests.some(({ status }) => status === "running");
    this.#isCrashed = false;
    const ended =
      (verdict === undefined && !this.#isEmpty) || (verdict === "FAIL" && tests.length > 0 && !crashed);
    if (pack === undefined || !ended) return;
    const skipped = tests.filter(({ status }) => status === "SKIP").length;
    this.#sink.ranFile({ file: pack, ...(isVerbose ? { skipped } : {}) });
  }

  #failedPackage(pack: string, verdict: string): void {
    const reason = /^\[(.+)\]$/.exec(verdict)?.[1];
    const message = reason ?? (this.#content.join("\n").trim() || "failed");
    const place = this.#orphan?.place;
    this.#orphan = undefined;
    this.#died = undefined;
    this.#failures.push({
      kind: "suite",
      name: pack,
      message,
      ...(place === undefined ? {} : { file: place.file }),
      ...(place?.line === undefined ? {} : { line: place.line }),
      rerun: `go test ${pack}`,
    });
  }

  #inCrash(text: string): boolean {
    if (this.#crash === undefined) return false;
    if (!PACKAGE.test(text) && continuesCrash(text)) {
      if (this.#crash.length < 5_000) this.#crash.push(text);
      return true;
    }
    this.#closeCrash();
    return false;
  }

  #closeCrash(): void {
    const lines = this.#crash;
    this.#crash = undefined;
    if (lines === undefined) return;
    this.#isCrashed = true;
    const crash = readCrash(lines);
    const name = this.#failedTest(crash.test);
    if (name === undefined) {
      this.#content.push(`panic: ${crash.message}`);
      this.#orphan = crash;
      if (lines.some((line) => /^exit status \d+$/.test(line))) this.#died = crash;
      return;
    }
    const test = this.#test(name);
    test.status = "FAIL";
    test.lines.unshift(crashLine(crash.message, crash.place));
  }

  /**
   * Finds the test that a crash belongs to: the one in its stack, otherwise the one that was running. A crash after all
   * tests have ended, in `TestMain` or in a function that a test left running, belongs to the package.
   */
  #failedTest(inStack: string | undefined): string | undefined {
    const running = this.#current;
    const isRunning = running?.status === "running";
    if (isRunning && (inStack === undefined || running.name.startsWith(inStack))) return running.name;
    if (inStack === "TestMain") return undefined;
    return inStack ?? (this.#isOver ? undefined : running?.name);
  }

  #inRace(text: string): boolean {
    if (this.#race?.open !== true) return false;
    if (/^={18}$/.test(text)) this.#race.open = false;
    else this.#race.lines.push(text);
    return true;
  }

  /** Returns each failure once. gotestsum lists at the end what it showed before, with shorter package names. */
  #reported(): readonly TestFailure[] {
    const listed = this.#list.failures;
    if (listed === undefined) return this.#failures;
    const suites = listed.filter((failure) => failure.kind === "suite");
    const others = this.#failures.filter(
      ({ kind, name }) => kind === "suite" && !suites.some((suite) => sameEnd(name, suite.name)),
    );
    return [...listed, ...others];
  }

  #close(match: RegExpExecArray): boolean {
    this.#current = undefined;
    const [runs = 0, total = 0, skipped = 0, failed = 0, errors = 0, seconds = 0] = match
      .slice(1)
      .map((part: string | undefined) => Number(part ?? 0));
    // If the list of failures was cut off, nothing tells which of them were left by the last run.
    if (runs > 1 && failed > 0 && this.#list.failures === undefined) return true;
    this.#hasTotals = true;
    const left = this.#list.settle(Math.max(1, runs)).filter((failure) => failure.kind === "test").length;
    const suites = this.#reported().filter((failure) => failure.kind === "suite").length;
    if (runs < 2) this.#reportTotals();
    // The counts of further runs contain those before them; the tests are those of the first run.
    const first = runs < 2 ? undefined : this.#totals;
    this.#totals = {
      ...countsFromTotal(first?.total ?? total, {
        failed: runs < 2 ? failed : left,
        skipped: first?.skipped ?? skipped,
      }),
      failedSuites: suites,
      unhandledErrors: suites > 0 ? 0 : Math.min(1, errors),
      durationMs: Math.round(seconds * 1000),
    };
    return true;
  }

  #reportTotals(): void {
    if (this.#totals !== undefined) this.#sink.summary(this.#totals);
    this.#totals = undefined;
  }
}

function sameEnd(name: string, short: string): boolean {
  return name === short || name.endsWith(`/${short}`);
}

/** Returns whether the test has no subtests; a parent has nothing of its own to report while it runs. */
function isLeaf(test: Test, tests: ReadonlyMap<string, Test>): boolean {
  for (const name of tests.keys()) if (name.startsWith(`${test.name}/`)) return false;
  return true;
}
