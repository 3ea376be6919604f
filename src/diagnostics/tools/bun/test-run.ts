import { trimBlank } from "../../javascript/diff.ts";
import { isFrame, projectPlace } from "../../javascript/frames.ts";
import { readJestError } from "../../javascript/jest-error.ts";
import type { JestError } from "../../javascript/jest-error.ts";
import { durationMs, quotedPattern } from "../../javascript/runner-output.ts";
import { defined } from "../../parsing/json.ts";
import type { Sink } from "../../tool.ts";

const OUTCOME = /^(?:\((pass|fail|skip|todo)\)|([✓✗»✎])) (\S.*?)(?: \[(\d[\d.]*)m?s\])?$/;
const FILE = /^(\S.*\.[cm]?[jt]sx?):$/;
const COUNT = /^ *(\d+) (pass|fail|skip|todo|errors?|filtered out)$/;
const RAN = /^Ran \d+ tests? across \d+ files?\.? *(?:\[(.*)\])?$/;
const TIMED_OUT = /^ {2}\^ (this test timed out after .*)$/;
const BETWEEN = "# Unhandled error between tests";
const DASHES = /^-{5,}$/;
const CODE = /^ *\d+ \| |^ *\^$/;
const HEAD = /^(?:error|\w*Error)(?: \[\w+\])?: /;

/** Reads one run of `bun test`, from its first line to its last. */
export class BunTestRun {
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
    if (timedOut !== undefined || this.#outcome(text) || this.#gap(text) || this.#count(text)) return;
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

  /** The error of a failed test is printed before its name; a timeout after it. */
  #outcome(text: string): boolean {
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

  /** What failed outside a test stands between two lines of dashes: mostly a file that did not load. */
  #gap(text: string): boolean {
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

/** The code comes first, then the message, then the stack. Bun puts Jest's heading below the difference. */
function readBunError(lines: readonly string[]): JestError {
  const code = lines.findLastIndex((line) => CODE.test(line));
  const first = lines.findIndex((line) => HEAD.test(line));
  const from = Math.max(first, first < 0 ? code + 1 : first);
  const said = lines.slice(from).filter((line) => !CODE.test(line));
  const stack = said.findIndex((line) => isFrame(line));
  const message = trimBlank(stack < 0 ? said : said.slice(0, stack));
  const headings = message.filter((line) => COMPARED.test(line));
  const rest = message.filter((line) => !COMPARED.test(line));
  const ordered =
    headings.length === 2 ? [rest[0] ?? "", "", ...headings, "", ...trimBlank(rest.slice(1))] : message;
  const read = readJestError(ordered.map((line) => line.replace(/^error: /, "")));
  return { ...read, place: read.place ?? projectPlace(lines) };
}
