import { trimEndOf } from "../../parsing/trim-end.ts";
import { stripEscapes } from "../../clean/escapes.ts";
import { isFrame } from "../../javascript/frames.ts";
import { readJestError } from "../../javascript/jest-error.ts";
import { annotationTitle, durationMs } from "../../javascript/runner-output.ts";
import { asNumber, asObject, asObjects, asText, defined, parseJson } from "../../parsing/json.ts";
import type { JsonObject } from "../../parsing/json.ts";
import { colonPlace } from "../../parsing/place.ts";
import type { Line, LineParser, Sink } from "../../tool.ts";
import type { Place } from "../../../model/diagnostic.ts";

const RUNNING = /^Running \d+ tests? using \d+ workers?/;
const NUMBERED = /^ {2}\d+\) (\S.*)$/;
const COUNT = /(\d{1,9}) (passed|failed|flaky|skipped|did not run|interrupted)/g;
const COUNT_LINE =
  /^ {0,2}(?:\d+ (?:passed|failed|flaky|skipped|did not run|interrupted)(?:, |$| \([^()]*\)$))+/;
const LISTED = /^ {4}\S/;
const NO_TESTS = /^Error: No tests found/;
const LOAD_HEAD = /^\w*Error: /;
const LOAD_AT = /^ {3}at (\S.*):(\d+)$/;
const RETRY = /^Retry #\d+ ─/;
const EXTRA = /^(?:Error Context: |attachment #\d+: |Pending operations:|Usage:$)/;
const CROSSED = /^ +[✘✗] +(?:\d+ |\[\d+\/\d+\] )?(\S.*?)(?: \(\d[\d.]*m?s\))?$/;
const TICKED = /^ +([✓-]) +(?:\d+ |\[\d+\/\d+\] )?(\S.*?)(?: \(retry #\d+\))?(?: \(\d[\d.]*m?s\))?$/;
const NOTICE = /^::notice title=🎭/;

interface Block {
  readonly title: Title;
  readonly lines: string[];
}

/** Reads Playwright's list, line, dot and GitHub reporters. */
export function playwrightParser(sink: Sink): LineParser {
  return new PlaywrightReader(sink);
}

class PlaywrightReader implements LineParser {
  readonly #sink: Sink;
  #isOpen = false;
  #blocks: Block[] = [];
  #block: Block | undefined;
  /**
   * Failed tests in the list that is printed during the run, used if the run is killed before it prints their details.
   */
  #crossed: Title[] = [];
  readonly #counts = new Map<string, number>();
  #duration: number | undefined;
  #listing: string | undefined;
  /** Titles in the closing list of flaky tests. */
  readonly #flaky = new Set<string>();
  #load: string[] = [];
  #isLoaded = false;

  constructor(sink: Sink) {
    this.#sink = sink;
  }

  take({ text }: Line): boolean {
    if (text.length > 20_000) return this.#isOpen;
    if (RUNNING.test(text)) {
      this.end();
      this.#isOpen = true;
      return true;
    }
    if (NO_TESTS.test(text)) return this.#readNoTests(text);
    if (!this.#isOpen) return this.#readLoadError(text) || this.#readNumbered(text);
    return this.#readNumbered(text) || this.#readClosing(text) || this.#readInside(text);
  }

  end(): void {
    this.#block = undefined;
    if (this.#blocks.length === 0) for (const title of this.#crossed) this.#report({ title, lines: [] });
    for (const block of this.#blocks) this.#report(block);
    this.#crossed = [];
    this.#blocks = [];
    this.#summary();
    this.#flaky.clear();
    this.#listing = undefined;
    this.#isOpen = false;
  }

  #readNumbered(text: string): boolean {
    const content = NUMBERED.exec(text)?.[1];
    const title = content === undefined ? undefined : readTitle(content);
    if (title === undefined) return this.#readAnnotated(text);
    this.#isOpen = true;
    this.#block = { title, lines: [] };
    this.#blocks.push(this.#block);
    return true;
  }

  #readAnnotated(text: string): boolean {
    return (
      NOTICE.test(text) || (readTitle(annotationTitle(text) ?? "") !== undefined && text.startsWith("::"))
    );
  }

  /** Reads the closing lists: `  2 failed`, the titles below it, `  5 passed (11.2s)`. */
  #readClosing(text: string): boolean {
    if (COUNT_LINE.test(text)) {
      this.#block = undefined;
      for (const [, number, word = ""] of text.matchAll(COUNT)) {
        this.#counts.set(word, Number(number));
        this.#listing = word;
      }
      this.#duration = durationMs(/\(([^()]*)\)$/.exec(text)?.[1] ?? "") ?? this.#duration;
      return true;
    }
    if (this.#listing === undefined) return false;
    if (LISTED.test(text)) {
      const title = readTitle(text);
      if (title !== undefined && this.#listing === "flaky") this.#flaky.add(title.text);
      return true;
    }
    this.end();
    return text.trim() === "";
  }

  #readInside(text: string): boolean {
    if (!this.#isOpen) return false;
    this.#block?.lines.push(text);
    const crossed = this.#block === undefined ? CROSSED.exec(text)?.[1] : undefined;
    const title = crossed === undefined ? undefined : readTitle(crossed);
    if (title !== undefined) this.#crossed.push(title);
    else if (this.#block === undefined) this.#readTicked(text);
    return true;
  }

  #readTicked(text: string): void {
    const [, mark, content = ""] = TICKED.exec(text) ?? [];
    const title = mark === undefined ? undefined : readTitle(content);
    if (title === undefined) return;
    const { name, place } = title;
    this.#sink.outcome({ name, file: place.file, result: mark === "✓" ? "passed" : "skipped" });
  }

  #report({ title, lines }: Block): void {
    const retry = lines.findIndex((line) => RETRY.test(line.trim()));
    const first = retry < 0 ? lines : lines.slice(0, retry);
    const flaky = [...this.#flaky].some((text) => title.text === text || title.text.startsWith(`${text} › `));
    for (const error of splitErrors(first.map((line) => line.replace(/^ {1,4}/, "")))) {
      const { message, place, sides } = readJestError(error);
      const at = place ?? title.place;
      if (flaky)
        this.#sink.diagnostic({
          severity: "warning",
          ...at,
          message: `Flaky test: ${title.name}\n${message}`,
        });
      else
        this.#sink.failure({
          name: title.name,
          kind: "test",
          message,
          ...at,
          ...sides,
          rerun: rerunOf(title),
        });
    }
  }

  #summary(): void {
    const count = (word: string): number => this.#counts.get(word) ?? 0;
    if (this.#counts.size > 0)
      this.#sink.summary(
        defined({
          // Flaky tests are counted as passed, because they passed in the end.
          passed: count("passed") + count("flaky"),
          failed: count("failed") + count("interrupted"),
          skipped: count("skipped") + count("did not run"),
          durationMs: this.#duration,
        }),
      );
    this.#counts.clear();
    this.#duration = undefined;
  }

  #readNoTests(text: string): boolean {
    this.#sink.summary({ passed: 0, failed: 0, skipped: 0, total: 0 });
    this.#sink.diagnostic({ severity: "error", message: text.replace(/^Error: /, "") });
    return true;
  }

  /** Reads a file that did not load, which is named below its error, relative to the folder of the tests: `   at a.spec.ts:1`. */
  #readLoadError(text: string): boolean {
    const [, file, line] = LOAD_AT.exec(text) ?? [];
    if (file !== undefined && this.#load.length > 0) {
      const { message, place } = readJestError(this.#load);
      this.#sink.failure({ name: file, kind: "suite", message, ...(place ?? { file, line: Number(line) }) });
      this.#load = [];
      this.#isLoaded = true;
      return true;
    }
    if (LOAD_HEAD.test(text)) {
      this.#load = [text];
      this.#isLoaded = false;
    } else if (this.#load.length > 0 && this.#load.length < 12) this.#load.push(text);
    else this.#load = [];
    return this.#isLoaded && (text.trim() === "" || /^ *(?:> *)?(?:\d+ *)?\|/.test(text) || isFrame(text));
  }
}

/** Splits the errors of a test; each starts where the stack of the previous one ends. */
function splitErrors(lines: readonly string[]): readonly (readonly string[])[] {
  const errors: string[][] = [[]];
  let stack = false;
  for (const line of lines) {
    if (EXTRA.test(line)) break;
    if (stack && line.trim() !== "" && !line.startsWith(" ")) {
      errors.push([]);
      stack = false;
    }
    stack ||= isFrame(line);
    errors.at(-1)?.push(line.replace(/^Error: (?=expect)/, ""));
  }
  return errors;
}

function rerunOf({ place, project }: Title): string {
  return `${place.file}:${place.line ?? 1}${project === undefined ? "" : ` --project=${JSON.stringify(project)}`}`;
}

/** A test as Playwright names it: `[project] › file:3:5 › suite › test`. */
interface Title {
  /** The title as printed, without the horizontal line that fills the rest of the row. */
  readonly text: string;
  readonly project: string | undefined;
  readonly place: Place;
  /** Names of the project, the suites and the test. */
  readonly name: string;
}

const PROJECT = /^\[([^\]]{1,200})\] [›>] /;

/** Reads a title, or returns undefined for any other text. */
function readTitle(line: string): Title | undefined {
  if (line.length > 4_000) return undefined;
  const text = trimEndOf(line, " ─").trim();
  const project = PROJECT.exec(text)?.[1];
  const rest = text.replace(PROJECT, "");
  const arrow = rest.search(/ [›>] /);
  const place = arrow < 0 ? undefined : colonPlace(rest.slice(0, arrow));
  if (place?.column === undefined) return undefined;
  const name = rest.slice(arrow + 3);
  return { text, project, place, name: project === undefined ? name : `[${project}] › ${name}` };
}

export function isPlaywrightReport(start: string): boolean {
  return (
    /"(?:config|stats|suites)"/.test(start) &&
    (start.includes('"rootDir"') || start.includes('"specs"') || start.includes('"unexpected"'))
  );
}

/** Reads the report of Playwright's JSON reporter. */
export function readPlaywrightReport(text: string, sink: Sink): boolean {
  const report = asObject(parseJson(text));
  if (report === undefined || !Array.isArray(report["suites"])) return false;
  const counts = { passed: 0, failed: 0, skipped: 0 };
  for (const suite of asObjects(report["suites"])) readSuite(suite, [], { sink, counts });
  for (const error of asObjects(report["errors"])) {
    const { message, place } = readError(error);
    sink.failure({ name: place?.file ?? "Playwright", kind: "suite", message, ...place });
  }
  const stats = asObject(report["stats"]);
  const of = (key: string): number => asNumber(stats?.[key]) ?? 0;
  const counted = stats === undefined ? counts : undefined;
  sink.summary(
    defined({
      passed: counted?.passed ?? of("expected") + of("flaky"),
      failed: counted?.failed ?? of("unexpected"),
      skipped: counted?.skipped ?? of("skipped"),
      durationMs: stats === undefined ? undefined : Math.round(of("duration")),
    }),
  );
  return true;
}

interface Reading {
  readonly sink: Sink;
  readonly counts: { passed: number; failed: number; skipped: number };
}

function readSuite(suite: JsonObject, above: readonly string[], reading: Reading): void {
  const title = asText(suite["title"]) ?? "";
  // The outermost suite stands for the file, so its title is not part of the test's name.
  const path = above.length === 0 ? [""] : [...above, title];
  for (const spec of asObjects(suite["specs"])) readSpec(spec, path.filter(Boolean), reading);
  for (const inner of asObjects(suite["suites"])) readSuite(inner, path, reading);
}

function readSpec(spec: JsonObject, path: readonly string[], { sink, counts }: Reading): void {
  for (const test of asObjects(spec["tests"])) {
    const results = asObjects(test["results"]);
    const status = asText(test["status"]) ?? asText(results.at(-1)?.["status"]) ?? "";
    if (status === "skipped") counts.skipped++;
    else if (status === "unexpected" || status === "failed" || status === "timedOut") counts.failed++;
    else counts.passed++;
    if (!/^(?:unexpected|failed|timedOut)$/.test(status)) continue;
    const result = results[0];
    const errors = asObjects(result?.["errors"]);
    const { message, place, sides } = readError(errors[0] ?? asObject(result?.["error"]) ?? {});
    const project = asText(test["projectName"]);
    const names = [...(project === undefined || project === "" ? [] : [`[${project}]`]), ...path];
    const file = asText(spec["file"]);
    const line = asNumber(spec["line"]);
    sink.failure({
      name: [...names, asText(spec["title"]) ?? ""].join(" › "),
      kind: "test",
      message,
      ...(place ?? defined({ file, line, column: asNumber(spec["column"]) })),
      ...sides,
      ...(file === undefined || line === undefined ? {} : { rerun: `${file}:${line}` }),
    });
  }
}

function readError(error: JsonObject): ReturnType<typeof readJestError> {
  const text = asText(error["stack"]) ?? asText(error["message"]) ?? asText(error["value"]) ?? "";
  return readJestError(
    stripEscapes(text)
      .replace(/^Error: (?=expect)/, "")
      .split("\n"),
  );
}
