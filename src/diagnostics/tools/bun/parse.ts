import { trimBlank } from "../../javascript/diff.ts";
import { isFrame, projectPlace, stackFrame } from "../../javascript/frames.ts";
import { readJestError } from "../../javascript/jest-error.ts";
import type { JestError } from "../../javascript/jest-error.ts";
import { unknownCommand } from "../../javascript/package-scripts.ts";
import { durationMs, quotedPattern } from "../../javascript/runner-output.ts";
import { defined } from "../../parsing/json.ts";
import type { Line, LineParser, Sink } from "../../tool.ts";

const TEST = /^bun test v\d/;
const INSTALL = /^bun (?:install|add|update|remove|i) v\d/;
const CODE = /^ *\d+ \| /;
const CARET = /^ *\^$/;
const HEAD = /^(error|warn|note|\w*Error)(?: \[\w+\])?: (.*)$/;
const SCRIPT = /^error: (?:script "[^"]{1,200}" (?:exited with|was terminated)|Script not found ")/;
const NO_FILES =
  /^(?:The following filters did not match any test files:|error: 0 test files matching|No tests found!)/;
const END_OF_INSTALL = /^(?:\d+ packages? installed|Checked \d+ installs?|Saved lockfile|Done!)/;

interface Pending {
  readonly severity: "error" | "warning";
  readonly message: string[];
  readonly stack: string[];
}

/** Reads the output of `bun test`, `bun install` and `bun build`, and of scripts that throw. */
export function bunParser(sink: Sink): LineParser {
  return new BunReader(sink);
}

class BunReader implements LineParser {
  readonly #sink: Sink;
  #run: BunTestRun | undefined;
  #installing: string[] | undefined;
  #help: string[] = [];
  #hasCaret = false;
  #inCode = false;
  #pending: Pending | undefined;

  constructor(sink: Sink) {
    this.#sink = sink;
  }

  take({ text }: Line): boolean {
    if (text.length > 20_000) return false;
    if (TEST.test(text)) {
      this.end();
      this.#run = new BunTestRun(this.#sink);
      return true;
    }
    if (NO_FILES.test(text)) return this.#readNoTests(text);
    if (this.#run !== undefined) {
      this.#run.take(text);
      if (!this.#run.open) this.#run = undefined;
      return true;
    }
    if (INSTALL.test(text)) {
      this.end();
      this.#installing = [];
      return true;
    }
    return (
      this.#continuesPending(text) || this.#readFrame(text) || this.#install(text) || this.#readScript(text)
    );
  }

  end(): void {
    this.#run?.end();
    this.#run = undefined;
    this.#closePending();
    this.#closeInstall();
    this.#installing = undefined;
  }

  #readNoTests(text: string): boolean {
    this.#run = undefined;
    this.#sink.summary({ passed: 0, failed: 0, skipped: 0, total: 0 });
    this.#sink.diagnostic({ severity: "error", message: text.replace(/^error: /, "") });
    return true;
  }

  /** Reads an error of a script: first the quoted source code, then a caret, the message and the location. */
  #readFrame(text: string): boolean {
    const [, word = "", content = ""] = this.#hasCaret ? (HEAD.exec(text) ?? []) : [];
    this.#hasCaret = CARET.test(text) && this.#inCode;
    this.#inCode = CODE.test(text) || this.#hasCaret;
    if (word === "") return false;
    const plain = word === "error" || word === "warn" || word === "note";
    this.#pending = {
      severity: word === "warn" || word === "note" ? "warning" : "error",
      message: [plain ? content : `${word}: ${content}`],
      stack: [],
    };
    return true;
  }

  #continuesPending(text: string): boolean {
    const pending = this.#pending;
    if (pending === undefined) return false;
    if (isFrame(text) && stackFrame(text) !== undefined) {
      pending.stack.push(text);
      return true;
    }
    if (text.trim() !== "" && pending.stack.length === 0 && pending.message.length < 40 && !CODE.test(text)) {
      pending.message.push(text);
      return true;
    }
    this.#closePending();
    return false;
  }

  #closePending(): void {
    const pending = this.#pending;
    this.#pending = undefined;
    if (pending === undefined) return;
    const frames = pending.stack.map(stackFrame).filter((frame) => frame !== undefined);
    const place = (frames.find((frame) => !frame.isForeign) ?? frames[0])?.place;
    this.#sink.diagnostic({ severity: pending.severity, message: pending.message.join("\n"), ...place });
  }

  /** Reads installation errors. Consecutive errors are one failure and its consequences. */
  #install(text: string): boolean {
    const errors = this.#installing;
    if (errors === undefined) return false;
    const [, word = "", content = ""] = HEAD.exec(text) ?? [];
    if (word === "error") errors.push(content);
    else if (word === "note" && errors.length > 0) this.#help.push(content);
    else {
      this.#closeInstall();
      if (word === "warn") this.#sink.diagnostic({ severity: "warning", message: content });
      if (END_OF_INSTALL.test(text)) this.#installing = undefined;
      return word === "warn";
    }
    return true;
  }

  #closeInstall(): void {
    const errors = this.#installing ?? [];
    const help = this.#help;
    if (this.#installing !== undefined) this.#installing = [];
    this.#help = [];
    if (errors.length > 0)
      this.#sink.diagnostic({
        severity: "error",
        message: errors.join("\n"),
        ...(help.length > 0 ? { help } : {}),
      });
  }

  #readScript(text: string): boolean {
    const complaint = unknownCommand(text);
    if (complaint !== undefined) this.#sink.diagnostic(complaint);
    const mine = SCRIPT.test(text);
    if (mine) this.#sink.diagnostic({ severity: "error", message: text.slice("error: ".length) });
    return mine || complaint !== undefined;
  }
}

const OUTCOME = /^(?:\((pass|fail|skip|todo)\)|([✓✗»✎])) (\S.*?)(?: \[(\d[\d.]*)m?s\])?$/;
const FILE = /^(\S.*\.[cm]?[jt]sx?):$/;
const COUNT = /^ *(\d+) (pass|fail|skip|todo|errors?|filtered out)$/;
const RAN = /^Ran \d+ tests? across \d+ files?\.? *(?:\[(.*)\])?$/;
const TIMED_OUT = /^ {2}\^ (this test timed out after .*)$/;
const BETWEEN = "# Unhandled error between tests";
const DASHES = /^-{5,}$/;
const TEST_CODE = /^ *\d+ \| |^ *\^$/;
const TEST_ERROR = /^(?:error|\w*Error)(?: \[\w+\])?: /;

/** Reads one run of `bun test`, from its first line to its last. */
class BunTestRun {
  readonly #sink: Sink;
  readonly #counts = new Map<string, number>();
  #file: string | undefined;
  #lines: string[] = [];
  #failed: { readonly name: string; readonly lines: readonly string[] } | undefined;
  #between = 0;
  #suites = 0;
  open = true;

  constructor(sink: Sink) {
    this.#sink = sink;
  }

  take(text: string): void {
    const timedOut = TIMED_OUT.exec(text)?.[1];
    if (timedOut !== undefined && this.#failed !== undefined)
      this.#failed = { ...this.#failed, lines: [`error: ${timedOut}`] };
    this.#report();
    if (timedOut !== undefined || this.#readOutcome(text) || this.#readGap(text) || this.#count(text)) return;
    const file = FILE.exec(text)?.[1];
    if (file === undefined) this.#lines.push(text);
    else {
      this.#file = file;
      this.#lines = [];
    }
    const ran = RAN.exec(text);
    if (ran !== null) this.end(durationMs(ran[1] ?? ""));
  }

  end(duration?: number): void {
    if (!this.open) return;
    this.#report();
    this.open = false;
    const counts = this.#counts;
    if (counts.size === 0) return;
    const errors = (counts.get("errors") ?? 0) + (counts.get("error") ?? 0);
    const skipped = (counts.get("skip") ?? 0) + (counts.get("todo") ?? 0);
    this.#sink.summary(
      defined({
        passed: counts.get("pass") ?? 0,
        failed: counts.get("fail") ?? 0,
        skipped,
        failedSuites: this.#suites,
        unhandledErrors: Math.max(0, errors - this.#suites),
        durationMs: duration,
      }),
    );
  }

  /** Reads a test's result. The error of a failed test is printed before its name, that of a timeout after it. */
  #readOutcome(text: string): boolean {
    const [, word, mark, name = ""] = OUTCOME.exec(text) ?? [];
    if (word === undefined && mark === undefined) return false;
    if (word === "fail" || mark === "✗") this.#failed = { name, lines: this.#lines };
    else {
      const result = word === "pass" || mark === "✓" ? "passed" : "skipped";
      this.#sink.outcome({ name, result, ...(this.#file === undefined ? {} : { file: this.#file }) });
    }
    this.#lines = [];
    return true;
  }

  #report(): void {
    const failed = this.#failed;
    this.#failed = undefined;
    if (failed === undefined) return;
    const { message, place, sides } = readBunError(failed.lines);
    const file = this.#file;
    this.#sink.failure({
      name: failed.name,
      kind: "test",
      message,
      ...(file === undefined ? {} : { file }),
      ...place,
      ...sides,
      rerun: `${file === undefined ? "" : `${file} `}-t ${quotedPattern(failed.name.replaceAll(" > ", " "))}`,
    });
  }

  /** Reads an error outside any test, which is printed between two lines of dashes; usually a file did not load. */
  #readGap(text: string): boolean {
    if (text === BETWEEN) this.#between = 1;
    else if (this.#between > 0 && DASHES.test(text)) {
      if (this.#between === 2) this.#closeGap();
      this.#between = this.#between === 1 ? 2 : 0;
    } else return false;
    this.#lines = [];
    return true;
  }

  #closeGap(): void {
    const { message, place } = readBunError(this.#lines);
    const file = this.#file;
    this.#suites++;
    this.#sink.failure({
      name: file ?? "Unhandled error between tests",
      kind: "suite",
      message,
      ...(file === undefined ? {} : { file, rerun: file }),
      ...place,
    });
  }

  #count(text: string): boolean {
    const [, number, word] = COUNT.exec(text) ?? [];
    if (word === undefined) return false;
    this.#counts.set(word, Number(number));
    return true;
  }
}

const COMPARED = /^[-+] (?:Expected|Received) {2}[-+] \d+$/;

/**
 * Reads a test's error: first the quoted source code, then the message, then the stack. The heading that Jest prints
 * above a diff is below it in Bun's output.
 */
function readBunError(lines: readonly string[]): JestError {
  const code = lines.findLastIndex((line) => TEST_CODE.test(line));
  const first = lines.findIndex((line) => TEST_ERROR.test(line));
  const from = Math.max(first, first < 0 ? code + 1 : first);
  const content = lines.slice(from).filter((line) => !TEST_CODE.test(line));
  const stack = content.findIndex((line) => isFrame(line));
  const message = trimBlank(stack < 0 ? content : content.slice(0, stack));
  const headings = message.filter((line) => COMPARED.test(line));
  const rest = message.filter((line) => !COMPARED.test(line));
  const ordered =
    headings.length === 2 ? [rest[0] ?? "", "", ...headings, "", ...trimBlank(rest.slice(1))] : message;
  const read = readJestError(ordered.map((line) => line.replace(/^error: /, "")));
  return { ...read, place: read.place ?? projectPlace(lines) };
}
