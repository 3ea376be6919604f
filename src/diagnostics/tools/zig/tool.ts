import { drafting } from "../../parsing/draft.ts";
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
const TEST = /^\d+\/\d+ (.{1,500}?)\.{3}(OK|FAIL|SKIP)(?: \((.*)\))?$/;
const COUNTS = /^(\d+) passed; (\d+) skipped; (\d+) failed\.$/;
const ALL = /^All (\d+) tests passed\.$/;
/** Matches the compiler call, which is printed after the error. */
const CALL = /^error: the following (?:build )?command (?:failed|exited)\b/;
/** Matches what remains of the progress line before the first diagnostic: `Semantic Analysis [1834/2835] `. */
const PROGRESS = /^(?:[A-Z]\w{1,20}(?: \w{1,20}){0,3} )?\[\d{1,6}\/\d{1,6}\] (?=\S)/;
const CARET = /^\s*[~^]+\s*$/;

/** Reads the Zig compiler and its test runner. */
class ZigParser implements LineParser {
  readonly #sink: Sink;
  readonly #drafts;
  #inFrame = false;
  #hasMessage = false;

  constructor(sink: Sink) {
    this.#sink = sink;
    this.#drafts = drafting(sink);
  }

  take({ text }: Line): boolean {
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
    if (this.#drafts.current !== undefined && this.#frame(text)) return true;
    this.#drafts.close();
    return (this.#hasMessage && CALL.test(text)) || this.#test(text);
  }

  end(): void {
    this.#drafts.close();
  }

  #frame(text: string): boolean {
    if (CARET.test(text)) return true;
    const source = !this.#inFrame && /^\s+\S/.test(text);
    this.#inFrame = true;
    return source;
  }

  #test(text: string): boolean {
    const test = TEST.exec(text);
    if (test?.[2] === "FAIL")
      this.#sink.failure({ name: test[1] ?? "", kind: "test", message: test[3] ?? "" });
    const counts = COUNTS.exec(text);
    if (counts !== null)
      this.#sink.summary({
        passed: Number(counts[1]),
        skipped: Number(counts[2]),
        failed: Number(counts[3]),
      });
    const all = ALL.exec(text)?.[1];
    if (all !== undefined) this.#sink.summary({ passed: Number(all) });
    return test !== null || counts !== null || all !== undefined;
  }
}
