import { diffSides, trimBlank } from "../../javascript/diff.ts";
import { isFrame, plainPath, projectPlace } from "../../javascript/frames.ts";
import { durationMs, quotedPattern } from "../../javascript/runner-output.ts";
import { defined } from "../../parsing/json.ts";
import { colonPlace } from "../../parsing/place.ts";
import type { Found, Line, LineParser, Sink } from "../../tool.ts";
import type { Place } from "../../../model/diagnostic.ts";

/**
 * Matches the first line of a test run: the first module, a test of several modules at once (`./a.ts => adds ... ok
 * (1ms)`) or, with the dot reporter, the errors or the counts.
 */
const RUNNING =
  /^running \d+ tests? from \S|^\S+\.[cm]?[jt]sx? => .{1,2000} \.\.\. (?:ok|FAILED|ignored)\b|^ ERRORS $|^(?:ok|FAILED) \| \d+ passed(?: \(\d+ steps?\))? \| \d+ failed/;
const CHECK = /^(?:error: )?(TS\d{1,6}) \[(ERROR|WARN(?:ING)?)\]: (.*)$/;
const UNCAUGHT = /^error: (Uncaught .*|Module not found .*|Import '.*)$/;
const LINT = /^(error|warning)\[([a-z][a-z0-9/-]+)\]: (.*)$/;
const COMPACT = /^(file:\/\/\S.{0,2000}?): line (\d{1,9}), col (\d{1,9}) - (.*) \(([a-z][a-z0-9/-]*)\)$/;
const ARROW = /^ *--> (\S.*)$/;
const HINT = /^ *= hint: (.*)$/;
const DOCS = /^ *docs: (\S+)$/;
const LINT_CODE = /^ *(?:\d+ *)?\|/;
const UNFORMATTED = /^from (\S.*):$/;
const DIFF = /^ *(?:\d+ )?\| *(?:[-+]|\.\.\.)/;
const CLOSING =
  /^(?:Found \d+ (?:problems?|errors?)\.?|Checked \d+ files?|Check (?:file:\/\/)?\S+|error: Type checking failed\.|error: Test failed)$/;
const CARET = /^ *[\^~]+$/;

interface Pending {
  readonly found: Found;
  readonly lint: boolean;
  readonly lines: string[];
  place: Place | undefined;
  readonly help: string[];
  url: string | undefined;
}

/** Reads `deno check`, `lint`, `fmt --check` and `test`, and uncaught errors of `deno run`. */
export function denoParser(sink: Sink): LineParser {
  return new DenoReader(sink);
}

class DenoReader implements LineParser {
  readonly #sink: Sink;
  #run: DenoTestRun | undefined;
  #pending: Pending | undefined;
  #unformatted: string | undefined;
  #inDiff = false;

  constructor(sink: Sink) {
    this.#sink = sink;
  }

  take({ text }: Line): boolean {
    if (text.length > 20_000) return false;
    if (this.#run === undefined && RUNNING.test(text)) this.#run = new DenoTestRun(this.#sink);
    if (this.#run !== undefined) {
      this.#run.take(text);
      if (!this.#run.open) this.#run = undefined;
      return true;
    }
    return (
      this.#readHead(text) ||
      this.#continues(text) ||
      this.#readFormat(text) ||
      (CLOSING.test(text) && text !== "")
    );
  }

  end(): void {
    this.#run?.end();
    this.#run = undefined;
    this.#close();
  }

  #readHead(text: string): boolean {
    const found = readCheckLine(text) ?? readLintLine(text) ?? readCompactLine(text);
    if (found === undefined) return false;
    this.#close();
    if (found.file !== undefined) this.#sink.diagnostic(found);
    else
      this.#pending = { found, lint: LINT.test(text), lines: [], place: undefined, help: [], url: undefined };
    return true;
  }

  #continues(text: string): boolean {
    const pending = this.#pending;
    if (pending === undefined) return false;
    const mine = pending.lint ? lintDetail(pending, text) : stackDetail(pending, text);
    if (!mine) this.#close();
    return mine;
  }

  /** Reads `from file:` followed by a diff, which means that the file is not formatted. */
  #readFormat(text: string): boolean {
    if (this.#unformatted !== undefined && DIFF.test(text)) {
      this.#sink.diagnostic({ severity: "error", file: this.#unformatted, message: "not formatted" });
      this.#unformatted = undefined;
      this.#inDiff = true;
      return true;
    }
    this.#unformatted = UNFORMATTED.exec(text)?.[1];
    this.#inDiff &&= DIFF.test(text);
    return this.#inDiff;
  }

  #close(): void {
    const pending = this.#pending;
    this.#pending = undefined;
    if (pending === undefined) return;
    const { found, lines, place, help, url } = pending;
    this.#sink.diagnostic({
      ...found,
      // A diagnostic about a Python file comes from ty, a type checker for Python, which prints the same format as
      // Deno.
      ...(/\.pyi?$/.test(place?.file ?? "") ? { tool: "ty" } : {}),
      message: [found.message, ...lines].join("\n"),
      ...place,
      ...(help.length > 0 ? { help } : {}),
      ...(url === undefined ? {} : { url }),
    });
  }
}

function readCheckLine(text: string): Found | undefined {
  const [, code, word, message = ""] = CHECK.exec(text) ?? [];
  if (code !== undefined) return { severity: word === "ERROR" ? "error" : "warning", code, message };
  const uncaught = UNCAUGHT.exec(text)?.[1];
  return uncaught === undefined ? undefined : { severity: "error", message: uncaught };
}

function readLintLine(text: string): Found | undefined {
  const [, word, code, message = ""] = LINT.exec(text) ?? [];
  return code === undefined ? undefined : { severity: word === "error" ? "error" : "warning", code, message };
}

function readCompactLine(text: string): Found | undefined {
  const [, url, line, column, message = "", code = ""] = COMPACT.exec(text) ?? [];
  if (url === undefined) return undefined;
  return {
    severity: "error",
    file: plainPath(url),
    line: Number(line),
    column: Number(column),
    message,
    code,
  };
}

function lintDetail(pending: Pending, text: string): boolean {
  const arrow = ARROW.exec(text)?.[1];
  const hint = HINT.exec(text)?.[1];
  const docs = DOCS.exec(text)?.[1];
  if (arrow !== undefined) pending.place = colonPlace(plainPath(arrow));
  else if (hint !== undefined) pending.help.push(hint);
  else if (docs !== undefined) pending.url = docs;
  else return text.trim() === "" || LINT_CODE.test(text);
  return true;
}

/** Continues an uncaught error: more of the message, then the quoted source code, a caret and the location. */
function stackDetail(pending: Pending, text: string): boolean {
  if (isFrame(text)) {
    pending.place ??= projectPlace([text]);
    return true;
  }
  if (pending.place !== undefined || text.trim() === "") return false;
  if (CARET.test(text)) pending.lines.pop();
  else pending.lines.push(text);
  return true;
}

const HEADER = /^(\S.*) => (\S.*:\d+:\d+)$/;
const TEST_UNCAUGHT = /^(\S.*) \(uncaught error\)$/;
const SECTION = /^ ?(ERRORS|FAILURES) ?$/;
const TEST_CLOSING = /^(?:ok|FAILED) \| (.*)$/;
const TEST_CARET = /^ *\^+$/;
const COUNT = /(\d{1,9}) (passed|failed|ignored|measured|filtered out)/g;
const TEST_DIFF = /^ *\[Diff\] /;

/** Reads one run of `deno test`. */
class DenoTestRun {
  readonly #sink: Sink;
  #section: string | undefined;
  #block:
    | { readonly name: string; readonly at: string; readonly suite: boolean; readonly lines: string[] }
    | undefined;
  open = true;

  constructor(sink: Sink) {
    this.#sink = sink;
  }

  take(text: string): void {
    const closing = TEST_CLOSING.exec(text)?.[1];
    const section = SECTION.exec(text)?.[1];
    if (closing !== undefined) return this.#close(closing);
    if (section !== undefined) {
      this.#closeBlock();
      this.#section = section;
    } else if (this.#section === "ERRORS" && !this.#readHeader(text)) this.#block?.lines.push(text);
  }

  end(): void {
    this.#closeBlock();
    this.open = false;
  }

  #readHeader(text: string): boolean {
    const [, name, at] = HEADER.exec(text) ?? [];
    const module = TEST_UNCAUGHT.exec(text)?.[1];
    if (name === undefined && module === undefined) return false;
    this.#closeBlock();
    this.#block = {
      name: name ?? module ?? "",
      at: at ?? module ?? "",
      suite: name === undefined,
      lines: [],
    };
    return true;
  }

  #closeBlock(): void {
    const block = this.#block;
    this.#block = undefined;
    if (block === undefined) return;
    const end = block.lines.findIndex((line) => isFrame(line));
    const content = end < 0 ? block.lines : block.lines.slice(0, end);
    const caret = content.findLastIndex((line) => TEST_CARET.test(line));
    const message = caret > 0 ? content.slice(0, caret - 1) : content;
    const diff = message.findIndex((line) => TEST_DIFF.test(line));
    const sides = diff < 0 ? undefined : diffSides(message.slice(diff + 1), { expected: "+", received: "-" });
    const text = trimBlank(sides === undefined ? message : message.slice(0, diff)).join("\n");
    const declared = colonPlace(block.at) ?? { file: block.at };
    this.#sink.failure({
      name: block.name.replaceAll(" ... ", " > "),
      kind: block.suite ? "suite" : "test",
      message: text.replace(/^error: /, "").trimEnd(),
      ...declared,
      ...projectPlace(block.lines),
      ...sides,
      rerun: block.suite
        ? declared.file
        : `${declared.file} --filter ${quotedPattern(block.name.split(" ... ")[0] ?? "")}`,
    });
  }

  #close(closing: string): void {
    this.end();
    const counts = new Map(
      [...closing.matchAll(COUNT)].map(([, number, word = ""]) => [word, Number(number)]),
    );
    this.#sink.summary(
      defined({
        passed: counts.get("passed") ?? 0,
        failed: counts.get("failed") ?? 0,
        skipped: counts.get("ignored") ?? 0,
        durationMs: durationMs(/\(([^()]*)\)$/.exec(closing)?.[1] ?? ""),
      }),
    );
  }
}
