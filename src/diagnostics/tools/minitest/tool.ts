import { countsFromTotal } from "../../parsing/counts.ts";
import { MAX_MESSAGE_LINES, finishedFailure } from "../../parsing/draft.ts";
import type { FailureDraft } from "../../parsing/draft.ts";
import { shellWord } from "../../parsing/shell-word.ts";
import { defineBuildTool } from "../../tool.ts";
import type { FolderFacts, Line, LineParser, Sink } from "../../tool.ts";
import { isForeignRuby, rubyFrame } from "../../traces/ruby-trace.ts";
import type { TestFailure } from "../../../model/test-summary.ts";

export const minitest = defineBuildTool({
  id: "minitest",
  title: "Minitest and Rails tests",
  url: "https://github.com/minitest/minitest",
  ecosystem: "ruby",
  kinds: ["test"],
  signatures: [" assertions, ", "# Running:", ") Failure:", ") Error:", "rails test "],
  parser: (sink) => new MinitestParser(sink),
  commands: [
    {
      name: "rails.test",
      description: "Run the tests of a Rails application",
      detect: (folder) => (folder.has("bin/rails") && folder.has("test") ? "bin/rails is here" : undefined),
      argv: () => ["bin/rails", "test"],
    },
    {
      name: "rake.test",
      description: "Run the tests with rake",
      detect: (folder) =>
        folder.has("Rakefile") && folder.has("test") && !folder.has("bin/rails")
          ? "it has a Rakefile and tests"
          : undefined,
      argv: (folder) => [...bundled(folder), "rake", "test"],
    },
  ],
  rerun: rerunCommand,
  selectTests: { files: testFiles },
});

function bundled(folder: FolderFacts): string[] {
  return folder.nearest("Gemfile") === undefined ? [] : ["bundle", "exec"];
}

/** Rails takes files; a task of rake takes at most one pattern, so Ruby itself loads the files. */
function testFiles(argv: readonly string[], paths: readonly string[]): readonly string[] {
  if (!argv.includes("rake")) return [...argv, ...paths];
  const load = "ARGV.each { |file| require File.expand_path(file) }";
  return [...argv.slice(0, argv.indexOf("rake")), "ruby", "-Ilib", "-Itest", "-e", load, ...paths];
}

/** Returns the command that runs one failed test: Rails takes its location, and Ruby itself runs a plain test file. */
function rerunCommand(selector: string, { file, name }: Pick<TestFailure, "file" | "name">): string {
  if (/^(?:bin\/)?rails /.test(selector)) return selector;
  if (!selector.startsWith("-n ")) return `bin/rails test ${selector}`;
  return file === undefined
    ? selector
    : `ruby -Itest ${shellWord(file)} -n ${shellWord(name.replace(/^.*#/, ""))}`;
}

/** Matches `  1) Failure:`; Rails prints it without the number as soon as the test fails. */
const HEADER = /^(?: {0,3}\d{1,6}\) )?(Failure|Error|Skipped):$/;
/** Matches `CartTest#test_sums [test/cart_test.rb:11]:`; errors have no location. */
const NAME = /^(\S.{0,1500}?#.{1,1500}?)(?: \[(.{1,1000}):(\d{1,9})\])?:$/;
/** Matches the format of the minitest-reporters gem: ` FAIL CartTest#test_sums (0.00s)`. */
const REPORTER = /^ ?(FAIL|ERROR) {1,2}(\S.{0,1500}?) \([\d.]+ ?s\)$/;
const COUNTS = /^(\d+) (?:runs|tests), \d+ assertions, (\d+) failures, (\d+) errors(?:, (\d+) skips)?/;
const FINISHED = /^Finished in ([\d.]+) ?s/;
const RERUN = /^(?:bin\/)?rails test (\S+:\d+)$/;
const FRAME = /^(?: {4})?(\S.*)$/;

/** Reads Minitest's output, plain, through Rails, or through the minitest-reporters gem. */
class MinitestParser implements LineParser {
  readonly #sink: Sink;
  #awaitingName: string | undefined;
  #failure: FailureDraft | undefined;
  #isError = false;
  #durationMs: number | undefined;

  constructor(sink: Sink) {
    this.#sink = sink;
  }

  take({ text }: Line): boolean {
    if (this.#awaitingName !== undefined && this.#readName(text)) return true;
    return this.#readHeader(text) || this.#readClosing(text) || this.#readBody(text);
  }

  end(): void {
    this.#close();
  }

  #readHeader(text: string): boolean {
    const kind = HEADER.exec(text)?.[1];
    if (kind !== undefined) {
      this.#close();
      this.#awaitingName = kind;
      return true;
    }
    const reporter = REPORTER.exec(text);
    if (reporter === null) return false;
    this.#close();
    this.#start(reporter[2] ?? "", reporter[1] === "ERROR");
    return true;
  }

  #readName(text: string): boolean {
    const kind = this.#awaitingName;
    this.#awaitingName = undefined;
    const match = NAME.exec(text);
    if (match === null || kind === "Skipped") return match !== null;
    const [, name = "", file, line] = match;
    this.#start(name, kind === "Error");
    if (this.#failure !== undefined && file !== undefined) {
      this.#failure.file = file;
      this.#failure.line = Number(line);
    }
    return true;
  }

  #start(name: string, isError: boolean): void {
    this.#failure = { name, kind: "test", message: [], rerun: `-n ${name}` };
    this.#isError = isError;
  }

  #readClosing(text: string): boolean {
    const finished = FINISHED.exec(text);
    if (finished !== null) {
      this.#close();
      this.#durationMs = Math.round(Number(finished[1]) * 1000);
      return true;
    }
    const match = COUNTS.exec(text);
    if (match === null) return false;
    this.#close();
    const total = Number(match[1]);
    const failed = Number(match[2]) + Number(match[3]);
    const skipped = Number(match[4] ?? 0);
    const duration = this.#durationMs === undefined ? {} : { durationMs: this.#durationMs };
    this.#sink.summary({
      ...countsFromTotal(total, { failed, skipped }),
      ...duration,
    });
    this.#durationMs = undefined;
    return true;
  }

  #readBody(text: string): boolean {
    const failure = this.#failure;
    if (failure === undefined) return false;
    const rerun = RERUN.exec(text)?.[1];
    if (rerun !== undefined) {
      failure.rerun = rerun;
      this.#close();
      return true;
    }
    const frame = this.#isError || failure.file === undefined ? FRAME.exec(text)?.[1] : undefined;
    const place = frame === undefined ? undefined : rubyFrame(frame.trim());
    if (place !== undefined) {
      if (failure.file === undefined && !isForeignRuby(place)) Object.assign(failure, place);
      return true;
    }
    if (failure.message.length >= MAX_MESSAGE_LINES) {
      this.#close();
      return false;
    }
    failure.message.push(text);
    return true;
  }

  #close(): void {
    const failure = this.#failure;
    this.#failure = undefined;
    this.#awaitingName = undefined;
    if (failure === undefined) return;
    const text = failure.message.join("\n");
    const sides = /(?:^|\n)\s*Expected: (.*)\n\s*Actual: (.*)/.exec(text);
    if (sides !== null) {
      failure.expected = sides[1] ?? "";
      failure.received = sides[2] ?? "";
    }
    this.#sink.failure(finishedFailure(failure));
  }
}
