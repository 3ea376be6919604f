import { leadingPlace } from "../../parsing/place.ts";
import { defineBuildTool } from "../../tool.ts";
import type { Line, LineParser, Sink } from "../../tool.ts";
import { sayBesides } from "../cmake/test-sources.ts";
import { mesonFolder, namesOfTests, testsBeside } from "./select-tests.ts";

export const meson = defineBuildTool({
  id: "meson",
  title: "Meson",
  url: "https://mesonbuild.com",
  ecosystem: "c-cpp",
  kinds: ["build", "test"],
  signatures: [
    "meson.build:",
    "The Meson build system",
    "Unexpected Pass:",
    "meson_options.txt:",
    "meson.options:",
  ],
  priority: 6,
  parser: mesonParser,
  commands: [
    {
      name: "meson.build",
      description: "Build the configured build folder",
      detect: (folder) => (folder.has("meson.build") ? "meson.build is here" : undefined),
      argv: (folder) => ["meson", "compile", "-C", mesonFolder(folder)],
    },
    {
      name: "meson.test",
      description: "Run the tests of the build folder",
      detect: (folder) => (folder.has("meson.build") ? "meson.build is here" : undefined),
      // Without the option the output of failed tests is only in a file.
      argv: (folder) => ["meson", "test", "-C", mesonFolder(folder), "--print-errorlogs"],
    },
  ],
  rerun: "meson test",
  selectTests: {
    // Meson compiles what a test needs before it runs it.
    files: (argv, paths, folder) => [...argv, ...new Set([...namesOfTests(paths, folder).values()].flat())],
    // The folders of a project have such files too.
    isRootOf: (folder) => folder.has("meson.build"),
    runsBesides: (paths, folder) => sayBesides(testsBeside(paths, folder)),
    compiled: {
      known: (paths, folder) => [...namesOfTests(paths, folder).keys()],
      configure: (folder) => ["meson", "setup", mesonFolder(folder)],
    },
  },
});

const SAID = /^(ERROR|WARNING|DEPRECATION|NOTICE): (.+)$/;
const RESULT =
  /^ *(\d{1,6})\/(\d{1,6}) (\S.*?) {1,}(OK|FAIL|SKIP|TIMEOUT|ERROR|EXPECTEDFAIL|UNEXPECTEDPASS|INTERRUPT) +([\d.]{1,12})s(?: +(.*))?$/;
const COUNT = /^(Ok|Expected Fail|Fail|Unexpected Pass|Skipped|Timeout): +(\d{1,7}) *$/;
const NOISE =
  /^(?:The Meson build system|Version: \d|Source dir: |Build dir: |Build type: |Project (?:name|version): |Build targets in project: |A full log can be found at |Full log written to |Found ninja-|Host machine cpu|C(?:\+\+)? (?:compiler|linker) for |>>> )/;

/** A line around the output of a failed test, which `--print-errorlogs` prints. */
const RULE = /^―{5,}(?: ✀ {2}―{5,})?$/u;
const STREAM = /^(?:stdout|stderr):$/;
/** Upper bound on kept lines of a failed test's output. */
const MAX_LINES = 40;

interface Failed {
  readonly name: string;
  readonly message: string;
  readonly lines: string[];
}

/** Reads meson's configuration errors and the results of `meson test`. */
function mesonParser(sink: Sink): LineParser {
  const reader = new MesonReader(sink);
  return { take: ({ text }: Line) => reader.take(text), end: () => reader.close() };
}

class MesonReader {
  readonly #sink: Sink;
  /** By their names, because the summary at the end lists them again. */
  readonly #failed = new Map<string, Failed>();
  readonly #counts = new Map<string, number>();
  #open: Failed | undefined;
  /** True between the lines around the output of the open test. */
  #isInOutput = false;

  constructor(sink: Sink) {
    this.#sink = sink;
  }

  take(text: string): boolean {
    if (this.#isInOutput || RULE.test(text)) return this.#readOutput(text);
    if (this.#readComplaint(text)) return true;
    const result = RESULT.exec(text);
    if (result !== null) return this.#readResult(result);
    const count = COUNT.exec(text);
    if (count !== null) {
      this.#counts.set(count[1] ?? "", Number(count[2]));
      return true;
    }
    if (text.trim() !== "" && this.#counts.size > 0) this.close();
    return NOISE.test(text);
  }

  close(): void {
    for (const { name, message, lines } of this.#failed.values())
      this.#sink.failure({ kind: "test", name, message: [message, ...lines].join("\n"), rerun: name });
    if (this.#counts.size > 0) this.#reportCounts();
    this.#failed.clear();
    this.#counts.clear();
    this.#open = undefined;
    this.#isInOutput = false;
  }

  #reportCounts(): void {
    const of = (what: string): number => this.#counts.get(what) ?? 0;
    const failed = of("Fail") + of("Unexpected Pass") + of("Timeout");
    this.#sink.summary({
      passed: of("Ok"),
      failed,
      skipped: of("Skipped"),
      total: of("Ok") + failed + of("Skipped") + of("Expected Fail"),
    });
  }

  #readComplaint(text: string): boolean {
    const placed = text.includes("meson") ? leadingPlace(text) : undefined;
    const said = placed === undefined ? null : SAID.exec(placed.rest);
    if (placed === undefined || said === null) return false;
    const { file, line, column } = placed.place;
    this.#sink.diagnostic({
      severity: said[1] === "ERROR" ? "error" : "warning",
      message: said[2] ?? "",
      file,
      ...(line === undefined ? {} : { line }),
      // Meson counts columns from 0.
      ...(column === undefined ? {} : { column: column + 1 }),
    });
    return true;
  }

  #readResult([, , , name = "", word = "", , detail = ""]: RegExpExecArray): boolean {
    this.#open = undefined;
    if (!/^(?:FAIL|TIMEOUT|ERROR|UNEXPECTEDPASS|INTERRUPT)$/.test(word)) return true;
    this.#open = this.#failed.get(name) ?? { name, message: detail.trim() || word, lines: [] };
    this.#failed.set(name, this.#open);
    return true;
  }

  /** Keeps a line of a test's output but does not accept it, because a test framework's parser may read it better. */
  #readOutput(text: string): boolean {
    if (RULE.test(text)) {
      this.#isInOutput = !this.#isInOutput && this.#open !== undefined;
      return true;
    }
    if (STREAM.test(text)) return true;
    const lines = this.#open?.lines;
    if (lines !== undefined && lines.length < MAX_LINES && text.trim() !== "") lines.push(text.trimEnd());
    return false;
  }
}
