import { cargoTargets, isMember, unitTests, wholeWorkspace } from "../cargo-test/targets.ts";
import { defineBuildTool } from "../../tool.ts";
import type { Line, LineParser, Sink, TestCounts } from "../../tool.ts";
import { readFailure } from "../cargo-test/block.ts";
import { CARGO_PROGRESS } from "../cargo/messages.ts";
import type { TestFailure } from "../../../model/test-summary.ts";

export const cargoNextest = defineBuildTool({
  id: "cargo-nextest",
  title: "cargo nextest",
  url: "https://nexte.st",
  ecosystem: "rust",
  kinds: ["test"],
  programs: ["cargo-nextest", "nextest"],
  signatures: ["Nextest run ID", "PASS [", "FAIL [", "TIMEOUT [", "SIGABRT [", "SIGSEGV [", "Summary ["],
  priority: 9,
  parser: nextestParser,
  commands: [
    {
      name: "cargo.nextest",
      description: "Run the package's tests with nextest",
      detect: (folder) =>
        folder.nearest("Cargo.toml") !== undefined && folder.nearest(".config/nextest.toml") !== undefined
          ? ".config/nextest.toml is here"
          : undefined,
      argv: (folder) => ["cargo", "nextest", "run", ...wholeWorkspace(folder)],
    },
  ],
  rerun: "cargo nextest run",
  ownsIndented: CARGO_PROGRESS,
  selectTests: {
    filter: (text) => [text],
    package: (name) => ["-p", name],
    files: cargoTargets,
    isRootOf: isMember,
    runsBesides: unitTests,
    part: (number, count) => ["--partition", `count:${number}/${count}`, "--no-tests=pass"],
  },
});

const STATUS =
  /^ {0,12}(?:TRY \d{1,4} )?(PASS|FAIL|FLAKY|LEAK|LEAK-FAIL|SLOW|TIMEOUT|ABORT|SIG[A-Z]{2,8}|SETUP PASS|SKIP|TERMINATING|TMT|FLKY-FL|FL\+LK|XFAIL|EXECFAIL|SETUP FAIL|RETRY|DELAY) ?\[ {0,20}>? {0,20}[\d.]{0,20} {0,5}s?\](?: \((?: *\d{1,9}\/ ?\d{1,9}|─+)\))? +(\S+) +(\S.*)$/;
const FLAKY = /^ {0,12}FLAKY \d{1,4}\/\d{1,4} \[/;
const SUMMARY = /^ {0,12}Summary \[ *([\d.]{1,12})s\] +(?:\d{1,9}\/)?(\d{1,9}) tests? run: (.*)$/;
const COUNT = /(\d{1,9}) (passed|failed|skipped|timed out|exec failed|flaky)/g;
const OTHER =
  /^ {0,12}(?:Starting \d|Nextest run ID|Cancell?ing |Canceled|──|-{8,}|info: |error: test run failed|warning: \d+\/\d+ tests? )|^ ?Nextest run ID/;
/** Matches the headings above a test's stdout and stderr, in old and new versions. */
const STREAM =
  /^(?: {2,4}(?:stdout|stderr|output) ─+|── ?(?:TRY \d+ )?(?:STDOUT|STDERR|OUTPUT|stdout|stderr|output):? .*|── (?:stdout|stderr|output) ─+|-{3} (?:TRY \d+ )?(?:STDOUT|STDERR|OUTPUT): .* -{3}|─{3} (?:STDOUT|STDERR|OUTPUT): .*)$/;
const BAD = /^(?:FAIL|TIMEOUT|ABORT|SIG|EXECFAIL|LEAK-FAIL|TMT|SETUP FAIL)/;
/** Upper bound on the kept lines of a test's output. The last lines are kept, because the failure is at the end. */
const MAX_LINES = 2_000;

interface Failed {
  readonly binary: string;
  readonly test: string;
  readonly status: string;
  readonly lines: string[];
}

/** Reads cargo nextest's output. */
function nextestParser(sink: Sink): LineParser {
  const failed = new Map<string, Failed>();
  let open: Failed | undefined;
  let active = false;

  function status(match: RegExpExecArray): boolean {
    const [, word = "", binary = "", test = ""] = match;
    active = true;
    open = undefined;
    if (!BAD.test(word)) {
      const name = `${binary} ${test}`;
      if (word === "PASS" || word === "FLAKY") failed.delete(name);
      if (word === "PASS" || word === "FLAKY" || word === "LEAK") sink.outcome({ name, result: "passed" });
      return true;
    }
    const key = `${binary} ${test}`;
    open = failed.get(key) ?? { binary, test, status: word, lines: [] };
    failed.set(key, open);
    return true;
  }

  return {
    take({ text }: Line): boolean {
      const line = STATUS.exec(text);
      if (line !== null) return status(line);
      if (FLAKY.test(text)) return true;
      const closing = SUMMARY.exec(text);
      if (closing !== null) {
        open = undefined;
        sink.summary(readCounts(closing));
        return true;
      }
      if (STREAM.test(text)) return open !== undefined;
      if (/^ {2,}Starting \d{1,9} tests? across|^ ?Nextest run ID/.test(text)) active = true;
      if (!active) return false;
      if (OTHER.test(text)) {
        if (!/^ {0,12}(?:Cancell?ing|──)/.test(text)) open = undefined;
        return true;
      }
      if (open === undefined) return false;
      if (open.lines.length >= MAX_LINES) open.lines.shift();
      open.lines.push(text.startsWith("    ") ? text.slice(4) : text);
      return true;
    },
    end(): void {
      for (const one of failed.values()) sink.failure(toFailure(one));
    },
  };
}

function readCounts(match: RegExpExecArray): TestCounts {
  const counts = new Map([...(match[3] ?? "").matchAll(COUNT)].map(([, n, what = ""]) => [what, Number(n)]));
  const of = (what: string): number => counts.get(what) ?? 0;
  return {
    passed: of("passed"),
    failed: of("failed") + of("timed out") + of("exec failed"),
    skipped: of("skipped"),
    durationMs: Math.round(Number(match[1]) * 1000),
  };
}

function toFailure({ binary, test, status, lines }: Failed): TestFailure {
  const details = readFailure(lines);
  const bare = details.message === "failed" && status !== "FAIL";
  return {
    kind: "test",
    name: `${binary} ${test}`,
    ...details,
    message: bare ? status : details.message,
    rerun: `-E 'binary_id(${binary}) & test(=${test})'`,
  };
}
