import { countsFromTotal } from "../../parsing/counts.ts";
import { finishedFailure, MAX_MESSAGE_LINES } from "../../parsing/draft.ts";
import type { FailureDraft } from "../../parsing/draft.ts";
import { javaFrame, placeAtFrame, setJavaMessage } from "../../traces/java-trace.ts";
import type { Sink } from "../../tool.ts";
import type { Level } from "./checks.ts";

export interface SureFire {
  take(level: Level, text: string): boolean;
  end(): void;
  /** True while tests are running; what they print does not come from Maven. */
  readonly running: boolean;
  /** True if a failed test was seen or counted. */
  readonly failed: boolean;
}

const COUNTS =
  /^Tests run: {0,3}(\d+), Failures: {0,3}(\d+), Errors: {0,3}(\d+)(?:, Skipped: {0,3}(\d+))?(?:, Flakes: \d+)?(?:, Time elapsed: ([\d.,]+) (s|sec|ms))?(.*)$/;
const BANNER = /^ ?T E S T S$/;
/** Matches `name(com.acme.CartTest)  Time elapsed: …`, since 3.0 `com.acme.CartTest.name -- Time elapsed: …`. */
const FAILED = /^(.{1,2000}?) {1,2}(?:-- )?Time elapsed: ([\d.,]+) (?:s|sec|ms)\b {1,2}<<< (FAILURE|ERROR)!/;
const RESULTS = /^Results ?:$/;
/** Matches the class whose tests were counted: ` -- in com.acme.CartTest`. */
const IN_CLASS = / --? in ([\w.$]{1,400})$/;
const LIST_HEAD = /^(?:Failed tests|Tests in error|Failures|Errors|Flakes) ?: ?$/;
/** Matches the name of a test that ran several times, above the result of each run: `com.acme.CartTest.total`, before 3.0 with the class again. */
const RETRIED = /^([\w$.]{1,400}\.[\w$]{1,300})(?:\([\w.$]{1,400}\))?$/;
const ATTEMPT = /^ {2}Run \d{1,4}: /;
/** The most failures of a module that are held until its list tells which of them passed in a later run. */
const MAX_HELD = 5_000;
const OLD_LIST_ENTRY = /^(Failed tests|Tests in error): (.*)$/;
const LIST_ENTRY =
  /^ {2}([\w$>#[\](),-]{1,300}\.[\w$.>#[\](),-]{1,300})(?::(\d+)|:)?(?:->\S{1,300})?(?: (?:» )?(.*))?$/;

type Part = "between" | "running" | "failure" | "list";

/** Reads the output of the test plugins surefire and failsafe, versions 2 and 3. */
export function sureFire(sink: Sink): SureFire {
  const state = new SureFireState(sink);
  return {
    take: (level, text) => state.take(level, text),
    end: () => state.end(),
    get running() {
      return state.part === "running" || state.part === "failure";
    },
    get failed() {
      return state.anyFailed;
    },
  };
}

class SureFireState {
  part: Part = "between";
  anyFailed = false;
  readonly #sink: Sink;
  readonly #known = new Set<string>();
  readonly #listed: FailureDraft[] = [];
  /** The failed runs of tests in this module; some of the tests may pass when they are run again. */
  #shown: FailureDraft[] = [];
  /** The tests that ran several times, and whether one of the runs was successful. */
  readonly #retried = new Map<string, "flaky" | "failed">();
  #isFlakeList = false;
  #failure: FailureDraft | undefined;
  /** The class whose tests were counted last. Before 3.0 the tests of JUnit 5 below the counts are named without it. */
  #owner: string | undefined;
  #inTrace = false;
  #sums = emptySums();
  #seconds = 0;

  constructor(sink: Sink) {
    this.#sink = sink;
  }

  take(level: Level, text: string): boolean {
    if (BANNER.test(text)) {
      this.#endModule();
      this.part = "running";
      return true;
    }
    const counts = text.startsWith("Tests run:") ? COUNTS.exec(text) : null;
    if (counts !== null) return this.#count(counts);
    const failed = text.includes("<<< ") ? FAILED.exec(text) : null;
    if (failed !== null) return this.#startFailure(failed);
    // A quiet run prints the lists of failed tests without the heading `Results:`.
    if (RESULTS.test(text) || (level === "ERROR" && LIST_HEAD.test(text))) {
      this.#closeFailure();
      this.#isFlakeList = false;
      this.part = "list";
      return true;
    }
    if (this.part === "failure") return this.#failureLine(level, text);
    if (this.part === "list") return this.#listLine(level, text);
    return this.part === "running" && level === "INFO" && text.startsWith("Running ");
  }

  end(): void {
    this.#endModule();
  }

  #count(match: RegExpExecArray): boolean {
    this.#closeFailure();
    const [, total, failures, errors, skipped = "0", seconds, unit, after = ""] = match;
    const sums = {
      total: Number(total),
      failed: Number(failures) + Number(errors),
      skipped: Number(skipped),
    };
    if (sums.failed > 0) this.anyFailed = true;
    if (seconds !== undefined) {
      this.part = "running";
      this.#seconds += Number(seconds.replaceAll(",", "")) / (unit === "ms" ? 1000 : 1);
      this.#sums = add(this.#sums, sums);
      this.#owner = IN_CLASS.exec(after)?.[1];
      if (this.#owner !== undefined) this.#sink.ranFile({ file: this.#owner, skipped: sums.skipped });
      return true;
    }
    if (after.trim() !== "") return true;
    // Only the total of a module is reported; the counts of its classes are parts of it.
    this.#sums = emptySums();
    this.#reportFailures();
    this.#report(sums);
    this.part = "between";
    return true;
  }

  /** Reports each failed test once, without the tests that passed when they were run again. */
  #reportFailures(): void {
    const reported = new Set<string>();
    for (const draft of this.#shown) {
      const retried = this.#retried.get(draft.name);
      if (retried === "flaky" || (retried === "failed" && reported.has(draft.name))) continue;
      reported.add(draft.name);
      setJavaMessage(draft);
      this.#sink.failure(finishedFailure(draft));
    }
    this.#shown = [];
    this.#retried.clear();
  }

  #report({ total, failed, skipped }: Sums): void {
    const durationMs = Math.round(this.#seconds * 1000);
    this.#seconds = 0;
    this.#sink.summary({
      ...countsFromTotal(total, { failed, skipped }),
      ...(durationMs > 0 ? { durationMs } : {}),
    });
  }

  #startFailure(match: RegExpExecArray): boolean {
    this.#closeFailure();
    const { name, rerun, key } = testName(withOwner((match[1] ?? "").trim(), this.#owner));
    this.anyFailed = true;
    this.#known.add(key);
    this.#failure = { name, kind: rerun.includes("#") ? "test" : "suite", message: [], rerun };
    this.#inTrace = false;
    this.part = "failure";
    return true;
  }

  #failureLine(level: Level, text: string): boolean {
    const draft = this.#failure;
    if (draft === undefined || level !== undefined || draft.message.length >= MAX_MESSAGE_LINES) {
      this.#closeFailure();
      return false;
    }
    if (text.trim() === "" && this.#inTrace) {
      this.#closeFailure();
      return true;
    }
    const frame = /^\s*at /.test(text) ? javaFrame(text) : undefined;
    if (frame !== undefined) {
      this.#inTrace = true;
      placeAtFrame(draft, frame);
    } else if (/^(?:Caused by: |\s+\.\.\. \d+ )/.test(text)) this.#inTrace = true;
    else if (!this.#inTrace) draft.message.push(text);
    return true;
  }

  #closeFailure(): void {
    if (this.#failure !== undefined) this.#shown.push(this.#failure);
    if (this.#shown.length >= MAX_HELD) this.#reportFailures();
    this.#failure = undefined;
    if (this.part === "failure") this.part = "running";
  }

  #listLine(level: Level, text: string): boolean {
    if (LIST_HEAD.test(text)) this.#isFlakeList = text.startsWith("Flakes");
    if (text.trim() === "" || LIST_HEAD.test(text) || ATTEMPT.test(text)) return true;
    const retried = RETRIED.exec(text)?.[1];
    if (retried !== undefined) {
      this.#retried.set(testName(retried).name, this.#isFlakeList ? "flaky" : "failed");
      return true;
    }
    const old = OLD_LIST_ENTRY.exec(text);
    const entry = old === null ? text : `  ${(old[2] ?? "").trim()}`;
    const match = LIST_ENTRY.exec(entry);
    if (match !== null && (level === undefined || level === "ERROR")) {
      const [, rawName = "", line, message = ""] = match;
      const { name, rerun, key } = testName(rawName);
      if (!this.#known.has(key) && !this.#known.has(key.slice(0, key.indexOf("."))))
        this.#listed.push({
          name,
          kind: "test",
          rerun,
          message: [message],
          ...(line === undefined ? {} : { line: Number(line) }),
        });
      this.#known.add(key);
      return true;
    }
    // Further lines of a multi-line message have no level such as `[ERROR]`.
    if (level === undefined) {
      this.#listed.at(-1)?.message.push(text);
      return true;
    }
    if (level === "WARNING") return true;
    this.part = "between";
    return false;
  }

  /** Ends a module: reports failures that only its list names, and the counts if it was cut off before its total. */
  #endModule(): void {
    this.#closeFailure();
    this.#reportFailures();
    for (const draft of this.#listed) {
      setJavaMessage(draft);
      this.#sink.failure(finishedFailure(draft));
    }
    this.#listed.length = 0;
    if (this.#sums.total > 0) this.#report(this.#sums);
    this.#sums = emptySums();
    this.part = "between";
  }
}

interface Sums {
  readonly total: number;
  readonly failed: number;
  readonly skipped: number;
}

function emptySums(): Sums {
  return { total: 0, failed: 0, skipped: 0 };
}

function add(a: Sums, b: Sums): Sums {
  return { total: a.total + b.total, failed: a.failed + b.failed, skipped: a.skipped + b.skipped };
}

/** Puts the class before the bare name of a method. A class that could not be loaded is named itself. */
function withOwner(text: string, owner: string | undefined): string {
  if (owner === undefined || owner.endsWith(text) || text.endsWith(`(${owner})`)) return text;
  const namesClass = withoutParameters(text).includes(".") || /\([\w$]+\.[\w$.]+\)$/.test(text);
  return namesClass ? text : `${owner}.${text}`;
}

/** Normalizes `method(Class)`, `Class.method` and `Class#method` to one name; `key` is the form that the closing list uses. */
function testName(text: string): { name: string; rerun: string; key: string } {
  const old = /^(.{1,1500})\(([\w.$]+)\)$/.exec(text);
  const type = /^(.{1,1500}?)(?:#|\.)([^.#]{1,1500})$/.exec(withoutParameters(text));
  const [owner, method] =
    old !== null && /[.\w]+\.\w/.test(old[2] ?? "")
      ? [old[2] ?? "", old[1] ?? ""]
      : type !== null && /^[a-z_$]|[ ()[\]]/.test(type[2] ?? "")
        ? [type[1] ?? "", text.slice((type[1] ?? "").length + 1)]
        : [text, undefined];
  const simple = owner.slice(owner.lastIndexOf(".") + 1).split(">")[0] ?? owner;
  if (method === undefined) return { name: owner, rerun: owner, key: simple };
  const bare = method.replace(/[([].*$/, "");
  return { name: `${owner}.${method}`, rerun: `${owner}#${bare}`, key: `${simple}.${bare}` };
}

/** Removes parameters, which may contain dots, before the name is split. */
function withoutParameters(text: string): string {
  const open = text.search(/[([{]/);
  return open < 0 ? text : text.slice(0, open);
}
