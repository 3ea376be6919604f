import { countsFromTotal } from "../../parsing/counts.ts";
import { finishedFailure, MAX_MESSAGE_LINES } from "../../parsing/draft.ts";
import type { FailureDraft } from "../../parsing/draft.ts";
import type { Line, LineParser, Sink } from "../../tool.ts";
import { isPhpFrame, placeAtPhpFrame, setPhpComparison } from "./trace.ts";
import { testdoxReader } from "./testdox.ts";

const SECTION =
  /^There (?:was|were) (\d+) (?:PHPUnit (?:test runner )?)?(error|failure|risky test|incomplete test|skipped test|warning|deprecation|notice)s?:$/;
/** Since version 10: `1 test triggered 2 PHP warnings:`. */
const TRIGGERED = /^\d+ tests? triggered \d+ (?:PHP |PHPUnit )?(warning|deprecation|notice|error)s?:$/;
const ENTRY = /^\d{1,6}\) (.{1,4000})$/;
const JAVA_TEST = /\([\w$]+(?:\.[\w$]+)+\)$/;
const COUNTS = /^(?:OK \((\d+) tests?, \d+ assertions?\)|(Tests: \d+, .*?)\.?)$/;
const TIME = /^Time: (?:(\d+):)?(?:(\d+):)?([\d.]+)(?: (ms|seconds?|minutes?))?,? /;
const NOISE =
  /^(?:PHPUnit \d.* by Sebastian Bergmann.*|Runtime: .*|Configuration: .*|ERRORS!|FAILURES!|WARNINGS!|OK, but .*|--)$/;

type Section = "none" | "failing" | "ignored" | "triggered";

/** Reads PHPUnit's text, versions 9 to 12, plain and testdox. */
export class PhpunitParser implements LineParser {
  readonly #sink: Sink;
  readonly #testdox;
  #section: Section = "none";
  #failure: FailureDraft | undefined;
  #traced = false;
  #durationMs: number | undefined;
  #severity: "warning" | "info" = "warning";

  constructor(sink: Sink) {
    this.#sink = sink;
    this.#testdox = testdoxReader(sink);
  }

  take({ text }: Line): boolean {
    if (this.#landmark(text) || this.#testdox.take(text)) return true;
    if (this.#section === "none") return NOISE.test(text);
    const entry = ENTRY.exec(text)?.[1];
    // JUnit 4 has the same headings; its tests are named with their Java class.
    if (entry !== undefined && !entry.includes("::") && JAVA_TEST.test(entry)) {
      this.#section = "none";
      return false;
    }
    if (entry !== undefined) {
      this.#close();
      this.#start(entry);
      return true;
    }
    if (NOISE.test(text)) {
      this.#close();
      return true;
    }
    return this.#body(text);
  }

  end(): void {
    this.#close();
    this.#testdox.end();
  }

  #landmark(text: string): boolean {
    const section = text.startsWith("There w") ? SECTION.exec(text)?.[2] : undefined;
    if (section !== undefined) {
      this.#close();
      this.#section = section === "error" || section === "failure" ? "failing" : "ignored";
      if (section === "warning") this.#section = "triggered";
      if (this.#section === "failing") this.#testdox.forget();
      return true;
    }
    const triggered = TRIGGERED.exec(text)?.[1];
    if (triggered !== undefined) {
      this.#close();
      this.#section = "triggered";
      this.#severity = triggered === "notice" ? "info" : "warning";
      return true;
    }
    const time = text.startsWith("Time: ") ? TIME.exec(text) : null;
    if (time !== null) this.#durationMs = readTime(time);
    if (text === "No tests executed!") this.#sink.summary({ total: 0 });
    const counts = time === null ? COUNTS.exec(text) : null;
    if (counts === null) return time !== null || text === "No tests executed!";
    this.#close();
    this.#section = "none";
    this.#summary(counts);
    return true;
  }

  #summary([, ok, list = ""]: RegExpExecArray): void {
    const count = (name: string): number =>
      Number(new RegExp(`(?:^|, )${name}: (\\d+)`).exec(list)?.[1] ?? 0);
    const total = ok === undefined ? count("Tests") : Number(ok);
    const failed = count("Errors") + count("Failures");
    const skipped = count("Skipped") + count("Incomplete");
    this.#sink.summary({
      ...countsFromTotal(total, { failed, skipped }),
      ...(this.#durationMs === undefined ? {} : { durationMs: this.#durationMs }),
    });
    this.#durationMs = undefined;
  }

  #start(name: string): void {
    this.#traced = false;
    this.#failure = { name, kind: "test", message: [] };
    const method = /^([\w\\]+)::(\w+)/.exec(name);
    if (method !== null) this.#failure.rerun = `--filter '${method[1] ?? ""}::${method[2] ?? ""}'`;
  }

  #body(text: string): boolean {
    const failure = this.#failure;
    if (failure === undefined) return text.trim() === "";
    if (failure.message.length >= MAX_MESSAGE_LINES) {
      this.#close();
      this.#section = "none";
      return false;
    }
    if (isPhpFrame(text)) {
      this.#traced = true;
      placeAtPhpFrame(failure, text);
    } else if (text === "Caused by" || text === "Triggered by:") this.#traced = true;
    else if (!this.#traced) failure.message.push(text);
    return true;
  }

  #close(): void {
    const failure = this.#failure;
    this.#failure = undefined;
    if (failure === undefined || this.#section === "ignored" || this.#section === "none") return;
    if (this.#section === "triggered") {
      const { name, message, file, line } = finishedFailure(failure);
      const at = /^(.{1,1000}):(\d+)$/.exec(name);
      const own = file === undefined || line === undefined ? {} : { file, line };
      const place = at === null ? own : { file: at[1] ?? "", line: Number(at[2]) };
      this.#sink.diagnostic({ severity: this.#severity, ...place, message });
      return;
    }
    setPhpComparison(failure);
    this.#sink.failure(finishedFailure(failure));
  }
}

function readTime([, first, second, seconds, unit]: RegExpExecArray): number {
  const amount = Number(seconds);
  if (unit === "ms") return Math.round(amount);
  if (unit?.startsWith("minute") === true) return Math.round(amount * 60_000);
  const hours = second === undefined ? 0 : Number(first ?? 0);
  const minutes = Number(second ?? first ?? 0);
  return Math.round((hours * 3600 + minutes * 60 + amount) * 1000);
}
