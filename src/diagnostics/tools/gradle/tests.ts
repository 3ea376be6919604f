import { countsFromTotal } from "../../parsing/counts.ts";
import { finishedFailure } from "../../parsing/draft.ts";
import type { FailureDraft } from "../../parsing/draft.ts";
import { javaFrame, placeAtFrame, setJavaMessage } from "../../traces/java-trace.ts";
import type { Sink } from "../../tool.ts";

const EVENT =
  /^(\S.{0,1500}?) > (.{1,1500}) (PASSED|FAILED|SKIPPED|STARTED|STANDARD_OUT|STANDARD_ERROR)(?: \([\d.]+ ?m?s(?:ec)?\))?$/;
const COMPLETED = /^(\d+) tests? completed(?:, (\d+) failed)?(?:, (\d+) skipped)?$/;
/** The test logger plugin prints the class, its tests below it, and counts of its own. */
const LOGGER_CLASS = /^(?:[a-z]\w*\.){1,20}[A-Z][\w$]*$/;
const LOGGER_TEST = /^ {2}Test (.{1,800}?) (PASSED|FAILED|SKIPPED)(?: \([\d.]+ ?m?s\))?$/;
const LOGGER_COUNTS =
  /^(?:SUCCESS|FAILURE): Executed (\d+) tests? in \S+(?: \((?:(\d+) failed)?(?:, )?(?:(\d+) skipped)?\))?$/;
/** The short form of a failure: `java.lang.AssertionError at CartTest.java:11`. */
const SHORT = /^([\w.$]+) at ([\w$.-]+\.\w+):(\d+)$/;

/** Reads the test task's events and counts. */
export class GradleTests {
  failed = false;
  readonly #sink: Sink;
  readonly #events = { passed: 0, failed: 0, skipped: 0 };
  #failure: FailureDraft | undefined;
  #traced = false;
  #counted = false;
  #class = "";
  #indent = 4;

  constructor(sink: Sink) {
    this.#sink = sink;
  }

  take(text: string): boolean {
    return this.#event(text) || this.#logged(text) || this.#counts(text) || this.#detail(text);
  }

  /** Hands over the failure that is being read, if there is one. */
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
    // Where all tests pass Gradle prints no counts; events are then all there is.
    if (!this.#counted && passed + failed + skipped > 0) this.#sink.summary(this.#events);
  }

  #event(text: string): boolean {
    const match = text.startsWith("> ") ? null : EVENT.exec(text);
    if (match === null) return false;
    this.close();
    const [, suite = "", test = "", outcome] = match;
    this.#record(suite, test, outcome);
    this.#indent = 4;
    return true;
  }

  #record(suite: string, test: string, outcome: string | undefined): void {
    if (outcome === "PASSED") this.#events.passed++;
    if (outcome === "SKIPPED") this.#events.skipped++;
    if (outcome !== "FAILED") return;
    this.#events.failed++;
    this.failed = true;
    this.#traced = false;
    this.#failure = {
      name: `${suite} > ${test}`,
      kind: /^(?:classMethod|initializationError|executionError)$/.test(test) ? "suite" : "test",
      message: [],
      rerun: rerunOf(suite, test),
    };
  }

  #logged(text: string): boolean {
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

  #counts(text: string): boolean {
    const match = COMPLETED.exec(text) ?? LOGGER_COUNTS.exec(text);
    if (match === null) return false;
    this.close();
    const total = Number(match[1]);
    const failed = Number(match[2] ?? 0);
    const skipped = Number(match[3] ?? 0);
    this.#counted = true;
    this.failed ||= failed > 0;
    this.#sink.summary(countsFromTotal(total, { failed, skipped }));
    return true;
  }

  #detail(text: string): boolean {
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
    else if (!this.#traced && !/^\s*Caused by:/.test(line)) {
      failure.message.push(line);
      return true;
    }
    this.#traced = true;
    return true;
  }
}

/** What `--tests` takes: the class and the method, without parameters. */
function rerunOf(suite: string, test: string): string {
  const type = suite.split(" > ").at(-1) ?? suite;
  const method = (test.split(" > ")[0] ?? test).replace(/[([].*$/, "").trim();
  return /^[\w.$]+$/.test(type) && /^[\w$]+$/.test(method) && method !== "classMethod"
    ? `${type}.${method}`
    : type;
}
