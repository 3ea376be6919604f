import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { isAbsolute, join, relative, sep } from "node:path";
import { createEngine, type EngineResult, parseText } from "../../diagnostics/engine/engine.ts";
import { pickFullerOutcomes } from "../../diagnostics/engine/test-tally.ts";
import { toolNamed } from "../../diagnostics/registry/tool-names.ts";
import { withRerunCommands } from "../../diagnostics/summarize/rerun-command.ts";
import { errnoOf } from "../../kernel/errors.ts";
import type { Diagnostic } from "../../model/diagnostic.ts";
import type { Excerpt, LogLine, RunFindings, StreamName } from "../../model/run.ts";
import type { TestFailure, TestSummary } from "../../model/test-summary.ts";
import { maskValues } from "../../security/secrets/mask-values.ts";
import { resolvePackageFiles } from "./package-files.ts";
import { ExcerptKeeper } from "./excerpt-keeper.ts";
import { withSource } from "./source-facts.ts";
import { truncateParsed } from "../reply/shown-line.ts";

interface FindingsOptions {
  readonly cwd: string;
  /** The actual folder of the files, if it is not `cwd`. */
  readonly filesAt?: string;
  /** Ids of the parsers that are certain to fit the output. */
  readonly expected: readonly string[];
  readonly testsExpected: boolean;
  /** The text of tasks.json with the workspace's own problem matchers. */
  readonly tasksJson?: string;
}

/** Matches lines that probably describe an error, for output that no parser recognises. */
const SUSPECT_LINE =
  /\b(?:error|fatal|panic(?:ked)?|exception|traceback|failed|failure|cannot|could not|denied|undefined reference|no such file|not found|segmentation fault|abort(?:ed)?|killed)\b/i;
const MAX_SUSPECTS = 20;
/** A larger report file is not read, because it cannot be the report of one run. */
const MAX_REPORT_BYTES = 64 * 1024 * 1024;

/** Parses a run's output as it comes. */
export class FindingsReader {
  readonly #options: FindingsOptions;
  readonly #keepers = { stdout: new ExcerptKeeper(), stderr: new ExcerptKeeper() };
  readonly #suspects: LogLine[] = [];
  readonly #engine;

  constructor(options: FindingsOptions) {
    this.#options = options;
    this.#engine = createEngine({
      expected: options.expected,
      ...(options.tasksJson === undefined ? {} : { tasksJson: options.tasksJson }),
      onUnclaimed: (line) => this.#keep(line),
    });
  }

  write(stream: StreamName, bytes: Buffer): void {
    this.#engine.write(bytes, stream);
  }

  /** Ends the output. The report file of the tool adds what its output does not contain. */
  async end(reportFile?: string): Promise<RunFindings> {
    const found = this.#engine.end();
    const read = reportFile === undefined ? undefined : await readReport(reportFile, this.#options.expected);
    // The output was masked before it was parsed, but the report comes directly from a file of the tool.
    const { value: report, count } = maskValues(read);
    const { cwd, testsExpected } = this.#options;
    const merged = report === undefined ? found : merge(found, report);
    const { diagnostics, tests } = resolvePackageFiles(merged, cwd);
    const findings: RunFindings = {
      diagnostics: diagnostics.map((one) => relativeDiagnostic(one, cwd)),
      tests: withRerunCommands(tests.map((one) => relativeTests(one, cwd))),
      counts: merged.counts,
      notKept: merged.notKept,
      ...(merged.advice.length === 0 ? {} : { advice: merged.advice }),
      testsExpected,
      unclaimed: {
        stdout: dropKnownLines(this.#keepers.stdout.excerpt(), merged.diagnostics),
        stderr: dropKnownLines(this.#keepers.stderr.excerpt(), merged.diagnostics),
      },
      suspects: this.#suspects,
      ...(merged.scripts.length === 0 ? {} : { scripts: merged.scripts }),
      ...(count > 0 && { masked: { count, places: [] } }),
    };
    return withSource(findings, this.#options.filesAt ?? cwd);
  }

  #keep(line: LogLine): void {
    if (line.text.trim() === "") return;
    this.#keepers[line.stream].add(line);
    if (this.#suspects.length < MAX_SUSPECTS && SUSPECT_LINE.test(line.text.slice(0, 1_000)))
      this.#suspects.push(truncateParsed(line));
  }
}

/** A shorter message does not cover its line, since the line probably says more. */
const MIN_MESSAGE_LENGTH = 10;
const MAX_MESSAGES = 1_000;

/** Removes lines of an excerpt that only repeat a diagnostic. */
function dropKnownLines(excerpt: Excerpt, diagnostics: readonly Diagnostic[]): Excerpt {
  const messages = diagnostics
    .slice(0, MAX_MESSAGES)
    .map(({ message }) => message.split("\n", 1)[0]?.trim() ?? "")
    .filter((message) => message.length >= MIN_MESSAGE_LENGTH);
  const isNews = (line: LogLine): boolean => !messages.some((message) => line.text.includes(message));
  const first = excerpt.first.filter(isNews);
  const last = excerpt.last.filter(isNews);
  const known = excerpt.first.length + excerpt.last.length - first.length - last.length;
  return { total: excerpt.total - known, first, last };
}

async function readReport(file: string, expected: readonly string[]): Promise<EngineResult | undefined> {
  try {
    const bytes = await readFile(file);
    return bytes.length > MAX_REPORT_BYTES ? undefined : parseText(bytes, { expected });
  } catch (error) {
    // The tool ended before it wrote the report.
    if (errnoOf(error) === "ENOENT") return undefined;
    throw error;
  }
}

/** Merges output and report: the output takes precedence, and the report adds what is missing or only counted there. */
function merge(printed: EngineResult, report: EngineResult): EngineResult {
  const reported = report.tests.flatMap((one) => one.failures);
  const tests = printed.tests.map((one) => {
    const outcomes = reportedOutcomes(one, report.tests);
    const failures =
      one.failures.length < one.failed && reported.length === one.failed ? reported : one.failures;
    return { ...one, failures, ...(outcomes === undefined ? {} : { outcomes }) };
  });
  const fromReport = printed.diagnostics.length === 0 && report.diagnostics.length > 0;
  return {
    ...printed,
    ...(fromReport ? { diagnostics: report.diagnostics, counts: report.counts } : {}),
    tests: tests.length > 0 ? tests : report.tests,
  };
}

/** The names of passed tests, if the report is about the same tests as the output. */
function reportedOutcomes(printed: TestSummary, reported: readonly TestSummary[]): TestSummary["outcomes"] {
  const same = reported.find(({ passed, failed }) => passed === printed.passed && failed === printed.failed);
  return pickFullerOutcomes(printed.outcomes, same?.outcomes);
}

function relativeDiagnostic(one: Diagnostic, cwd: string): Diagnostic {
  return {
    ...one,
    ...(one.file === undefined ? {} : { file: relativePath(one.file, cwd) }),
    ...(one.related === undefined
      ? {}
      : { related: one.related.map((place) => ({ ...place, file: relativePath(place.file, cwd) })) }),
  };
}

function relativeTests(summary: TestSummary, cwd: string): TestSummary {
  const failures = summary.failures.map(locateFile(summary.runner, cwd)).map((failure): TestFailure =>
    failure.file === undefined
      ? failure
      : {
          ...failure,
          file: relativePath(failure.file, cwd),
          ...(failure.kind === "suite" ? { name: relativePath(failure.name, cwd) } : {}),
        },
  );
  return { ...summary, failures };
}

/** Adds the folder to the file of a failed test if its runner prints it without one; a file that is not found stays as it was printed. */
function locateFile(runner: string, cwd: string): (failure: TestFailure) => TestFailure {
  const tool = toolNamed(runner);
  if (tool?.filesOf === undefined) return (failure) => failure;
  const exists = new Map<string, boolean>();
  return (failure) => {
    const file = tool.filesOf?.(failure).find((path) => {
      const found = exists.get(path) ?? existsSync(join(cwd, path));
      exists.set(path, found);
      return found;
    });
    return file === undefined ? failure : { ...failure, file };
  };
}

/** Makes paths inside the working directory relative to it; others stay as the tool printed them. */
function relativePath(path: string, cwd: string): string {
  const plain = path.startsWith("file://") ? path.slice("file://".length) : path;
  if (!isAbsolute(plain)) return plain.startsWith("./") ? plain.slice(2) : plain;
  const way = relative(cwd, plain);
  const inside = way !== "" && !way.startsWith("..") && !isAbsolute(way);
  return inside ? way.split(sep).join("/") : plain;
}
