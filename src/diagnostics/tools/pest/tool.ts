import { MAX_MESSAGE_LINES, finishedFailure } from "../../parsing/draft.ts";
import type { FailureDraft } from "../../parsing/draft.ts";
import { defineBuildTool } from "../../tool.ts";
import type { Line, LineParser, Sink } from "../../tool.ts";
import { setPhpComparison } from "../phpunit/parse.ts";

export const pest = defineBuildTool({
  id: "pest",
  title: "Pest",
  url: "https://pestphp.com",
  ecosystem: "php",
  kinds: ["test"],
  programs: ["pest"],
  signatures: ["   FAILED  ", "  Tests:  ", "   PASS  ", "   FAIL  "],
  parser: (sink) => new PestParser(sink),
  commands: [
    {
      name: "pest.test",
      description: "Run the tests",
      detect: (folder) => (folder.has("tests/Pest.php") ? "tests/Pest.php is here" : undefined),
      argv: () => ["vendor/bin/pest"],
      report: (argv, file) =>
        argv.includes("--log-junit") ? undefined : { argv: [...argv, "--log-junit", file] },
    },
  ],
  selectTests: { files: (argv, paths) => [...argv, ...paths] },
  ownsIndented: /^ {2,3}(?:PASS|FAIL|FAILED|WARN) {2}\S/,
});

/** Matches `   FAILED  Tests\Unit\CartTest > it sums prices   InvalidArgumentException`. */
const FAILED = /^ {2,3}FAILED {2}(\S.{0,1500}? > .{1,1500}?)(?: {2,}(\S+))?\s*$/;
const OLD_FAILED = /^ {2}• (\S.{0,800}? > .{1,1500}?)\s*$/;
const AT = /^ {2}at (.{1,1000}?):(\d{1,9})$/;
const COUNTS = /^ {2}Tests: {1,8}(.{1,300})$/;
const DURATION = /^ {2}(?:Duration|Time): {1,8}([\d.]+) ?s/;
const SOURCE = /^ {2,12}(?:➜ {1,3})?\d{1,9}▕/u;
const FRAME = /^ {2,6}(?:\+\d+ vendor frames|\d+ {1,3}.*)\s*$/;
/** Matches the line below each stack frame, which names the called function. */
const CALLED = /^ {6}\S/;
const FRAME_AT = /^ {2,6}\d+ {1,3}(\S.{0,1000}?\.php):(\d{1,9})$/;
const NOISE = /^ {2,3}(?:(?:PASS|FAIL|WARN|RISKY|TODO) {2}\S.*|[✓⨯✔✗!-] .*|[─-]{20,})\s*$/u;

/** Reads Pest and `artisan test`. */
class PestParser implements LineParser {
  readonly #sink: Sink;
  #failure: FailureDraft | undefined;
  #inTrace = false;
  #counts: { total: number; passed: number; failed: number; skipped: number } | undefined;

  constructor(sink: Sink) {
    this.#sink = sink;
  }

  take({ text }: Line): boolean {
    const failed = FAILED.exec(text) ?? OLD_FAILED.exec(text);
    if (failed !== null) {
      this.#close();
      this.#failure = {
        name: failed[1] ?? "",
        kind: "test",
        message: failed[2] === undefined ? [] : [failed[2]],
      };
      this.#inTrace = false;
      return true;
    }
    if (this.#readClosing(text)) return true;
    if (this.#failure !== undefined && this.#body(this.#failure, text)) return true;
    this.#close();
    return NOISE.test(text);
  }

  end(): void {
    this.#close();
    if (this.#counts !== undefined) this.#sink.summary(this.#counts);
    this.#counts = undefined;
  }

  #readClosing(text: string): boolean {
    const counts = COUNTS.exec(text)?.[1];
    if (counts !== undefined && /\d+ (?:passed|failed|skipped|warning)/.test(counts)) {
      this.#close();
      const count = (name: string): number => Number(new RegExp(`(\\d+) ${name}`).exec(counts)?.[1] ?? 0);
      const passed = count("passed") + count("risky") + count("warnings?") + count("deprecated");
      const failed = count("failed");
      const skipped = count("skipped") + count("incomplete") + count("todos?") + count("pending");
      this.#counts = { total: passed + failed + skipped, passed, failed, skipped };
      return true;
    }
    const duration = this.#counts === undefined ? null : DURATION.exec(text);
    if (duration === null || this.#counts === undefined) return false;
    this.#sink.summary({ ...this.#counts, durationMs: Math.round(Number(duration[1]) * 1000) });
    this.#counts = undefined;
    return true;
  }

  #body(failure: FailureDraft, text: string): boolean {
    const at = AT.exec(text);
    if (at !== null) {
      this.#inTrace = true;
      if (failure.file === undefined) Object.assign(failure, { file: at[1] ?? "", line: Number(at[2]) });
      return true;
    }
    const frame = this.#inTrace && isVendored(failure.file) ? FRAME_AT.exec(text) : null;
    if (frame !== null && !isVendored(frame[1]))
      Object.assign(failure, { file: frame[1] ?? "", line: Number(frame[2]) });
    if (this.#inTrace)
      return text.trim() === "" || SOURCE.test(text) || FRAME.test(text) || CALLED.test(text);
    if (failure.message.length >= MAX_MESSAGE_LINES) return false;
    failure.message.push(text.replace(/^ {2}/, ""));
    return true;
  }

  #close(): void {
    if (this.#failure === undefined) return;
    setPhpComparison(this.#failure);
    this.#sink.failure(finishedFailure(this.#failure));
    this.#failure = undefined;
  }
}

/**
 * Returns whether the file belongs to a dependency; the first stack frame in any other file shows where the test
 * failed.
 */
function isVendored(file: string | undefined): boolean {
  return file !== undefined && /(?:^|[\\/])vendor[\\/]/.test(file);
}
