import { countsFromTotal } from "../../parsing/counts.ts";
import { MAX_MESSAGE_LINES, finishedFailure } from "../../parsing/draft.ts";
import type { FailureDraft } from "../../parsing/draft.ts";
import type { Line, LineParser, Sink } from "../../tool.ts";

const SECTION =
  /^There (?:was|were) (\d+) (?:PHPUnit (?:test runner )?)?(error|failure|risky test|incomplete test|skipped test|warning|deprecation|notice)s?:$/;
/** Matches the heading since version 10: `1 test triggered 2 PHP warnings:`. */
const TRIGGERED = /^\d+ tests? triggered \d+ (?:PHP |PHPUnit )?(warning|deprecation|notice|error)s?:$/;
const ENTRY = /^\d{1,6}\) (.{1,4000})$/;
const JAVA_TEST = /\([\w$]+(?:\.[\w$]+)+\)$/;
const COUNTS = /^(?:OK \((\d+) tests?, \d+ assertions?\)|(Tests: \d+, .*?)\.?)$/;
const TIME = /^Time: (?:(\d+):)?(?:(\d+):)?([\d.]+)(?: (ms|seconds?|minutes?))?,? /;
const NOISE =
  /^(?:PHPUnit \d.* by Sebastian Bergmann.*|Runtime: .*|Configuration: .*|ERRORS!|FAILURES!|WARNINGS!|OK, but .*|--)$/;

type Section = "none" | "failing" | "ignored" | "triggered";

/** Reads PHPUnit's text output, versions 9 to 12, plain and testdox. */
export class PhpunitParser implements LineParser {
  readonly #sink: Sink;
  readonly #testdox;
  #section: Section = "none";
  #failure: FailureDraft | undefined;
  #inTrace = false;
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
    // If the entry names a Java class, the list is JUnit 4's, which prints the same headings as PHPUnit.
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
    return this.#readBody(text);
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
    this.#readSummary(counts);
    return true;
  }

  #readSummary([, ok, list = ""]: RegExpExecArray): void {
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
    this.#inTrace = false;
    this.#failure = { name, kind: "test", message: [] };
    const method = /^([\w\\]+)::(\w+)/.exec(name);
    if (method !== null) this.#failure.rerun = `--filter '${method[1] ?? ""}::${method[2] ?? ""}'`;
  }

  #readBody(text: string): boolean {
    const failure = this.#failure;
    if (failure === undefined) return text.trim() === "";
    if (failure.message.length >= MAX_MESSAGE_LINES) {
      this.#close();
      this.#section = "none";
      return false;
    }
    if (isPhpFrame(text)) {
      this.#inTrace = true;
      placeAtPhpFrame(failure, text);
    } else if (text === "Caused by" || text === "Triggered by:") this.#inTrace = true;
    else if (!this.#inTrace) failure.message.push(text);
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

const FRAME =
  /^(\/.{1,1000}|[A-Za-z]:[\\/].{1,1000}|phar:\/\/.{1,1000}|\.{0,2}\/?[\w./\\-]{1,400}\.phpt?):(\d{1,9})$/;
const FOREIGN = /[/\\]vendor[/\\]|^phar:|[/\\]share[/\\]php[/\\]/;

/** Returns whether the line is a location of a PHP trace: `/app/src/Cart.php:11`. */
function isPhpFrame(text: string): boolean {
  return FRAME.test(text);
}

/** Sets the failure's location to the first frame inside the project; later frames are ignored. */
function placeAtPhpFrame(draft: FailureDraft, text: string): void {
  const match = draft.file === undefined ? FRAME.exec(text) : null;
  if (match === null || FOREIGN.test(match[1] ?? "")) return;
  draft.file = match[1] ?? "";
  draft.line = Number(match[2]);
}

/** Sets the expected and received values of a failed comparison, from the diff or from the message's sentence. */
export function setPhpComparison(draft: FailureDraft): void {
  const lines = draft.message;
  const at = lines.findIndex(
    (line, i) => line.startsWith("--- Expected") && lines[i + 1]?.startsWith("+++ Actual"),
  );
  if (at >= 0) {
    const hunk = lines.slice(at + 2);
    const side = (sign: string): string =>
      hunk
        .filter((line) => line.startsWith(sign))
        .map((line) => line.slice(1).trim())
        .join("\n");
    draft.expected = side("-");
    draft.received = side("+");
    return;
  }
  const sentence =
    /^Failed asserting that (.{1,2000}) (?:is identical to|matches expected|is equal to|equals) (.{1,2000})\.$/m.exec(
      lines.join("\n"),
    );
  if (sentence === null) return;
  draft.received = sentence[1] ?? "";
  draft.expected = sentence[2] ?? "";
}

interface TestdoxReader {
  take(text: string): boolean;
  /** Drops the failures read so far, because PHPUnit prints them again in full. */
  forget(): void;
  end(): void;
}

/** Matches a class heading: `Shopping cart (Tests\ShoppingCartTest)`, or a description that the class gives itself. */
const CLASS = /^(\S.{0,400}?)(?: \(([\w\\]{1,400})\))?$/;
const TEST = /^ ([✔✘☢↩∅⚠]) (.{1,1500})$/u;
const DETAIL = /^ {3}[│┐├┊┴╵](?: (.*))?$/u;

/** Reads the testdox format, which prints failures below their tests. */
function testdoxReader(sink: Sink): TestdoxReader {
  const held: FailureDraft[] = [];
  let suite = "";
  let above = "";
  let open: FailureDraft | undefined;

  return {
    take(text) {
      const test = TEST.exec(text);
      if (test !== null) {
        const heading = CLASS.exec(above);
        if (heading !== null) suite = heading[2] ?? heading[1] ?? "";
        above = "";
        const name = [suite, test[2]].filter((part) => part !== undefined && part !== "").join(" > ");
        open = test[1] === "✘" ? { name, kind: "test", message: [] } : undefined;
        if (open !== undefined) held.push(open);
        return true;
      }
      const detail = DETAIL.exec(text);
      if (detail !== null) {
        const line = detail[1] ?? "";
        if (open === undefined) return true;
        if (isPhpFrame(line)) placeAtPhpFrame(open, line);
        else open.message.push(line);
        return true;
      }
      open = undefined;
      above = text;
      return false;
    },
    forget() {
      held.length = 0;
    },
    end() {
      for (const draft of held) {
        setPhpComparison(draft);
        sink.failure(finishedFailure(draft));
      }
    },
  };
}
