import { defineBuildTool } from "../../tool.ts";
import type { FoundFailure, Line, LineParser, Sink } from "../../tool.ts";
import { mochaParser } from "../mocha/tool.ts";

export const cypress = defineBuildTool({
  id: "cypress",
  title: "Cypress",
  url: "https://www.cypress.io",
  ecosystem: "js",
  kinds: ["test"],
  signatures: [
    "(Run Starting)",
    "(Run Finished)",
    "  Running:  ",
    "Spec Ran: ",
    "  Failing  Pending  Skipped",
  ],
  // Mocha's reporters print the tests of each spec, so this parser must see their lines before Mocha's does.
  priority: 4,
  parser: (sink) => new CypressParser(sink),
  commands: [
    {
      name: "cypress.test",
      description: "Run the tests",
      detect: (folder) =>
        folder.packageJson?.dependencies["cypress"] === undefined
          ? undefined
          : "package.json depends on cypress",
      argv: () => ["npx", "--no-install", "cypress", "run"],
    },
  ],
  rerun: "npx cypress run --spec",
  ownsIndented: /^ {2}(?:\d{1,9} (?:passing|failing|pending)(?: \(|$)|│ |Running: )/u,
});

const HEADING =
  /^ {2}\((?:Run Starting|Run Finished|Results|Screenshots|Video|Tests Starting|Downloaded|Uploading.*)\)$/;
const RUNNING = /^ {2}Running: {1,3}(\S.{0,500}?) +\(\d{1,6} of \d{1,6}\)$/;
/** Matches a row of the results of one spec: `│ Failing:      1 … │`. */
const RESULT = /^ {2}│ ([A-Z][\w ]{2,14}): +(\S(?:.*\S)?) *│$/u;
/** Matches a row of the closing table. */
const ROW =
  /^ {0,2}│ ([✖✔√×-]) {1,2}(\S.{0,300}?) +(?:\d\S*|SKIPPED) +(\d+|-) +(\d+|-) +(\d+|-) +(\d+|-) +(\d+|-) │$/u;
/** Matches the last line of the closing table, with the counts of all specs. */
const TOTAL =
  /^ {2,4}[✖✔√×-] {1,2}(?:\d+ of \d+ failed \(\d+%\)|All specs passed!|The run was canceled) +\S+ +(\d+|-) +(\d+|-) +(\d+|-) +(\d+|-) +(\d+|-) *$/u;
const RULE = /^(?: {0,2}[┌├└]─{20,}[┐┤┘]|[─=]{60,}|\s{90,}|\s{5,}Spec {20,}Tests  Passing .*)$/u;
const BROKEN = /^Oops\.\.\.we found an error preparing this test file:$/;
const MAX_REASON = 30;

/** Reads a Cypress run: the tests of each spec, which Mocha prints, and the tables around them. */
class CypressParser implements LineParser {
  readonly #sink: Sink;
  readonly #mocha: LineParser;
  #spec: string | undefined;
  /** The specs for which a failure was reported. */
  readonly #failed = new Set<string>();
  /** The number of tests in the spec whose results are being read. */
  #tests = 0;
  #summed = { passed: 0, failed: 0, skipped: 0 };
  #total: SpecCounts | undefined;
  /** The number of failures in the closing table that are specs without a test. */
  #unloaded = 0;
  /** The lines that explain why a spec could not be loaded. */
  #reason: string[] | undefined;

  constructor(sink: Sink) {
    this.#sink = sink;
    this.#mocha = mochaParser({
      ...sink,
      failure: (found) => this.#report(found),
      // The counts are in the tables, which also count specs that could not be loaded.
      summary: () => undefined,
    });
  }

  take(line: Line): boolean {
    const { text } = line;
    const spec = RUNNING.exec(text)?.[1];
    if (spec !== undefined || HEADING.test(text)) {
      this.#mocha.end();
      if (spec === undefined) this.#closeReason();
      else this.#spec = spec;
      return true;
    }
    if (RULE.test(text) || this.#readTable(text)) return true;
    if (this.#reason !== undefined) return this.#readReason(this.#reason, text);
    if (BROKEN.test(text)) {
      this.#reason = [];
      return true;
    }
    return this.#spec !== undefined && this.#mocha.take(line);
  }

  end(): void {
    this.#mocha.end();
    this.#closeReason();
    const { passed, failed, skipped } = this.#total ?? this.#summed;
    if (passed + failed + skipped > 0)
      this.#sink.summary({ passed, failed: Math.max(0, failed - this.#unloaded), skipped });
  }

  #report(found: FoundFailure): void {
    const spec = this.#spec ?? "";
    this.#failed.add(spec);
    const file = found.file?.replace(/^webpack:\/\/\/?(?:\S*\/)?\.\//, "").replace(/^\.\//, "");
    this.#sink.failure({ ...found, file: file ?? spec, rerun: spec });
  }

  #readTable(text: string): boolean {
    const total = TOTAL.exec(text);
    if (total !== null) {
      this.#total = countsOf(total.slice(1));
      return true;
    }
    const row = ROW.exec(text);
    if (row !== null) {
      this.#readRow(row[2] ?? "", countsOf(row.slice(3)));
      return true;
    }
    const [, name, value = ""] = RESULT.exec(text) ?? [];
    if (name === "Tests") this.#tests = Number(value) || 0;
    if (name === "Passing") this.#summed.passed += Number(value) || 0;
    if (name === "Failing" && this.#tests > 0) this.#summed.failed += Number(value) || 0;
    if (name === "Pending" || name === "Skipped") this.#summed.skipped += Number(value) || 0;
    return name !== undefined;
  }

  /** Reports a spec whose failed tests are not in the log. A spec without a single test could not be loaded. */
  #readRow(spec: string, { total, failed }: SpecCounts): void {
    if (total === 0 && failed > 0) this.#unloaded += failed;
    if (failed === 0 || this.#failed.has(spec)) return;
    this.#sink.failure({
      kind: total === 0 ? "suite" : "test",
      name: spec,
      message: `${failed} failed`,
      file: spec,
      rerun: spec,
    });
  }

  #readReason(reason: string[], text: string): boolean {
    if (reason.length < MAX_REASON && text.trim() !== "") reason.push(text.trim());
    return true;
  }

  /** Reports a spec that could not be loaded, with the error below Cypress's own introduction and above its advice. */
  #closeReason(): void {
    const reason = this.#reason;
    this.#reason = undefined;
    if (reason === undefined) return;
    const from = reason.indexOf("The error was:") + 1;
    const to = reason.findIndex((line) => line.startsWith("This occurred while Cypress was "));
    const file = /^> (\S.*)$/.exec(reason[0] ?? "")?.[1];
    const message = reason.slice(from, to < 0 ? undefined : to).join("\n");
    const spec = this.#spec ?? file ?? "";
    this.#failed.add(spec);
    this.#sink.failure({ kind: "suite", name: spec, message, file: file ?? spec, rerun: spec });
  }
}

interface SpecCounts {
  readonly total: number;
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
}

/** Reads the columns Tests, Passing, Failing, Pending and Skipped; a dash stands for none. */
function countsOf(columns: readonly (string | undefined)[]): SpecCounts {
  const [total = 0, passed = 0, failed = 0, pending = 0, skipped = 0] = columns.map(
    (text) => Number(text) || 0,
  );
  return { total, passed, failed, skipped: pending + skipped };
}
