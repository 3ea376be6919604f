import { drafting, finishedFailure } from "../../parsing/draft.ts";
import type { FailureDraft } from "../../parsing/draft.ts";
import { leadingPlace } from "../../parsing/place.ts";
import { defineBuildTool } from "../../tool.ts";
import type { Line, LineParser, Sink } from "../../tool.ts";

export const zig = defineBuildTool({
  id: "zig",
  title: "Zig",
  url: "https://ziglang.org",
  ecosystem: "general",
  kinds: ["build", "test"],
  signatures: [".zig:", " passed; ", " tests passed."],
  priority: 8,
  parser: (sink) => new ZigParser(sink),
  commands: [
    {
      name: "zig.build",
      description: "Build the project",
      detect: (folder) => (folder.has("build.zig") ? "build.zig is here" : undefined),
      argv: () => ["zig", "build"],
    },
  ],
});

const COMPLAINT = /^(error|note): (.*)$/;
/** Matches the start of a test, whose result or own output follows on the same line; Zig 0.12 and older print a blank between. */
const TEST = /^\d+\/\d+ (.{1,500}?)\.{3} ?(.*)$/;
const RESULT = /^(OK|FAIL|SKIP)(?: \((.*)\))?$/;
/** Matches a frame of the error trace below a failed test: `/app/src/cart.zig:14:5: 0x223dd1 in test.empty cart (test)`. */
const FRAME = /^(\S.{0,1000}?\.zig):(\d{1,9}):(\d{1,9}): 0x[0-9a-f]{1,16} in /;
const LIBRARY = /(?:^|[\\/])lib[\\/]std[\\/]/;
const COUNTS = /^(\d+) passed; (\d+) skipped; (\d+) failed\.$/;
const ALL = /^All (\d+) tests passed\.$/;
/** Matches the compiler call, which is printed after the error. */
const CALL = /^error: the following (?:build )?command (?:failed|exited)\b/;
/** Matches what remains of the progress line before the first diagnostic: `Semantic Analysis [1834/2835] `. */
const PROGRESS = /^(?:[A-Z]\w{1,20}(?: \w{1,20}){0,3} )?\[\d{1,6}\/\d{1,6}\] (?=\S)/;
/** Upper bound on the lines of a test's own output that are kept for the message of its failure. */
const MAX_OUTPUT = 20;
const CARET = /^\s*[~^]+\s*$/;

/** Reads the Zig compiler and its test runner. */
class ZigParser implements LineParser {
  readonly #sink: Sink;
  readonly #drafts;
  #inFrame = false;
  #hasMessage = false;
  /** The test that is running, with what it has printed so far. */
  #running: { readonly name: string; readonly output: string[] } | undefined;
  /** The failed test whose error trace follows. */
  #failed: FailureDraft | undefined;

  constructor(sink: Sink) {
    this.#sink = sink;
    this.#drafts = drafting(sink);
  }

  take({ text }: Line): boolean {
    if (this.#readTrace(text)) return true;
    const placed = /\.zig(?:\.zon)?:\d/.test(text) ? leadingPlace(text.replace(PROGRESS, "")) : undefined;
    const match = placed === undefined ? null : COMPLAINT.exec(placed.rest);
    if (placed !== undefined && match !== null) {
      const [, word, message = ""] = match;
      if (word === "note") this.#drafts.current?.related.push({ ...placed.place, message });
      else this.#drafts.open({ severity: "error", ...placed.place }, message);
      this.#inFrame = false;
      this.#hasMessage = true;
      return true;
    }
    if (this.#drafts.current !== undefined && this.#readFrame(text)) return true;
    this.#drafts.close();
    return (this.#hasMessage && CALL.test(text)) || this.#readTest(text);
  }

  end(): void {
    this.#drafts.close();
    this.#reportFailed();
  }

  #readFrame(text: string): boolean {
    if (CARET.test(text)) return true;
    const source = !this.#inFrame && /^\s+\S/.test(text);
    this.#inFrame = true;
    return source;
  }

  /** Reads the error trace of a failed test: frames, each with its source line and a caret. */
  #readTrace(text: string): boolean {
    const failed = this.#failed;
    if (failed === undefined) return false;
    const [, file = "", line, column] = FRAME.exec(text) ?? [];
    if (line === undefined && !/^\s+\S/.test(text)) {
      this.#reportFailed();
      return false;
    }
    if (line !== undefined && failed.file === undefined && !LIBRARY.test(file))
      Object.assign(failed, { file, line: Number(line), column: Number(column) });
    return true;
  }

  #reportFailed(): void {
    if (this.#failed !== undefined) this.#sink.failure(finishedFailure(this.#failed));
    this.#failed = undefined;
  }

  #readTest(text: string): boolean {
    const [, name, rest = ""] = TEST.exec(text) ?? [];
    if (name !== undefined) this.#running = { name, output: [] };
    const counts = COUNTS.exec(text);
    if (counts !== null)
      this.#sink.summary({
        passed: Number(counts[1]),
        skipped: Number(counts[2]),
        failed: Number(counts[3]),
      });
    const all = ALL.exec(text)?.[1];
    if (all !== undefined) this.#sink.summary({ passed: Number(all) });
    if (counts !== null || all !== undefined) this.#running = undefined;
    return counts !== null || all !== undefined || this.#result(name === undefined ? text : rest);
  }

  /** Reads the result of the running test, or a line that it printed before. */
  #result(text: string): boolean {
    const running = this.#running;
    if (running === undefined) return false;
    const [, result, reason = ""] = RESULT.exec(text) ?? [];
    if (result === undefined) {
      if (running.output.length < MAX_OUTPUT) running.output.push(text);
      return true;
    }
    this.#running = undefined;
    if (result !== "FAIL") return true;
    const message = [...running.output, reason].filter((part) => part !== "");
    this.#failed = { name: running.name, kind: "test", message };
    return true;
  }
}
