import { countsFromTotal } from "../../parsing/counts.ts";
import { shellWord } from "../../parsing/shell-word.ts";
import { defineBuildTool } from "../../tool.ts";
import type { Line, LineParser, Sink } from "../../tool.ts";
import { cmakeFolder } from "../cmake/build-folder.ts";
import { sayBesides } from "../cmake/test-sources.ts";
import { escaped, namesOfTests, testsBeside } from "./select-tests.ts";

export const ctest = defineBuildTool({
  id: "ctest",
  title: "CTest",
  url: "https://cmake.org/cmake/help/latest/manual/ctest.1.html",
  ecosystem: "c-cpp",
  kinds: ["test"],
  programs: ["ctest"],
  signatures: [
    "Test project ",
    "% tests passed, ",
    "tests FAILED:",
    " Test  #",
    " Test #",
    "No tests were found!!!",
  ],
  priority: 8,
  parser: ctestParser,
  commands: [
    {
      name: "ctest.test",
      description: "Run the tests of the build folder",
      detect: (folder) => {
        if (folder.has("CTestTestfile.cmake")) return "CTestTestfile.cmake is here";
        return ENABLES_TESTING.test(folder.nearest("CMakeLists.txt") ?? "")
          ? "CMakeLists.txt enables testing"
          : undefined;
      },
      argv: (folder) =>
        folder.has("CTestTestfile.cmake")
          ? ["ctest", "--output-on-failure"]
          : ["ctest", "--test-dir", cmakeFolder(folder), "--output-on-failure"],
    },
  ],
  rerun: "ctest",
  selectTests: {
    filter: (text) => ["-R", text],
    files: (argv, paths, folder) => [
      ...argv,
      "-R",
      [...namesOfTests(paths, folder).values()].flat().join("|"),
    ],
    // The folders of a project have such files too.
    isRootOf: (folder) => folder.has("CMakeLists.txt"),
    runsBesides: (paths, folder) => sayBesides(testsBeside(paths, folder)),
    compiled: {
      known: (paths, folder) => [...namesOfTests(paths, folder).keys()],
      configure: (folder) => ["cmake", "-S", ".", "-B", cmakeFolder(folder)],
      build: (folder) => ["cmake", "--build", cmakeFolder(folder)],
    },
  },
});

/** CMake's module CTest enables testing, too. */
const ENABLES_TESTING = /\b(?:enable_testing\s*\(|include\s*\(\s*CTest\b)/i;

/** A name is followed by at least three dots; it may have blanks, commas and dots of its own. */
const DOTTED_RESULT = /^ *\d{1,6}\/\d{1,6} Test +#(\d{1,6}): (\S.*) \.{3,}([^.].*?) +([\d.]{1,12}) sec$/;
/** Versions that cut long names print no dots after them. */
const RESULT = /^ *\d{1,6}\/\d{1,6} Test +#(\d{1,6}): (\S.*?) \.*(.*?) +([\d.]{1,12}) sec$/;
const TOTAL = /^\d{1,3}% tests passed, (\d{1,7}) tests? failed out of (\d{1,7})$/;
/** Printed for `--test-dir`. */
const CHANGED_FOLDER = /^Internal ctest changing into directory: (.+)$/;
const TIME = /^Total Test time \(real\) = +([\d.]{1,14}) sec$/;
const LISTED = /^\s+(\d{1,6}) - (.+) \(([^()]*)\)(?: +\S.*)?$/;
const NOISE =
  /^(?:Test project |Updating test list|UpdateCTestConfiguration|Constructing a list of tests|Done constructing|Added \d+ tests|Checking test dependency|test \d+$|Errors while running CTest|Output from these tests are in|Use "--rerun-failed|The following tests (?:FAILED|did not run|passed):| +Start +\d+: |Label Time Summary|Could not find executable|Unable to find executable|Looked in the following places)/;
/** A test inside a test program that passed; it says nothing about why the program failed. */
const PASSED_INSIDE = /:PASS$|^\[ +OK \] /;
/** Upper bound on kept lines of a failed test's output. */
const MAX_LINES = 40;

interface Result {
  readonly name: string;
  readonly outcome: string;
  readonly lines: string[];
}

/** Reads ctest's results; the output of the tests is left to the parsers of their frameworks. */
function ctestParser(sink: Sink): LineParser {
  const reader = new CTestReader(sink);
  return { take: ({ text }: Line) => reader.take(text), end: () => reader.close() };
}

class CTestReader {
  readonly #sink: Sink;
  readonly #failed = new Map<string, Result>();
  #skipped = 0;
  #open: Result | undefined;
  /** True while the list of failed tests at the end is being read; it may be all that is left of a log. */
  #inList = false;
  /** The build folder, if ctest was told to change into it. */
  #folder: string | undefined;
  #totals: { readonly failed: number; readonly total: number } | undefined;
  #seconds: number | undefined;

  constructor(sink: Sink) {
    this.#sink = sink;
  }

  take(text: string): boolean {
    const line = DOTTED_RESULT.exec(text) ?? RESULT.exec(text);
    if (line !== null) return this.#readResult(line);
    const total = TOTAL.exec(text);
    if (total !== null) {
      this.#open = undefined;
      this.#totals = { failed: Number(total[1]), total: Number(total[2]) };
      return true;
    }
    const time = TIME.exec(text);
    if (time !== null) {
      this.#seconds = Number(time[1]);
      return true;
    }
    const folder = CHANGED_FOLDER.exec(text)?.[1];
    if (folder !== undefined) {
      this.#folder = folder;
      return true;
    }
    if (text.startsWith("Test project ")) this.close();
    if (text.startsWith("The following tests FAILED:")) this.#inList = true;
    const listed = this.#totals === undefined && !this.#inList ? null : LISTED.exec(text);
    if (listed !== null) return this.#readListed(listed);
    if (text.startsWith("Errors while running CTest")) this.#inList = false;
    if (NOISE.test(text)) {
      this.#open = undefined;
      return true;
    }
    return this.#readOutput(text);
  }

  close(): void {
    const inFolder = this.#folder === undefined ? "" : `--test-dir ${shellWord(this.#folder)} `;
    for (const { name, outcome, lines } of this.#failed.values())
      this.#sink.failure({
        kind: "test",
        name,
        message: [outcome, ...lines].join("\n").trimEnd(),
        rerun: `${inFolder}-R ${shellWord(`^${escaped(name)}$`)}`,
      });
    const totals = this.#totals;
    if (totals !== undefined)
      this.#sink.summary({
        ...countsFromTotal(totals.total, { failed: totals.failed, skipped: this.#skipped }),
        ...(this.#seconds === undefined ? {} : { durationMs: Math.round(this.#seconds * 1000) }),
      });
    this.#failed.clear();
    this.#skipped = 0;
    this.#totals = undefined;
    this.#seconds = undefined;
    this.#open = undefined;
  }

  #readResult(match: RegExpExecArray): boolean {
    const [, number = "", name = "", words = ""] = match;
    const outcome = words.replace(/^\.+/, "").trim();
    this.#open = undefined;
    if (outcome === "Passed") {
      this.#sink.outcome({ name, result: "passed" });
      return true;
    }
    if (/^\*\*\*(?:Skipped|Not Run \(Disabled\))/.test(outcome)) {
      this.#skipped++;
      this.#sink.outcome({ name, result: "skipped" });
    } else {
      this.#open = { name, outcome: outcome.replaceAll("***", " ").trim().replace(/:$/, ""), lines: [] };
      this.#failed.set(number, this.#open);
    }
    return true;
  }

  #readListed(match: RegExpExecArray): boolean {
    const [, number = "", name = "", outcome = ""] = match;
    const known = this.#failed.has(number) || /^(?:Skipped|Disabled)$/.test(outcome);
    if (!known) this.#failed.set(number, { name, outcome, lines: [] });
    return true;
  }

  /** Keeps a line for the message but does not accept it, because a test framework's parser may read it better. */
  #readOutput(text: string): boolean {
    const open = this.#open;
    const isEvidence = text.trim() !== "" && !PASSED_INSIDE.test(text);
    if (isEvidence && open !== undefined && open.lines.length < MAX_LINES) open.lines.push(text.trimEnd());
    if (text !== "No tests were found!!!") return false;
    this.#sink.summary({ total: 0 });
    return true;
  }
}
