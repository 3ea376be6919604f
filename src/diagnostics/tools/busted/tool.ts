import { MAX_MESSAGE_LINES, finishedFailure } from "../../parsing/draft.ts";
import type { FailureDraft } from "../../parsing/draft.ts";
import { defineBuildTool } from "../../tool.ts";
import type { Line, LineParser, Sink } from "../../tool.ts";

export const busted = defineBuildTool({
  id: "busted",
  title: "busted",
  url: "https://lunarmodules.github.io/busted/",
  ecosystem: "general",
  kinds: ["test"],
  signatures: [" success / ", " successes / "],
  priority: 6,
  parser: (sink) => new BustedParser(sink),
  commands: [
    {
      name: "busted.test",
      description: "Run the tests",
      detect: (folder) => (folder.has(".busted") ? ".busted is here" : undefined),
      argv: () => ["busted"],
    },
  ],
  selectTests: { files: (argv, paths) => [...argv, ...paths] },
});

const COUNTS =
  /^(\d{1,9}) success(?:es)? \/ (\d{1,9}) failures? \/ (\d{1,9}) errors? \/ (\d{1,9}) pending : ([\d.]{1,20}) seconds$/;
/** Matches the first line of a failure; reporters for plain terminals print the arrow as two characters. */
const HEAD = /^(Failure|Error|Pending) (?:->|→) (\S.{0,1000}?) @ (\d{1,9})$/;
/** Matches the line about a file that could not be loaded, or about an error outside the tests. */
const BROKEN = /^Error (?:->|→) (\S.{0,1000}?):(\d{1,9}): (.+)$/;
const PLACED = /^(\S.{0,1000}?\.lua):(\d{1,9}): (.*)$/;
/** Matches lines that continue a message: values, tables and stack frames. */
const CONTINUES = /^(?:[ \t*}]|\(\w{1,20}(?:[:)])|[A-Z][a-z]+(?: [a-z]+){0,3}:$|stack traceback:$)/;
const RECEIVED = "Passed in:";
const EXPECTED = "Expected:";

/** Reads busted's terminal reporters, which print the counts first and the failures below them. */
class BustedParser implements LineParser {
  readonly #sink: Sink;
  #counts: { passed: number; failed: number; skipped: number; durationMs: number } | undefined;
  #suites = 0;
  #failure: FailureDraft | undefined;
  #isPending = false;

  constructor(sink: Sink) {
    this.#sink = sink;
  }

  take({ text }: Line): boolean {
    const counts = COUNTS.exec(text);
    if (counts !== null) {
      this.end();
      const [, passed, failures, errors, skipped, seconds] = counts;
      this.#counts = {
        passed: Number(passed),
        failed: Number(failures) + Number(errors),
        skipped: Number(skipped),
        durationMs: Math.round(Number(seconds) * 1000),
      };
      return true;
    }
    if (this.#counts === undefined) return false;
    if (this.#readHead(text)) return true;
    if (text.trim() === "") return this.#blank();
    if (this.#isPending) return true;
    return this.#failure !== undefined && this.#body(this.#failure, text);
  }

  end(): void {
    this.#close();
    if (this.#counts === undefined) return;
    const { failed, ...counts } = this.#counts;
    this.#sink.summary({ ...counts, failed: Math.max(0, failed - this.#suites), failedSuites: this.#suites });
    this.#counts = undefined;
    this.#suites = 0;
  }

  #readHead(text: string): boolean {
    const head = HEAD.exec(text);
    const broken = head === null && text.startsWith("Error ") ? BROKEN.exec(text) : null;
    if (head === null && broken === null) return false;
    this.#close();
    this.#isPending = head?.[1] === "Pending";
    if (this.#isPending) return true;
    if (broken !== null) {
      const [, file = "", line, message = ""] = broken;
      this.#suites++;
      this.#failure = { name: "", kind: "suite", file, line: Number(line), message: [message] };
    } else if (head !== null)
      this.#failure = { name: "", kind: "test", file: head[2] ?? "", line: Number(head[3]), message: [] };
    return true;
  }

  #blank(): boolean {
    const was = this.#failure !== undefined || this.#isPending;
    this.#close();
    return was;
  }

  #body(failure: FailureDraft, text: string): boolean {
    if (failure.name === "") {
      failure.name = text.trim();
      return true;
    }
    const isOver = failure.message.length > 0 && !CONTINUES.test(text);
    if (isOver || failure.message.length >= MAX_MESSAGE_LINES) {
      this.#close();
      return false;
    }
    const placed = failure.message.length === 0 ? PLACED.exec(text) : null;
    if (placed !== null) Object.assign(failure, { file: placed[1] ?? "", line: Number(placed[2]) });
    failure.message.push(placed?.[3] ?? text);
    return true;
  }

  #close(): void {
    const failure = this.#failure;
    this.#failure = undefined;
    this.#isPending = false;
    if (failure === undefined) return;
    const received = failure.message.indexOf(RECEIVED);
    const expected = failure.message.indexOf(EXPECTED);
    if (received >= 0 && expected > received) {
      failure.received = failure.message.slice(received + 1, expected).join("\n");
      failure.expected = failure.message.slice(expected + 1).join("\n");
    }
    this.#sink.failure(finishedFailure(failure));
  }
}
