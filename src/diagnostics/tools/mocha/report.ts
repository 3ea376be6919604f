import { readNodeError } from "../../javascript/node-error.ts";
import { quotedPattern } from "../../javascript/runner-output.ts";
import { asNumber, asObject, asObjects, asText, defined, parseJson } from "../../parsing/json.ts";
import type { JsonObject } from "../../parsing/json.ts";
import type { Sink } from "../../tool.ts";

export function isMochaReport(start: string): boolean {
  return start.includes('"stats"') && start.includes('"suites"') && start.includes('"passes"');
}

/** Reads the report of Mocha's JSON reporter. */
export function readMochaReport(text: string, sink: Sink): boolean {
  const report = asObject(parseJson(text));
  const stats = asObject(report?.["stats"]);
  if (report === undefined || stats === undefined || !Array.isArray(report["failures"])) return false;
  for (const test of asObjects(report["failures"])) readFailure(test, sink);
  sink.summary(
    defined({
      passed: asNumber(stats["passes"]),
      failed: asNumber(stats["failures"]),
      skipped: asNumber(stats["pending"]),
      total: asNumber(stats["tests"]),
      durationMs: asNumber(stats["duration"]),
    }),
  );
  return true;
}

function readFailure(test: JsonObject, sink: Sink): void {
  const error = asObject(test["err"]);
  const stack = readNodeError((asText(error?.["stack"]) ?? "").split("\n"));
  const name = asText(test["fullTitle"]) ?? asText(test["title"]) ?? "";
  const sides = { expected: valueOf(error?.["expected"]), received: valueOf(error?.["actual"]) };
  sink.failure({
    name,
    kind: "test",
    message: stack.message === "" ? (asText(error?.["message"]) ?? "") : stack.message,
    ...defined({ file: asText(test["file"]), ...sides }),
    ...stack.place,
    rerun: `-g ${quotedPattern(name)}`,
  });
}

function valueOf(value: unknown): string | undefined {
  return value === undefined ? undefined : (asText(value) ?? JSON.stringify(value));
}

const EVENT = /^\["(?:start|pass|fail|end)",\{/;

/** Reads one event of Mocha's `json-stream` reporter; returns false for any other line. */
export function readStreamEvent(text: string, sink: Sink): boolean {
  const event = EVENT.test(text) ? parseJson(text) : undefined;
  if (!Array.isArray(event) || event.length !== 2) return false;
  const [kind, reported]: unknown[] = event;
  const data = asObject(reported);
  if (data === undefined) return false;
  if (kind === "fail") return readStreamFailure(data, sink);
  if (kind === "end") return readEnd(data, sink);
  return kind === "start" ? asNumber(data["total"]) !== undefined : asText(data["fullTitle"]) !== undefined;
}

function readStreamFailure(test: JsonObject, sink: Sink): boolean {
  const name = asText(test["fullTitle"]);
  if (name === undefined) return false;
  const stack = readNodeError((asText(test["stack"]) ?? "").split("\n"));
  const isHook = /"(?:before|after) (?:all|each)" hook\b/.test(asText(test["title"]) ?? "");
  sink.failure({
    name,
    kind: isHook ? "suite" : "test",
    message: stack.message === "" ? (asText(test["err"]) ?? "") : stack.message,
    ...defined({ file: asText(test["file"]) }),
    ...stack.place,
    rerun: `-g ${quotedPattern(name)}`,
  });
  return true;
}

function readEnd(stats: JsonObject, sink: Sink): boolean {
  const passed = asNumber(stats["passes"]);
  const failed = asNumber(stats["failures"]);
  if (passed === undefined || failed === undefined) return false;
  const rest = { skipped: asNumber(stats["pending"]), durationMs: asNumber(stats["duration"]) };
  sink.summary({ passed, failed, ...defined(rest) });
  return true;
}

const SECTION = /^ +<section class="suite">$/;
const SECTION_END = /^ +<\/section>$/;
const TITLE = /^ +<h1>(.*)<\/h1>$/;
const TERM = /^ +<dt(?: class="error")?>(.*)<\/dt>$/;
const CODE = /^ +<dd(?: class="error")?><pre><code>/;
const SAID = /^ +<dd class="error">(?!<pre>)(.*)$/;
const END = "</dd>";
const MAX_LINES = 400;

/** Reads Mocha's `doc` reporter, an HTML definition list that names failures but has no counts. */
export class MochaDoc {
  readonly #sink: Sink;
  readonly #suites: string[] = [];
  #depth = 0;
  #terms: string[] = [];
  #inCode = false;
  #message: string[] | undefined;
  #passed = 0;
  #failed = 0;

  constructor(sink: Sink) {
    this.#sink = sink;
  }

  take(text: string): boolean {
    if (SECTION.test(text)) {
      this.#depth++;
      return true;
    }
    if (this.#depth === 0) return false;
    if (this.#message !== undefined || this.#inCode) return this.#readInside(text);
    const title = TITLE.exec(text)?.[1];
    if (title !== undefined) this.#suites.push(plainText(title));
    const term = TERM.exec(text)?.[1];
    if (term !== undefined) this.#terms.push(plainText(term));
    else if (CODE.test(text)) this.#readDefinition(text);
    else if (SAID.test(text)) return this.#readContent(text);
    else if (SECTION_END.test(text)) this.#leave();
    return text.startsWith(" ") || text.trim() === "";
  }

  #readDefinition(text: string): void {
    // A definition without the class `error` is the code of a passed test; the message of a failed test follows below
    // its code.
    if (!text.includes('class="error"')) {
      this.#passed++;
      this.#terms = [];
    }
    this.#inCode = !text.endsWith(END);
  }

  #readContent(text: string): boolean {
    this.#message = [];
    return this.#readInside(SAID.exec(text)?.[1] ?? "");
  }

  #readInside(text: string): boolean {
    const isLast = text.endsWith(END);
    const lines = this.#message;
    if (lines === undefined) {
      this.#inCode = !isLast;
      return true;
    }
    if (lines.length < MAX_LINES) lines.push(isLast ? text.slice(0, -END.length) : text);
    if (isLast) this.#fail(lines);
    return true;
  }

  #fail(lines: readonly string[]): void {
    const [title = "", file] = this.#terms;
    const isHook = /^"(?:before|after) (?:all|each)" hook\b/.test(title);
    if (!isHook) this.#failed++;
    this.#sink.failure({
      name: [...this.#suites, title].join(" > "),
      kind: isHook ? "suite" : "test",
      message: plainText(lines.join("\n")).trim(),
      ...(file === undefined ? {} : { file }),
    });
    this.#message = undefined;
    this.#terms = [];
  }

  #leave(): void {
    this.#suites.pop();
    this.#depth--;
    if (this.#depth > 0 || this.#passed + this.#failed === 0) return;
    this.#sink.summary({ passed: this.#passed, failed: this.#failed });
    this.#passed = 0;
    this.#failed = 0;
  }
}

const NAMED: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'" };

/** Decodes HTML entities. */
function plainText(html: string): string {
  return html.replaceAll(
    /&(?:#x([0-9a-fA-F]{1,6})|#(\d{1,7})|([a-z]{2,5}));/g,
    (whole, hex, decimal, name) => {
      const code = hex === undefined ? Number(decimal ?? -1) : Number.parseInt(String(hex), 16);
      if (name !== undefined) return NAMED[String(name)] ?? whole;
      return code <= 0x10_ff_ff ? String.fromCodePoint(code) : whole;
    },
  );
}
