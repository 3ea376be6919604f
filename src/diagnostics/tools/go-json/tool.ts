import { asNumber, asObject, asText, parseJson } from "../../parsing/json.ts";
import type { JsonObject } from "../../parsing/json.ts";
import { leadingPlace } from "../../parsing/place.ts";
import { defineBuildTool } from "../../tool.ts";
import type { LineParser, Sink } from "../../tool.ts";
import { readTestLines } from "../go-test/failure.ts";
import { firstOwnGoFrame } from "../../traces/go-frames.ts";
import type { Place } from "../../../model/diagnostic.ts";
import type { TestFailure } from "../../../model/test-summary.ts";

export const goJson = defineBuildTool({
  id: "go-json",
  title: "go test and go build JSON events",
  url: "https://pkg.go.dev/cmd/test2json",
  ecosystem: "go",
  kinds: ["test", "build"],
  programs: ["go"],
  signatures: ['"Action":"'],
  priority: 20,
  parser: goJsonParser,
});

/** Events of one test, or those of a package that belong to none of its tests. */
interface Events {
  readonly package: string;
  readonly test: string;
  readonly output: string[];
  size: number;
}

/** The runner id under which results are reported; the text format of go test has the same one. */
const RUNNER = "go-test";
/** Upper bound, in characters, on the output that is kept of a test. */
const MAX_OUTPUT = 64 * 1024;
const MAX_CRASH_LINES = 200;
/** Upper bound on the tests that have started but not ended; no run has more of them at once. */
const MAX_OPEN = 100_000;

/** Reads the event lines of `go test -json` and `go build -json`; the latter contain the compiler's output. */
function goJsonParser(sink: Sink): LineParser {
  const reader = new EventReader(sink);
  return {
    take({ text }) {
      if (!text.startsWith("{") || !text.includes('"Action":"')) return false;
      const event = asObject(parseJson(text));
      return event !== undefined && reader.take(event);
    },
    end: () => reader.end(),
  };
}

class EventReader {
  readonly #sink: Sink;
  readonly #open = new Map<string, Events>();
  /** Number of failed tests per package. */
  readonly #failed = new Map<string, number>();
  /** Output of each package, kept from the first line of a panic on. */
  readonly #crashes = new Map<string, string[]>();
  readonly #counts = { passed: 0, failed: 0, skipped: 0, durationMs: 0 };
  #isSeen = false;

  constructor(sink: Sink) {
    this.#sink = sink;
  }

  take(event: JsonObject): boolean {
    const action = asText(event["Action"]) ?? "";
    if (action === "build-output") return buildOutput(asText(event["Output"]) ?? "", this.#sink);
    const test = asText(event["Test"]) ?? "";
    const name = asText(event["Package"]) ?? (test === "" ? undefined : "");
    if (name === undefined) return asText(event["ImportPath"]) !== undefined;
    this.#isSeen = true;
    const ended = ["pass", "fail", "skip"].includes(action);
    if (action === "output") {
      const text = asText(event["Output"]) ?? "";
      addOutput(this.#events(name, test), text);
      this.#watchForCrash(name, text);
    } else if (test === "" && ended) this.#endPackage(name, action, event);
    else if (ended) this.#endTest(this.#events(name, test), action);
    else if (test !== "" && action === "run") this.#events(name, test);
    return true;
  }

  end(): void {
    // If the output was cut off, tests that started but did not end count as failed.
    for (const events of this.#open.values()) if (events.test !== "") this.#endTest(events, "fail");
    const durationMs = Math.round(this.#counts.durationMs);
    if (this.#isSeen) this.#sink.summary({ runner: RUNNER, ...this.#counts, durationMs });
  }

  #events(name: string, test: string): Events {
    const key = `${name}\0${test}`;
    let events = this.#open.get(key);
    if (events === undefined) {
      events = { package: name, test, output: [], size: 0 };
      if (this.#open.size < MAX_OPEN) this.#open.set(key, events);
    }
    return events;
  }

  /** Keeps the output of a panic, which may appear in a test that passed before its package crashed. */
  #watchForCrash(name: string, text: string): void {
    const seen = this.#crashes.get(name);
    if (seen !== undefined) {
      if (seen.length < MAX_CRASH_LINES) seen.push(text.trimEnd());
    } else if (/^(?:panic: |fatal error: |WARNING: DATA RACE)/.test(text))
      this.#crashes.set(name, [text.trimEnd()]);
  }

  #endTest(events: Events, action: string): void {
    this.#open.delete(`${events.package}\0${events.test}`);
    const found = { name: events.test, file: events.package, runner: RUNNER };
    if (action === "pass") {
      this.#counts.passed++;
      this.#sink.outcome({ ...found, result: "passed" });
    } else if (action === "skip") {
      this.#counts.skipped++;
      this.#sink.outcome({ ...found, result: "skipped" });
    } else {
      this.#counts.failed++;
      this.#failed.set(events.package, (this.#failed.get(events.package) ?? 0) + 1);
      const failure = failureFromOutput(events.package, events.test, events.output);
      this.#sink.failure({ ...failure, runner: RUNNER });
    }
  }

  #endPackage(name: string, action: string, event: JsonObject): void {
    this.#counts.durationMs += (asNumber(event["Elapsed"]) ?? 0) * 1000;
    // When a package fails, tests that started but never ended were cut off by a panic or a timeout, so they count as
    // failed.
    for (const events of this.#open.values())
      if (events.package === name && events.test !== "" && action === "fail") this.#endTest(events, "fail");
    const output = this.#open.get(`${name}\0`)?.output ?? [];
    this.#open.delete(`${name}\0`);
    if (action !== "fail" || (this.#failed.get(name) ?? 0) > 0) return;
    const crash = crashIn(this.#crashes.get(name) ?? []);
    if (crash !== undefined) {
      this.#sink.failure({ ...crash, runner: RUNNER, name, kind: "suite" });
      return;
    }
    const message = output
      .filter((line) => !/^(?:FAIL|exit status|ok)\b/.test(line))
      .join("\n")
      .trim();
    const why = asText(event["FailedBuild"]) === undefined ? message : "build failed";
    const reason = why === "" ? "the package failed outside its tests" : why;
    this.#sink.failure({ runner: RUNNER, name, kind: "suite", message: reason });
  }
}

function addOutput(events: Events, text: string): void {
  if (events.size > MAX_OUTPUT) return;
  events.size += text.length;
  events.output.push(text.replace(/\r?\n$/, ""));
}

/** Reads the compiler's lines inside build events. */
function buildOutput(text: string, sink: Sink): boolean {
  for (const line of text.split("\n")) {
    const placed = leadingPlace(line);
    if (placed !== undefined && placed.rest !== "")
      sink.diagnostic({ tool: "go", severity: "error", ...placed.place, message: placed.rest });
  }
  return true;
}

const MARKS = /^\s*(?:=== (?:RUN|PAUSE|CONT|NAME)|--- (?:FAIL|PASS|SKIP)|FAIL\b|PASS$|exit status )/;
/** Matches the test's name that Go 1.14 printed before the location. */
const NAMED = /^\s*[\w/.#-]{1,300}: (?=[\w./\\-]{1,300}\.go:\d)/;

/** Builds the failure of a Go test from its output: `file_test.go:12: message` lines, a panic or a data race. */
function failureFromOutput(packageName: string, test: string, output: readonly string[]): TestFailure {
  const base = { name: test, kind: "test" as const, rerun: rerunOf(packageName, test) };
  const lines = output.filter((line) => !MARKS.test(line));
  const crash = crashIn(lines);
  if (crash !== undefined) return { ...base, ...crash };
  const details = readTestLines(lines.map((line) => line.replace(NAMED, "")));
  const cutOff = details.message === "failed" && output.length < 2;
  return { ...base, ...details, ...(cutOff ? { message: "did not finish" } : {}) };
}

/** Finds a panic or data race, and the first frame inside the project. */
function crashIn(lines: readonly string[]): ({ message: string } & Partial<Place>) | undefined {
  const at = lines.findIndex((line) => /^(?:panic: |fatal error: |WARNING: DATA RACE)/.test(line.trim()));
  if (at < 0) return undefined;
  const place = firstOwnGoFrame(lines.slice(at));
  const head = (lines[at] ?? "").trim();
  const message = head.startsWith("WARNING")
    ? "race detected during execution of test"
    : head.replace(/ \[recovered\].*$/, "");
  return { message, ...place };
}

function rerunOf(packageName: string, test: string): string {
  const pattern = test
    .split("/")
    .map((part) => `^${part.replaceAll(/[\\^$.|?*+()[\]{}]/g, String.raw`\$&`)}$`)
    .join("/");
  return `go test ${packageName} -run '${pattern}'`;
}
