import type { TestFailure } from "../../../model/test-summary.ts";
import { isCrash, readCrash } from "../go/panic.ts";
import type { Crash } from "../go/panic.ts";
import { crashLine, toFailure } from "./failure.ts";

/** Matches `=== FAIL: cart TestSum (re-run 1) (0.00s)`; the package or the test may be empty, and the time unknown. */
const ENTRY = /^=== (FAIL|SKIP): (\S*) (\S*)(?: \(re-run (\d{1,6})\))? \((?:[\d.]{1,14}s|unknown)\)$/;
const HEADING = /^=== (?:Skipped|Failed|Errors)$/;
const MAX_LINES = 1_000;

interface Entry {
  readonly rerun: number;
  readonly pack: string;
  readonly test: string;
  readonly lines: string[];
}

/** Reads the list of failed tests that gotestsum prints at the end of a run. */
export class GotestsumList {
  #open: Entry | undefined;
  #failures: TestFailure[] | undefined;
  /** The failures of the invocation whose closing line has not come yet. */
  #unsettled: { readonly failure: TestFailure; readonly rerun: number }[] = [];

  /** The listed failures, or undefined if there was no list. */
  get failures(): readonly TestFailure[] | undefined {
    return this.#failures === undefined
      ? undefined
      : [...this.#failures, ...this.#unsettled.map(({ failure }) => failure)];
  }

  /** Ends the list of an invocation that ran its tests `runs` times; returns the failures that the last run left. */
  settle(runs: number): readonly TestFailure[] {
    this.close();
    const left = this.#unsettled.filter(({ rerun }) => runs === 1 || rerun === runs - 1);
    const failures = left.map(({ failure }) => failure);
    this.#unsettled = [];
    this.#failures?.push(...failures);
    return failures;
  }

  take(text: string): boolean {
    const entry = ENTRY.exec(text);
    if (entry !== null) {
      this.close();
      this.#failures ??= [];
      const [, word, pack = "", test = "", rerun = "0"] = entry;
      if (word === "FAIL") this.#open = { pack, test, rerun: Number(rerun), lines: [] };
      return true;
    }
    if (this.#open === undefined) return false;
    if (HEADING.test(text)) this.close();
    else if (text.trim() !== "" && this.#open.lines.length < MAX_LINES) this.#open.lines.push(text);
    return true;
  }

  close(): void {
    const entry = this.#open;
    this.#open = undefined;
    if (entry === undefined) return;
    const failure = entry.test === "" ? packageFailure(entry) : testFailure(entry);
    this.#unsettled.push({ failure, rerun: entry.rerun });
  }
}

/** Splits the lines of a failed test into those before a crash and those of the crash. */
function splitAtCrash(lines: readonly string[]): {
  readonly before: readonly string[];
  readonly crash?: Crash;
} {
  const at = lines.findIndex((line) => isCrash(line));
  return at < 0 ? { before: lines } : { before: lines.slice(0, at), crash: readCrash(lines.slice(at)) };
}

function testFailure({ pack, test, lines }: Entry): TestFailure {
  const { before, crash } = splitAtCrash(lines);
  const content = before.filter((line) => !/^=== |^\s*--- /.test(line));
  const all = crash === undefined ? content : [crashLine(crash.message, crash.place), ...content];
  const name = pack === "" ? undefined : pack;
  return toFailure({ name: test, status: "FAIL", lines: all }, name, undefined);
}

/** Builds the failure of a package outside its tests: its setup, its exit code or its build. */
function packageFailure({ pack, lines }: Entry): TestFailure {
  const verdict = lines.findLast((line) => line.startsWith("FAIL"));
  const reason = /\[(.+)\]$/.exec(verdict ?? "")?.[1];
  const { before, crash } = splitAtCrash(lines);
  const content = before.filter((line) => !/^(?:FAIL|ok)\b|^exit status \d+$/.test(line));
  const { file, line } = crash?.place ?? {};
  return {
    kind: "suite",
    name: pack,
    message: crash?.message ?? reason ?? (content.join("\n").trim() || "failed"),
    ...(file === undefined ? {} : { file }),
    ...(line === undefined ? {} : { line }),
    rerun: `go test ${pack}`,
  };
}
