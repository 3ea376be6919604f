import { leadingPlace } from "../../parsing/place.ts";
import { defineBuildTool } from "../../tool.ts";
import type { Line, LineParser, Sink } from "../../tool.ts";
import { mesonFolder, namesOfTests } from "./select-tests.ts";

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
      argv: (folder) => ["meson", "test", "-C", mesonFolder(folder)],
    },
  ],
  rerun: "meson test",
  selectTests: {
    // Meson compiles what a test needs before it runs it.
    files: (argv, paths, folder) => [...argv, ...new Set([...namesOfTests(paths, folder).values()].flat())],
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

/** Reads meson's configuration errors and the results of `meson test`. */
function mesonParser(sink: Sink): LineParser {
  let counts = new Map<string, number>();

  function close(): void {
    if (counts.size === 0) return;
    const of = (what: string): number => counts.get(what) ?? 0;
    const failed = of("Fail") + of("Unexpected Pass") + of("Timeout");
    sink.summary({
      passed: of("Ok"),
      failed,
      skipped: of("Skipped"),
      total: of("Ok") + failed + of("Skipped") + of("Expected Fail"),
    });
    counts = new Map();
  }

  return {
    take({ text }: Line): boolean {
      const placed = text.includes("meson") ? leadingPlace(text) : undefined;
      const content = SAID.exec(placed?.rest ?? (placed === undefined ? text : ""));
      if (content !== null && placed !== undefined) {
        const { file, line, column } = placed.place;
        sink.diagnostic({
          severity: content[1] === "ERROR" ? "error" : "warning",
          message: content[2] ?? "",
          file,
          ...(line === undefined ? {} : { line }),
          // Meson counts columns from 0.
          ...(column === undefined ? {} : { column: column + 1 }),
        });
        return true;
      }
      const result = RESULT.exec(text);
      if (result !== null) {
        const [, , , name = "", word = "", , detail = ""] = result;
        if (/^(?:FAIL|TIMEOUT|ERROR|UNEXPECTEDPASS|INTERRUPT)$/.test(word))
          sink.failure({ kind: "test", name, message: detail.trim() || word, rerun: name });
        return true;
      }
      const count = COUNT.exec(text);
      if (count !== null) {
        counts.set(count[1] ?? "", Number(count[2]));
        return true;
      }
      if (text.trim() !== "") close();
      return NOISE.test(text);
    },
    end: close,
  };
}
