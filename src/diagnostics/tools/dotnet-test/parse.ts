import { setDotnetComparison, isDotnetFrame, placeAtDotnetFrame } from "../../traces/dotnet-trace.ts";
import { finishedFailure, MAX_MESSAGE_LINES } from "../../parsing/draft.ts";
import type { FailureDraft } from "../../parsing/draft.ts";
import type { Line, LineParser, Sink, TestCounts } from "../../tool.ts";

/** Matches VSTest's result, `  Failed Acme.CartTests.Sums [4 ms]`; versions before 16.3 print a letter. */
const VSTEST = /^ {0,2}(Failed|Passed|Skipped|X|V|√|!) {1,3}(\S.{0,1500}?)(?: \[([<\d][^\]]{0,20})\])?$/;
/** Matches the result of Microsoft.Testing.Platform: `failed Sums (12ms)`. */
const PLATFORM =
  /^ {0,2}(failed|passed|skipped)(?: \(canceled\))? (\S.{0,1500}?) \(((?:\d+[hms] ?|\d+ms ?){1,4})\)$/;
/** Matches the terminal logger's `/app/CartTests.cs(9): error TESTERROR:`, with the failure below it. */
const TERMINAL = /^\s+(?:(.{1,1000})\((\d+)\): )?error TESTERROR ?: ?(.*)$/;
const TERMINAL_NAME =
  /^\s*(\S.{0,1500}?) \(((?:\d+[hms] ?|\d+ms ?|[\d.,]+m?s ?){1,4})\): Error Message: ?(.*)$/;
const PART =
  /^ {0,2}(Error Message|Stack Trace|Standard Output Messages|Standard Error Messages|Debug Traces Messages|Additional Information Messages|Data collector .*):$/;
const XUNIT = /^\[xUnit\.net \d\d:\d\d:\d\d\.\d+\](?: {1,8}(\S.{0,1500}) \[FAIL\]$)?/;
const CLOSING_LINE =
  /^\S{1,30}(?: \S{1,20})?! {1,3}- [^\d,]{1,40}(\d+), [^\d,]{1,40}(\d+), [^\d,]{1,40}(\d+), [^\d,]{1,40}(\d+)(?:, [^\d,]{1,40}(.{1,30}?))?(?: - .*)?$/u;
const OLD_CLOSING = /^Total tests: (\d+)\. Passed: (\d+)\. Failed: (\d+)\. Skipped: (\d+)\./;
const TERMINAL_SUMMARY =
  /^Test summary: total: (\d+), failed: (\d+), succeeded: (\d+), skipped: (\d+)(?:, duration: (.*))?$/;
const COUNT_LINE =
  /^\s*(Total tests|Passed|Failed|Skipped|Total time|total|failed|succeeded|skipped|duration): (.*)$/;
/** Matches the lines that name the test's module or mark where an exception was rethrown. */
const MODULE =
  /^\s*(?:from .{1,1000} \([\w.]{1,30}\|\w{1,10}\)|--- End of stack trace from previous location .{0,40}---)$/;
const NOISE =
  /^(?:Test run for .*|Starting test execution, please wait\.\.\.|A total of \d+ test files? matched.*|VSTest version .*|Microsoft \(R\) Test Execution .*|Results File: .*|Test Run (?:Failed|Successful|Aborted)\.?|Test run summary: .*|Running tests from .*)$/;

/** Matches the line about a crashed test process; its last output follows. */
const ABORTED =
  /^(?:The active test run was aborted\. Reason: |(?=Testhost process (?:for source\(s\) .{1,1000} )?exited with error: ))(.*)$/;
const ABORTED_REST = ". Please check the diagnostic logs for more information.";
const NO_SOURCE = /^The test source file "(.{1,1000})" provided was not found\.$/;
/** Matches messages about missing tests, which `dotnet test` prints with exit code 0. */
const NO_TESTS = /^No test (?:is available in .*\. Make sure that |matches the given testcase filter )/;

type Part = "none" | "message" | "trace" | "output" | "terminal" | "platform" | "aborted";

/** Reads the output of `dotnet test`: VSTest, Microsoft.Testing.Platform and the terminal logger. */
export class DotnetTestParser implements LineParser {
  readonly #sink: Sink;
  #part: Part = "none";
  #failure: FailureDraft | undefined;
  #counts: Map<string, string> | undefined;
  readonly #announced = new Set<string>();
  readonly #reported = new Set<string>();

  constructor(sink: Sink) {
    this.#sink = sink;
  }

  take({ text }: Line): boolean {
    if (this.#readClosing(text) || this.#readHeader(text) || this.#readBody(text)) return true;
    this.#close();
    if (this.#readWithoutTests(text)) return true;
    const xunit = text.startsWith("[xUnit") ? XUNIT.exec(text) : null;
    if (xunit?.[1] !== undefined) this.#announced.add(xunit[1].trim());
    return xunit !== null || NOISE.test(text);
  }

  end(): void {
    this.#close();
    this.#flushCounts();
    // Failures that only xUnit's own line names are reported without a message; at low verbosity nothing else is
    // printed about them.
    for (const name of this.#announced)
      if (!this.#reported.has(name))
        this.#sink.failure({ name, kind: "test", message: "", rerun: name.replace(/\(.*$/, "") });
  }

  #readWithoutTests(text: string): boolean {
    if (NO_TESTS.test(text)) this.#sink.summary({ total: 0 });
    else if (NO_SOURCE.test(text)) this.#sink.diagnostic({ severity: "error", message: text });
    else return false;
    return true;
  }

  #readHeader(text: string): boolean {
    const aborted = ABORTED.exec(text);
    if (aborted !== null) {
      this.#close();
      this.#failure = { name: "test run", kind: "unhandled", message: [aborted[1] ?? ""] };
      this.#part = "aborted";
      return true;
    }
    const terminal = text.includes("TESTERROR") ? TERMINAL.exec(text) : null;
    if (terminal !== null) {
      const [, file, line, rest = ""] = terminal;
      this.#start("", "terminal");
      if (this.#failure !== undefined && file !== undefined)
        Object.assign(this.#failure, { file, line: Number(line) });
      return rest.trim() === "" || this.#readBody(rest) || true;
    }
    const vstest = VSTEST.exec(text);
    const platform = vstest === null ? PLATFORM.exec(text) : null;
    const match = vstest ?? platform;
    if (
      match === null ||
      (vstest !== null && vstest[3] === undefined && (this.#part === "none" || !text.startsWith("  ")))
    )
      return false;
    this.#close();
    const failed = /^(?:Failed|failed|X)$/.test(match[1] ?? "");
    if (failed) this.#start(match[2] ?? "", vstest === null ? "platform" : "none");
    return true;
  }

  #readBody(text: string): boolean {
    const failure = this.#failure;
    if (failure === undefined) return false;
    const part = PART.exec(text)?.[1];
    if (part !== undefined) {
      this.#part = part === "Error Message" ? "message" : part === "Stack Trace" ? "trace" : "output";
      return true;
    }
    if (this.#part === "terminal") return this.#terminalLine(failure, text);
    if (this.#part === "platform") return this.#platformLine(failure, text);
    if (this.#part === "aborted") return abortedLine(failure, text);
    if (this.#part === "message") {
      if (failure.message.length >= MAX_MESSAGE_LINES) return false;
      failure.message.push(failure.message.length === 0 ? text.trimStart() : text);
      return true;
    }
    if (this.#part === "trace") {
      placeAtDotnetFrame(failure, text);
      return text.trim() !== "";
    }
    return this.#part === "output" && text.trim() !== "";
  }

  #platformLine(failure: FailureDraft, text: string): boolean {
    if (text.trim() !== "" && !/^\s{2,}/.test(text)) return false;
    if (isDotnetFrame(text)) placeAtDotnetFrame(failure, text);
    else if (!MODULE.test(text)) failure.message.push(text.replace(/^ {2}/, ""));
    return true;
  }

  #terminalLine(failure: FailureDraft, text: string): boolean {
    const named = failure.name === "" ? TERMINAL_NAME.exec(text) : null;
    if (named !== null) {
      failure.name = named[1] ?? "";
      failure.rerun = failure.name.replace(/\(.*$/, "");
      failure.message.push(named[3] ?? "");
      return true;
    }
    if (!/^\s{4,}\S/.test(text)) return false;
    if (isDotnetFrame(text)) placeAtDotnetFrame(failure, text);
    else if (text.trim() !== "Stack Trace:") failure.message.push(text.trim());
    return true;
  }

  #readClosing(text: string): boolean {
    const line = /^\s*\d/.test(text) ? null : (CLOSING_LINE.exec(text.trimStart()) ?? null);
    if (line !== null) {
      const [, failed, passed, skipped, total, duration] = line;
      return this.#summary({ failed, passed, skipped, total }, duration);
    }
    const terminal = TERMINAL_SUMMARY.exec(text);
    if (terminal !== null) {
      const [, total, failed, passed, skipped, duration] = terminal;
      return this.#summary({ failed, passed, skipped, total }, duration);
    }
    const old = OLD_CLOSING.exec(text);
    if (old !== null) {
      const [, total, passed, failed, skipped] = old;
      return this.#summary({ failed, passed, skipped, total });
    }
    return this.#readCountLine(text);
  }

  /** Reads counts on separate lines, below `Total tests:` or `Test run summary:`. */
  #readCountLine(text: string): boolean {
    if (/^Total tests: (?:\d+|Unknown)$/.test(text) || text.startsWith("Test run summary:")) {
      this.#close();
      this.#flushCounts();
      this.#counts = new Map();
    }
    const counts = this.#counts;
    const match = counts === undefined ? null : COUNT_LINE.exec(text);
    if (match === null) {
      // A line that is not a count ends the counts only if there is one already, because the modules may be listed
      // before the first count.
      if (counts !== undefined && counts.size > 0) this.#flushCounts();
      return false;
    }
    counts?.set((match[1] ?? "").toLowerCase(), match[2] ?? "");
    return true;
  }

  #flushCounts(): void {
    const counts = this.#counts;
    this.#counts = undefined;
    if (counts === undefined || counts.size === 0) return;
    const total = counts.get("total tests") ?? counts.get("total");
    this.#summary(
      {
        // The total is left out if it is `Unknown`, which an aborted run prints.
        ...(total === "Unknown" ? {} : { total }),
        passed: counts.get("passed") ?? counts.get("succeeded") ?? "0",
        failed: counts.get("failed") ?? "0",
        skipped: counts.get("skipped") ?? "0",
      },
      counts.get("total time") ?? counts.get("duration"),
    );
  }

  #summary(counts: Record<string, string | undefined>, duration?: string): boolean {
    this.#close();
    const numbers: TestCounts = Object.fromEntries(
      Object.entries(counts).map(([name, text]) => [name, Number(text ?? 0)]),
    );
    const durationMs = duration === undefined ? undefined : readDuration(duration);
    this.#sink.summary(durationMs === undefined ? numbers : { ...numbers, durationMs });
    return true;
  }

  #start(name: string, part: Part): void {
    this.#close();
    this.#failure = { name, kind: "test", message: [], rerun: name.replace(/\(.*$/, "") };
    this.#part = part;
  }

  #close(): void {
    const failure = this.#failure;
    this.#failure = undefined;
    this.#part = "none";
    if (failure === undefined || (failure.name === "" && failure.message.length === 0)) return;
    setDotnetComparison(failure);
    this.#reported.add(failure.name);
    this.#sink.failure(finishedFailure(failure));
  }
}

/** Adds what the process printed before it crashed, up to a blank line. */
function abortedLine(failure: FailureDraft, text: string): boolean {
  if (text.trim() === "" || failure.message.length >= MAX_MESSAGE_LINES) return false;
  if (!/^\s+at /.test(text)) {
    if (!MODULE.test(text) && text !== ABORTED_REST) failure.message.push(text);
    return true;
  }
  placeAtDotnetFrame(failure, text);
  // If the stack trace has no locations, its first frames are kept, because they still identify the test.
  const frames = failure.message.filter((line) => /^\s+at /.test(line)).length;
  if (failure.file === undefined && frames < 3) failure.message.push(text);
  return true;
}

/** Converts `13 ms`, `1.2 Seconds`, `1m 3s` or `< 1 ms` to milliseconds. */
function readDuration(text: string): number | undefined {
  let total = 0;
  let found = false;
  for (const [, number, unit = ""] of text.matchAll(
    /(?<![\d.,])([\d.,]+) ?(ms|s|m|h|Seconds?|Minutes?|Hours?)\b/gi,
  )) {
    const scale = { m: 60_000, h: 3_600_000, s: 1000 }[unit === "ms" ? "" : (unit[0]?.toLowerCase() ?? "")];
    total += Number((number ?? "").replace(",", ".")) * (scale ?? 1);
    found = true;
  }
  return found && Number.isFinite(total) ? Math.round(total) : undefined;
}
