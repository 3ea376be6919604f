import { asNumber, asObject, asText, parseJson } from "../../parsing/json.ts";
import type { Line, LineParser, Sink } from "../../tool.ts";
import { readFailure } from "./block.ts";
import { beginPanic } from "../cargo/panic.ts";

const RUNNING =
  /^ {0,8}(?:Running (?:unittests )?(.+) \(.+\)|Doc-tests (\S+)|Running (?:unittests )?(\S+\.rs|target\S*))$/;
const BEGIN = /^running (\d{1,9}) (?:tests?|benchmarks?)$/;
const OUTCOME =
  /^test (.+?)(?: - (?:should panic|compile|compile fail))? \.\.\. (ok|FAILED|failed|ignored.*|bench: .*)(?: <.*>)?$/;
const STARTED = /^test (.+?)(?: - should panic)? \.\.\. ?(.*)$/;
const QUIET = /^(.+) --- FAILED$/;
const DOTS = /^[.iF]+(?: \d+\/\d+)?$/;
const BLOCK = /^---- (.+) (?:stdout|stderr|stdout\/stderr) ----$/;
const RESULT =
  /^test result: (?:ok|FAILED|failed)\. (\d{1,9}) passed; (\d{1,9}) failed;?(?: (\d{1,9}) ignored;)?(?: (\d{1,9}) measured;)?(?: (\d{1,9}) filtered out)?(?:; finished in ([\d.]{1,12})s)?/;
const RERUN =
  /^error: (?:(?:test|doctest|bench) failed, to rerun pass|\d{1,6} targets? failed:?|test run failed)/;
const DOC_TEST = /^(.+) - .*\(line (\d{1,7})\)(?: - .*)?$/;

type State = "outside" | "tests" | "blocks" | "successes" | "targets";

/** Reads libtest's output as cargo test prints it, for all test programs of a run. */
export function cargoTestParser(sink: Sink): LineParser {
  const reader = new LibtestReader(sink);
  return { take: ({ text }: Line) => reader.take(text), end: () => reader.end() };
}

class LibtestReader {
  readonly #sink: Sink;
  #state: State = "outside";
  #target = "";
  #block: { readonly name: string; readonly lines: string[] } | undefined;
  /**
   * The test that is running and whose output is not captured, so it is printed between the test's name and its result.
   */
  #open: { readonly name: string; readonly lines: string[] } | undefined;
  readonly #failed = new Set<string>();
  readonly #reported = new Set<string>();
  #crash: string[] | undefined;
  /** Number of results of a test program so far, used if the program never prints its result line. */
  #seen = { passed: 0, failed: 0, skipped: 0 };
  #announced = 0;

  constructor(sink: Sink) {
    this.#sink = sink;
  }

  take(text: string): boolean {
    if (readTestEvent(text, this.#sink)) return true;
    if (this.#crash !== undefined && this.#readCrashLine(text)) return true;
    const running = RUNNING.exec(text);
    if (running !== null) return this.#begin(running);
    const begin = BEGIN.exec(text);
    if (begin !== null) {
      this.#finish();
      this.#unfinished();
      this.#announced = Number(begin[1]);
      this.#state = "tests";
      return true;
    }
    const result = RESULT.exec(text);
    if (result !== null) return this.#readResult(result);
    if (RERUN.test(text)) return this.#readRerun(text);
    if (this.#state === "targets") return /^ {4}`/.test(text) || this.#leave();
    return this.#state === "outside" ? this.#startMidRun(text) : this.#readInside(text);
  }

  end(): void {
    this.#closeCrash();
    this.#finish();
    this.#unfinished();
  }

  #count(outcome: string): void {
    if (outcome === "ok") this.#seen.passed++;
    else if (outcome.startsWith("ignored")) this.#seen.skipped++;
    else if (/^failed$/i.test(outcome)) this.#seen.failed++;
  }

  #unfinished(): void {
    const { passed, failed, skipped } = this.#seen;
    this.#seen = { passed: 0, failed: 0, skipped: 0 };
    const ended = passed + failed + skipped;
    if (ended > 0) this.#sink.summary({ passed, failed, skipped, isPartial: true });
    // If the program was killed or its output is cut off, the run does not count as passed, even if no test has failed
    // so far.
    if (ended < this.#announced && failed === 0)
      this.#sink.failure({
        kind: "suite",
        name: this.#target || "test program",
        message: `the output ends after ${ended} of ${this.#announced} tests`,
      });
    this.#announced = 0;
  }

  #begin(match: RegExpExecArray): boolean {
    this.#finish();
    this.#state = "outside";
    this.#target = match[2] === undefined ? targetFlag(match[1] ?? match[3] ?? "") : "--doc";
    return true;
  }

  #leave(): boolean {
    this.#state = "outside";
    return false;
  }

  /** Starts reading in the middle of a run, because the beginning of the log is missing. */
  #startMidRun(text: string): boolean {
    if (text !== "failures:" && !OUTCOME.test(text) && !BLOCK.test(text)) return false;
    this.#state = "tests";
    return this.#readInside(text);
  }

  #readInside(text: string): boolean {
    if (text === "failures:" || text === "successes:") {
      this.#closeBlock();
      this.#state = text === "failures:" ? "blocks" : "successes";
      return true;
    }
    // The output of passed tests, which `--show-output` prints, is skipped.
    if (this.#state === "successes") return true;
    const block = BLOCK.exec(text);
    if (block !== null) {
      this.#closeBlock();
      this.#state = "blocks";
      this.#block = { name: testName(block[1] ?? ""), lines: [] };
      return true;
    }
    if (this.#block !== undefined) {
      this.#block.lines.push(text);
      return true;
    }
    if (this.#state === "blocks") return this.#readName(text);
    return this.#readTestLine(text);
  }

  /** Reads a name in the list of failed tests that follows their outputs. */
  #readName(text: string): boolean {
    if (text.trim() === "") return true;
    if (/^ {4}\S/.test(text)) {
      const name = testName(text.trim());
      if (!this.#reported.has(name)) this.#failed.add(name);
      return true;
    }
    return this.#readTestLine(text);
  }

  #readTestLine(text: string): boolean {
    const outcome = OUTCOME.exec(text);
    if (outcome !== null) {
      this.#open = undefined;
      const [, name = "", word = ""] = outcome;
      this.#count(word);
      if (/^failed$/i.test(word)) this.#failed.add(testName(name));
      else if (word === "ok") this.#sink.outcome({ name: testName(name), result: "passed" });
      else if (word.startsWith("ignored")) this.#sink.outcome({ name: testName(name), result: "skipped" });
      return true;
    }
    const quiet = QUIET.exec(text);
    if (quiet !== null) {
      this.#failed.add(testName(quiet[1] ?? ""));
      return true;
    }
    if (DOTS.test(text)) return true;
    const started = STARTED.exec(text);
    if (started !== null) {
      this.#open = { name: testName(started[1] ?? ""), lines: [started[2] ?? ""] };
      return true;
    }
    return this.#readOutput(text);
  }

  /** Reads output that was not captured. It belongs to the test that is running, or to the test that panics next. */
  #readOutput(text: string): boolean {
    if (/^(?:ok|FAILED)$/.test(text) && this.#open !== undefined) {
      if (text === "FAILED") this.#report(this.#open.name, this.#open.lines);
      else this.#sink.outcome({ name: this.#open.name, result: "passed" });
      this.#open = undefined;
      return true;
    }
    if (this.#open === undefined) {
      const panic = beginPanic(text);
      if (panic === undefined) return text.trim() === "";
      this.#open = { name: panic.thread, lines: [] };
    }
    if (this.#open.lines.length < 2_000) this.#open.lines.push(text);
    return true;
  }

  #closeBlock(): void {
    const block = this.#block;
    this.#block = undefined;
    if (block !== undefined) this.#report(block.name, block.lines);
  }

  #report(name: string, lines: readonly string[]): void {
    this.#reported.add(name);
    this.#failed.delete(name);
    const doc = DOC_TEST.exec(name);
    const { column, ...details } = readFailure(lines);
    this.#sink.failure({
      kind: "test",
      name,
      ...details,
      ...(column === undefined || doc !== null ? {} : { column }),
      ...(doc === null ? {} : { file: doc[1] ?? "", line: Number(doc[2]) }),
      rerun: rerunOf(this.#target, name),
    });
  }

  #readResult(match: RegExpExecArray): boolean {
    this.#finish();
    this.#announced = 0;
    this.#seen = { passed: 0, failed: 0, skipped: 0 };
    const [, passed, failed, ignored = 0, , , seconds] = match;
    this.#sink.summary({
      passed: Number(passed),
      failed: Number(failed),
      skipped: Number(ignored),
      ...(seconds === undefined ? {} : { durationMs: Math.round(Number(seconds) * 1000) }),
    });
    this.#state = "outside";
    return true;
  }

  /**
   * Reads the line with which cargo names the test program to run again. A program that ended without its result line
   * has crashed, so its tests do not count as passed.
   */
  #readRerun(text: string): boolean {
    if (this.#state === "outside" || this.#state === "targets") this.#state = "targets";
    else {
      this.#finish();
      this.#crash = [text];
    }
    return true;
  }

  #readCrashLine(text: string): boolean {
    if (text.trim() !== "" && text !== "Caused by:" && !text.startsWith("  ")) {
      this.#closeCrash();
      return false;
    }
    if (text.trim() !== "" && text !== "Caused by:") this.#crash?.push(text.trim());
    return true;
  }

  #closeCrash(): void {
    const lines = this.#crash;
    this.#crash = undefined;
    if (lines === undefined) return;
    this.#announced = 0;
    this.#unfinished();
    this.#state = "outside";
    const cause = lines.slice(1).join("\n") || "the test program ended before its result line";
    this.#sink.failure({ kind: "suite", name: this.#target || "test program", message: cause });
  }

  /** Ends a test program and reports the failed tests that it named but whose output it never printed. */
  #finish(): void {
    this.#closeBlock();
    if (this.#open !== undefined && this.#failed.has(this.#open.name))
      this.#report(this.#open.name, this.#open.lines);
    this.#open = undefined;
    for (const name of this.#failed) this.#report(name, []);
    this.#failed.clear();
    this.#reported.clear();
  }
}

/** Removes the words that result lines of should-panic and doc tests append to the name. */
function testName(text: string): string {
  return text.replace(/ - (?:should panic|compile|compile fail)$/, "");
}

/** Returns the option that runs a test program again: `--test checkout` for `tests/checkout.rs`. */
function targetFlag(source: string): string {
  const path = source.replaceAll("\\", "/");
  const integration = /(?:^|\/)tests\/([\w-]+)(?:\.rs|\/main\.rs)$/.exec(path);
  if (integration !== null) return `--test ${integration[1] ?? ""}`;
  if (path.endsWith("src/lib.rs")) return "--lib";
  const binary = /src\/bin\/([\w-]+)(?:\.rs|\/main\.rs)$/.exec(path);
  if (binary !== null) return `--bin ${binary[1] ?? ""}`;
  return path.endsWith("src/main.rs") ? "--bins" : "";
}

function rerunOf(target: string, name: string): string {
  if (target === "--doc") return `--doc '${name}'`;
  return `${target === "" ? "" : `${target} `}${name} -- --exact`;
}

const EVENT = /^\{ ?"type": ?"(?:test|suite)", ?"/;

/** Reads a line of libtest's JSON format, which cargo-nextest writes too; returns false for any other line. */
function readTestEvent(text: string, sink: Sink): boolean {
  if (!EVENT.test(text)) return false;
  const event = asObject(parseJson(text));
  const what = asText(event?.["event"]);
  if (event === undefined || what === undefined) return false;
  const name = asText(event["name"]) ?? "";
  if (event["type"] === "test" && (what === "failed" || what === "timeout"))
    sink.failure({
      kind: "test",
      name,
      ...readFailure((asText(event["stdout"]) ?? asText(event["reason"]) ?? what).split("\n")),
      rerun: `${name.replace(/^.*\$/, "")} -- --exact`,
    });
  if (event["type"] === "test" && what === "ok") sink.outcome({ name, result: "passed" });
  if (event["type"] === "test" && what === "ignored") sink.outcome({ name, result: "skipped" });
  if (event["type"] === "suite" && (what === "ok" || what === "failed"))
    sink.summary({
      passed: asNumber(event["passed"]) ?? 0,
      failed: asNumber(event["failed"]) ?? 0,
      skipped: asNumber(event["ignored"]) ?? 0,
      durationMs: Math.round((asNumber(event["exec_time"]) ?? 0) * 1000),
    });
  return true;
}
