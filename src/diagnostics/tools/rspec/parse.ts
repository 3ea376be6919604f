import { countsFromTotal } from "../../parsing/counts.ts";
import { finishedFailure } from "../../parsing/draft.ts";
import type { FailureDraft } from "../../parsing/draft.ts";
import { asNumber, asObject, asObjects, asText, defined, parseJson } from "../../parsing/json.ts";
import type { JsonObject } from "../../parsing/json.ts";
import type { DocumentParser, Line, LineParser, Sink } from "../../tool.ts";
import { isForeignRuby, rubyFrame } from "../../traces/ruby-trace.ts";

const ENTRY = /^ {1,4}(\d{1,6})\) (.+)$/;
const NESTED = /^\d+\.\d+\) /;
const OUTSIDE = /^An error occurred (?:while loading (.+?)\.|in an? (.+?)\.?)(?: - Did you mean\?)?$/;
const COUNTS =
  /^(\d+) examples?, (\d+) failures?(?:, (\d+) pending)?(?:, (\d+) errors? occurred outside of examples)?$/;
const FINISHED = /^Finished in (?:(\d+) hours? )?(?:(\d+) minutes? )?([\d.]+) seconds?/;
const RERUN = /^rspec (\S+|'[^']+') # (.+)$/;
const DID_YOU_MEAN = /^ {10,}rspec \S+$/;
const FRAME = /^# (?!-)(.*)$/;

type Part = "none" | "failures" | "pending" | "outside" | "failed examples";

/** A failure and which part of it is being read. */
interface Reading {
  readonly draft: FailureDraft;
  readonly indent: number;
  inSource: boolean;
  hasTrace: boolean;
}

/** Reads RSpec's text output: failures, errors outside examples, and the closing list. */
class RspecParser implements LineParser {
  readonly #sink: Sink;
  readonly #held: FailureDraft[] = [];
  #part: Part = "none";
  #reading: Reading | undefined;
  #durationMs: number | undefined;

  constructor(sink: Sink) {
    this.#sink = sink;
  }

  take({ text }: Line): boolean {
    return this.#landmark(text) || this.#readEntry(text) || this.#readBody(text);
  }

  end(): void {
    this.#flush();
  }

  #landmark(text: string): boolean {
    if (text === "Failures:" || text.startsWith("Pending: (Failures listed here")) {
      if (this.#durationMs !== undefined) this.#flush();
      return this.#begin(text === "Failures:" ? "failures" : "pending");
    }
    if (text === "Failed examples:") return this.#begin("failed examples");
    const outside = text.startsWith("An error occurred ") ? OUTSIDE.exec(text) : null;
    if (outside !== null) {
      this.#begin("outside");
      const [, file, hook] = outside;
      this.#read(file ?? hook ?? text, file === undefined ? "unhandled" : "suite", 0);
      if (file !== undefined && this.#reading !== undefined) this.#reading.draft.file = file;
      return true;
    }
    const finished = text.startsWith("Finished in ") ? FINISHED.exec(text) : null;
    if (finished !== null) {
      const [, hours = 0, minutes = 0, seconds] = finished;
      this.#durationMs = Math.round((Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds)) * 1000);
      return this.#begin("none");
    }
    return this.#readCounts(text);
  }

  #readCounts(text: string): boolean {
    const match = COUNTS.exec(text);
    if (match === null) return false;
    this.#begin("none");
    const total = Number(match[1]);
    const failed = Number(match[2]);
    const skipped = Number(match[3] ?? 0);
    const outside = Number(match[4] ?? 0);
    const suites = this.#held.filter((draft) => draft.kind === "suite").length;
    this.#sink.summary({
      ...countsFromTotal(total, { failed, skipped }),
      failedSuites: Math.min(suites, outside),
      unhandledErrors: Math.max(0, outside - suites),
      ...(this.#durationMs === undefined ? {} : { durationMs: this.#durationMs }),
    });
    this.#durationMs ??= 0;
    return true;
  }

  #begin(part: Part): true {
    this.#reading = undefined;
    this.#part = part;
    return true;
  }

  #readEntry(text: string): boolean {
    if (this.#part === "failed examples") return this.#readRerun(text);
    if (this.#part !== "failures" && this.#part !== "pending") return false;
    const match = ENTRY.exec(text);
    if (match === null) return false;
    if (this.#part === "pending") this.#reading = undefined;
    else this.#read((match[2] ?? "").replace(/ FIXED$/, ""), "test", text.indexOf(")") + 2);
    return true;
  }

  #read(name: string, kind: FailureDraft["kind"], indent: number): void {
    const draft: FailureDraft = { name, kind, message: [] };
    this.#held.push(draft);
    this.#reading = { draft, indent, inSource: false, hasTrace: false };
  }

  /** Reads the closing list of commands for failed examples, which is all there is if failures were not printed. */
  #readRerun(text: string): boolean {
    const match = RERUN.exec(text);
    if (match === null) return text.trim() === "";
    const target = (match[1] ?? "").replaceAll("'", "");
    const name = match[2] ?? "";
    const known = this.#held.find((draft) => draft.rerun === undefined && draft.name === name);
    if (known !== undefined) {
      known.rerun = target;
      placeFromTarget(known, target);
      return true;
    }
    const draft: FailureDraft = { name, kind: "test", message: [], rerun: target };
    placeFromTarget(draft, target);
    this.#held.push(draft);
    return true;
  }

  #readBody(text: string): boolean {
    const reading = this.#reading;
    if (reading === undefined) return this.#part === "pending";
    const { draft, indent } = reading;
    if (text.trim() !== "" && text.slice(0, indent).trim() !== "") return this.#leave();
    const line = text.slice(indent);
    const frame = FRAME.exec(line.startsWith("#") ? line : line.trimStart().replace(NESTED, ""));
    if (frame !== null && (line.startsWith("#") || reading.draft.message.some((one) => NESTED.test(one)))) {
      this.#frame(reading, frame[1] ?? "");
      return true;
    }
    if (line === "#") return true;
    if (indent === 0 && reading.hasTrace) return this.#leave();
    this.#messageLine(reading, line);
    return draft !== undefined;
  }

  #leave(): false {
    this.#begin("none");
    return false;
  }

  #frame(reading: Reading, text: string): void {
    reading.hasTrace = true;
    const frame = rubyFrame(text);
    const { draft } = reading;
    if (frame === undefined || isForeignRuby(frame) || draft.line !== undefined) return;
    draft.file = frame.file;
    draft.line = frame.line;
  }

  #messageLine(reading: Reading, line: string): void {
    const { draft } = reading;
    if (NESTED.test(line)) reading.hasTrace = false;
    if (reading.hasTrace || DID_YOU_MEAN.test(line)) return;
    const source = /^Failure\/Error:(.*)$/.exec(line);
    if (source !== null) {
      reading.inSource = (source[1] ?? "").trim() === "";
      if (!reading.inSource) draft.message.push(line);
      return;
    }
    if (reading.inSource) {
      if (line.trim() === "") reading.inSource = false;
      else draft.message.push(line.trim());
      return;
    }
    draft.message.push(line.replace(/^ {2}/, ""));
  }

  #flush(): void {
    this.#begin("none");
    for (const draft of this.#held) {
      splitMessage(draft);
      this.#sink.failure(finishedFailure(draft));
    }
    this.#held.length = 0;
    this.#durationMs = undefined;
  }
}

function placeFromTarget(draft: FailureDraft, target: string): void {
  const at = /^(.+?\.rb)(?::(\d+)|\[)/.exec(target);
  if (at === null || draft.file !== undefined) return;
  draft.file = at[1] ?? "";
  if (at[2] !== undefined) draft.line = Number(at[2]);
}

/**
 * Splits a failure's message: `expected:` and `got:` are stored separately, and the failed expression's source is used only if there is no other
 * message.
 */
function splitMessage(draft: FailureDraft): void {
  const text = draft.message.join("\n");
  const syntax = draft.kind === "suite" ? /^(\S.*):(\d+): (?=syntax error)/m.exec(text) : null;
  if (syntax?.[1]?.endsWith((draft.file ?? "").replace(/^\./, "")) === true) draft.line ??= Number(syntax[2]);
  const source = /^Failure\/Error: .*$/.exec(draft.message[0] ?? "");
  const rest = draft.message.slice(1);
  if (source !== null && rest.some((line) => line.trim() !== "")) draft.message.shift();
  const sides = /(?:^|\n)\s*expected: ?(.*)\n\s*got: ?(.*)/.exec(text);
  if (sides === null) return;
  draft.expected = sides[1] ?? "";
  draft.received = sides[2] ?? "";
}

/** Matches `./spec/cart_spec.rb:3:sums prices`. */
const FAILED = /^(\.{0,2}\/?[\w@%+./-]{1,300}_spec\.rb):(\d{1,9}):(\S.{0,500})$/;
/** Matches a stack frame, or a line of a spec in a search result. */
const OTHER =
  /^in [`'"]|^(?:it|xit|fit|describe|context|expect|let|before|after|require|subject|end)\b|[{(]$| do(?: \|.*\|)?$/;
const MAX_HELD = 5_000;
/** Upper bound on the lines that a program which runs RSpec may print before its output. */
const MAX_BEFORE = 3;

/** Reads RSpec's text output. The `failures` formatter prints only locations, which count only if nothing else was printed. */
export function rspecParser(sink: Sink): LineParser {
  const text = new RspecParser(sink);
  let held: RegExpExecArray[] | undefined = [];
  let before = 0;
  const reportHeld = (): void => {
    for (const [, file = "", number, name = ""] of held ?? [])
      sink.failure({ name, kind: "test", file, line: Number(number), message: name });
  };
  return {
    take(line: Line): boolean {
      const match = held === undefined ? null : FAILED.exec(line.text);
      if (match !== null && !OTHER.test(match[3] ?? "")) {
        if (held !== undefined && held.length < MAX_HELD) held.push(match);
        return true;
      }
      const isBlank = line.text.trim() === "";
      // A blank line ends the output of the `failures` formatter; lines after it belong to another command.
      if (isBlank && held?.length !== 0) reportHeld();
      if (held?.length !== 0 || (!isBlank && ++before > MAX_BEFORE)) held = undefined;
      return text.take(line);
    },
    end(): void {
      text.end();
      reportHeld();
      held = [];
    },
  };
}

/** Reads the report of RSpec's JSON formatter. */
export const rspecReport: DocumentParser = {
  matches: (start) => start.startsWith("{") && start.includes('"examples"') && start.includes('"version"'),
  parse(text, sink) {
    const report = asObject(parseJson(text));
    const summary = asObject(report?.["summary"]);
    if (report === undefined || summary?.["example_count"] === undefined) return false;
    for (const example of asObjects(report["examples"]))
      if (example["status"] === "failed") fail(example, sink);
    const total = asNumber(summary["example_count"]) ?? 0;
    const failed = asNumber(summary["failure_count"]) ?? 0;
    const skipped = asNumber(summary["pending_count"]) ?? 0;
    const seconds = asNumber(summary["duration"]);
    sink.summary({
      ...countsFromTotal(total, { failed, skipped }),
      unhandledErrors: asNumber(summary["errors_outside_of_examples_count"]) ?? 0,
      ...(seconds === undefined ? {} : { durationMs: Math.round(seconds * 1000) }),
    });
    return true;
  },
};

function fail(example: JsonObject, sink: Sink): void {
  const exception = asObject(example["exception"]);
  const backtrace = Array.isArray(exception?.["backtrace"]) ? exception["backtrace"] : [];
  const frame = backtrace
    .map((line) => rubyFrame(asText(line) ?? ""))
    .find((one) => one !== undefined && !isForeignRuby(one));
  const message = asText(exception?.["message"]) ?? "";
  const sides = /(?:^|\n)\s*expected: ?(.*)\n\s*got: ?(.*)/.exec(message);
  const file = asText(example["file_path"]);
  const line = asNumber(example["line_number"]);
  sink.failure(
    defined({
      name: asText(example["full_description"]) ?? asText(example["description"]) ?? "",
      kind: "test" as const,
      message: message.trim(),
      file: frame?.file ?? file,
      line: frame?.line ?? line,
      expected: sides?.[1],
      received: sides?.[2],
      rerun: file === undefined ? undefined : line === undefined ? file : `${file}:${line}`,
    }),
  );
}
