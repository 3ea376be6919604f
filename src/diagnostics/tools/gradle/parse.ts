import { countsFromTotal } from "../../parsing/counts.ts";
import { finishedFailure, trimmedText } from "../../parsing/draft.ts";
import type { FailureDraft } from "../../parsing/draft.ts";
import type { Line, LineParser, Sink } from "../../tool.ts";
import { javacParser } from "../javac/parse.ts";
import { kotlinParser } from "../kotlin/parse.ts";
import { javaFrame, placeAtFrame, setJavaMessage } from "../../traces/java-trace.ts";

const TASK =
  /^> (?:Task|Configure project|Transform) |^:[\w:.-]+(?: (?:UP-TO-DATE|NO-SOURCE|SKIPPED|FAILED|FROM-CACHE))?$/;
const CLOSING =
  /^(?:BUILD (?:SUCCESSFUL|FAILED)(?: in .*)?|\d+ actionable tasks?: .*|FAILURE: Build (?:failed|completed) with .*|Starting a Gradle Daemon.*|Configuration cache entry .*|\[Incubating\] Problems report .*|Deprecated Gradle features were used .*)$/;

/** Reads Gradle's own lines: failed tests, and why the build failed. */
export function gradleParser(sink: Sink): LineParser {
  const tests = new GradleTests(sink);
  const failure = buildFailure(sink, () => tests.failed);

  return {
    take({ text }: Line): boolean {
      if (failure.take(text)) {
        tests.close();
        return true;
      }
      if (tests.take(text)) return true;
      return TASK.test(text) || CLOSING.test(text);
    },
    end() {
      failure.end();
      tests.end();
    },
  };
}

interface BuildFailure {
  take(text: string): boolean;
  end(): void;
}

const WHERE =
  /^(?:Build|Settings|Initialization) (?:file|script) '(.{1,2000})' line: (\d+)$|^(?:Script|Build file|Settings file) '(.{1,2000})' line: (\d+)$/;
const SECTION = /^\* (Where|What went wrong|Try|Exception is|Get more help)\b/;
const END = /^(?:BUILD FAILED|={20,}|\d+ actionable tasks?|FAILURE: )/;
/** Matches causes that only refer to errors or failed tests above. */
const DERIVED =
  /There were failing tests|Compilation failed; see the compiler|Compilation error\. See log|Compilation failed with exit code|Compilation finished with errors|rule violations were found|Lint found |KtLint found code style violations|Analysis failed with /;

/**
 * Compilers and linters that print their errors themselves, so that Gradle's cause of the failed build only summarizes
 * them.
 */
const COMPILERS = ["kotlin", "javac", "scala", "ktlint", "detekt"];

/**
 * Returns whether the latest diagnostic is a compiler's. A compiler's parser may have accepted all its lines before
 * Gradle's parser saw any.
 */
function hasCompilerError(sink: Sink): boolean {
  return COMPILERS.some((tool) => {
    const last = sink.retractLast(tool);
    if (last !== undefined) sink.diagnostic(last);
    return last?.severity === "error";
  });
}

/** The part of Gradle's description of a failed build that is being read. */
type Part = "outside" | "where" | "cause" | "rest";

/** Reads `* What went wrong:` and `* Where:`, once per failure of the build. */
function buildFailure(sink: Sink, testsFailed: () => boolean): BuildFailure {
  const nested = nestedCompilers(sink);
  let part: Part = "outside";
  let place: { file: string; line: number } | undefined;
  let cause: string[] = [];
  let hasErrors = false;

  function close(): void {
    const message = trimmedText(cause);
    cause = [];
    nested.end();
    const known = hasErrors || nested.found || testsFailed() || hasCompilerError(sink);
    if (message !== "" && !(DERIVED.test(message) && known))
      sink.diagnostic({ severity: "error", ...place, message });
    place = undefined;
  }

  function section(text: string): boolean {
    const name = SECTION.exec(text)?.[1];
    if (name === undefined) return false;
    if (part === "cause") close();
    part = name === "Where" ? "where" : name === "What went wrong" ? "cause" : "rest";
    return true;
  }

  return {
    take(text) {
      if (section(text)) return true;
      if (part === "outside") {
        hasErrors ||= text.includes(": error: ") || text.startsWith("e: ");
        return false;
      }
      if (END.test(text)) {
        if (part === "cause") close();
        part = "outside";
        return true;
      }
      if (part === "where") place = readWhere(text) ?? place;
      if (part === "cause" && !nested.take(text)) cause.push(text);
      return true;
    },
    end() {
      if (part === "cause") close();
      part = "outside";
    },
  };
}

function readWhere(text: string): { file: string; line: number } | undefined {
  const match = WHERE.exec(text);
  if (match === null) return undefined;
  return { file: match[1] ?? match[3] ?? "", line: Number(match[2] ?? match[4]) };
}

/**
 * Passes errors of compilers to those compilers' own parsers: newer versions of Gradle repeat them, indented, in the
 * cause of the failed build.
 */
function nestedCompilers(sink: Sink): { take(text: string): boolean; end(): void; readonly found: boolean } {
  let found = false;
  const as = (tool: string): Sink => ({
    ...sink,
    diagnostic(one) {
      found = true;
      sink.diagnostic({ ...one, tool });
    },
  });
  const parsers: readonly LineParser[] = [javacParser(as("javac")), kotlinParser(as("kotlin"))];
  return {
    take(text) {
      if (!text.startsWith("  ")) return false;
      const line = { text: text.slice(2), number: 0, stream: "stdout" } as const;
      return parsers.some((parser) => parser.take(line));
    },
    end() {
      for (const parser of parsers) parser.end();
    },
    get found() {
      return found;
    },
  };
}

const EVENT =
  /^(\S.{0,1500}?) > (.{1,1500}) (PASSED|SUCCESS|FAILED|SKIPPED|STARTED|STANDARD_OUT|STANDARD_ERROR)(?: \([\d.]+ ?m?s(?:ec)?\))? ?$/;
/** Matches the device that Android's plugin writes behind the name of a test that ran on it. */
const DEVICE = /^(.{1,1500}?)\[([^\]]{1,200} - [\w.]{1,20})\]$/;
/** Matches the running counts of a device: `Pixel_3a_API_30(AVD) - 11 Tests 2/3 completed. (0 skipped) (1 failed)`. */
const ON_DEVICE = /^(\S.{0,200} )?Tests (\d+)\/(\d+) completed\. \((\d+) skipped\) \((\d+) failed\)$/;
const DEVICE_LINE = /^(Starting|Finished) (\d+) tests on (\S.*)$/;
/** Matches the end of a device's tests for another reason than a failed test. */
const DEVICE_FAILED = /^Tests on (\S.{0,200}) failed: (.*)$/;
const COMPLETED = /^(\d+) tests? completed(?:, (\d+) failed)?(?:, (\d+) skipped)?$/;
/** Matches the class heading of the test logger plugin, which prints tests below it and its own counts. */
const LOGGER_CLASS = /^(?:[a-z]\w*\.){1,20}[A-Z][\w$]*$/;
const LOGGER_TEST = /^ {2}Test (.{1,800}?) (PASSED|FAILED|SKIPPED)(?: \([\d.]+ ?m?s\))?$/;
const LOGGER_COUNTS =
  /^(?:SUCCESS|FAILURE): Executed (\d+) tests? in \S+(?: \((?:(\d+) failed)?(?:, )?(?:(\d+) skipped)?\))?$/;
/** Matches the short form of a failure: `java.lang.AssertionError at CartTest.java:11`. */
const SHORT = /^([\w.$]+) at ([\w$.-]+\.\w+):(\d+)$/;

/** Reads the test task's events and counts. */
class GradleTests {
  failed = false;
  readonly #sink: Sink;
  readonly #events = { passed: 0, failed: 0, skipped: 0 };
  #failure: FailureDraft | undefined;
  #inTrace = false;
  #isCounted = false;
  /** The latest counts of each Android device that runs tests; `named` counts the failed tests that were named. */
  readonly #devices = new Map<string, { total: number; failed: number; skipped: number; named: number }>();
  #class = "";
  #indent = 4;

  constructor(sink: Sink) {
    this.#sink = sink;
  }

  take(text: string): boolean {
    return (
      this.#readEvent(text) ||
      this.#readLogged(text) ||
      this.#readCounts(text) ||
      this.#readDevice(text) ||
      this.#readDetail(text)
    );
  }

  /** Reports the failure that is being read, if any. */
  close(): void {
    if (this.#failure !== undefined) {
      setJavaMessage(this.#failure);
      this.#sink.failure(finishedFailure(this.#failure));
    }
    this.#failure = undefined;
  }

  end(): void {
    this.close();
    const { passed, failed, skipped } = this.#events;
    // A log that is cut, or a device that does not count on, has named more failures than it has counted.
    for (const { total, skipped, ...counts } of this.#devices.values()) {
      const failedTests = Math.max(counts.failed, counts.named);
      const ran = Math.max(total, failedTests + skipped);
      if (ran > 0) this.#sink.summary(countsFromTotal(ran, { failed: failedTests, skipped }));
    }
    if (this.#devices.size > 0) return;
    // If all tests pass, Gradle prints no counts, so the events are counted.
    if (!this.#isCounted && passed + failed + skipped > 0) this.#sink.summary(this.#events);
  }

  #readEvent(text: string): boolean {
    const match = text.startsWith("> ") ? null : EVENT.exec(text);
    if (match === null) return false;
    this.close();
    const [, suite = "", test = "", outcome] = match;
    const [, name = test, device] = DEVICE.exec(test) ?? [];
    if (device !== undefined && outcome === "FAILED") this.#device(device).named++;
    this.#record(suite, name, outcome);
    this.#indent = 4;
    return true;
  }

  #device(name: string): { total: number; failed: number; skipped: number; named: number } {
    const known = this.#devices.get(name) ?? { total: 0, failed: 0, skipped: 0, named: 0 };
    this.#devices.set(name, known);
    return known;
  }

  #readDevice(text: string): boolean {
    const [, device = "", completed, , skipped, failed] = ON_DEVICE.exec(text) ?? [];
    if (completed !== undefined) {
      this.close();
      const counts = { total: Number(completed), failed: Number(failed), skipped: Number(skipped) };
      Object.assign(this.#device(device.trim()), counts);
      this.failed ||= counts.failed > 0;
      return true;
    }
    const [, name, message = ""] = DEVICE_FAILED.exec(text) ?? [];
    if (name === undefined) return this.#readDeviceLine(text);
    this.close();
    if (!message.startsWith("There was ")) this.#sink.failure({ name, kind: "suite", message });
    return true;
  }

  #readDeviceLine(text: string): boolean {
    const [, word, count, name = ""] = DEVICE_LINE.exec(text) ?? [];
    if (word === undefined) return false;
    this.close();
    if (word === "Finished") this.#device(name).total = Number(count);
    return true;
  }

  #record(suite: string, test: string, outcome: string | undefined): void {
    if (outcome === "PASSED" || outcome === "SUCCESS") this.#events.passed++;
    if (outcome === "SKIPPED") this.#events.skipped++;
    if (outcome !== "FAILED") return;
    this.#events.failed++;
    this.failed = true;
    this.#inTrace = false;
    this.#failure = {
      name: `${suite} > ${test}`,
      kind: /^(?:classMethod|initializationError|executionError)$/.test(test) ? "suite" : "test",
      message: [],
      rerun: rerunOf(suite, test),
    };
  }

  #readLogged(text: string): boolean {
    if (LOGGER_CLASS.test(text)) {
      this.close();
      this.#class = text;
      return false;
    }
    const match = this.#class === "" ? null : LOGGER_TEST.exec(text);
    if (match === null) return false;
    this.close();
    const [, test = "", outcome] = match;
    this.#record(this.#class, test, outcome);
    this.#indent = 2;
    return true;
  }

  #readCounts(text: string): boolean {
    const match = COMPLETED.exec(text) ?? LOGGER_COUNTS.exec(text);
    if (match === null) return false;
    this.close();
    const total = Number(match[1]);
    const failed = Number(match[2] ?? 0);
    const skipped = Number(match[3] ?? 0);
    this.#isCounted = true;
    this.failed ||= failed > 0;
    this.#sink.summary(countsFromTotal(total, { failed, skipped }));
    return true;
  }

  #readDetail(text: string): boolean {
    const failure = this.#failure;
    if (failure === undefined) return false;
    if (text.trim() === "") return true;
    if (!text.startsWith("\t") && text.slice(0, this.#indent).trim() !== "") {
      this.close();
      return false;
    }
    const line = text.startsWith("\t") ? text.slice(1) : text.slice(this.#indent);
    const short = failure.message.length === 0 ? SHORT.exec(line) : null;
    const frame = /^\s*at /.test(line) ? javaFrame(line) : undefined;
    if (short !== null) {
      failure.message.push(short[1] ?? "");
      failure.file = short[2] ?? "";
      failure.line = Number(short[3]);
    } else if (frame !== undefined) placeAtFrame(failure, frame);
    else if (!this.#inTrace && !/^\s*Caused by:/.test(line)) {
      failure.message.push(line);
      return true;
    }
    this.#inTrace = true;
    return true;
  }
}

/** Returns the argument for `--tests`: the class and the method, without parameters. */
function rerunOf(suite: string, test: string): string {
  const type = suite.split(" > ").at(-1) ?? suite;
  const method = (test.split(" > ")[0] ?? test).replace(/[([].*$/, "").trim();
  return /^[\w.$]+$/.test(type) && /^[\w$]+$/.test(method) && method !== "classMethod"
    ? `${type}.${method}`
    : type;
}
