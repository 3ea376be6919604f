import { existsSync } from "node:fs";
import { dirname, isAbsolute, join, relative, sep } from "node:path";
import { createEngine, type EngineResult, parseText } from "../../diagnostics/engine/engine.ts";
import { pickFullerOutcomes } from "../../diagnostics/engine/test-tally.ts";
import { usableTools } from "../../diagnostics/custom/usable-tools.ts";
import { toolNamed } from "../../diagnostics/registry/tool-names.ts";
import { withRerunCommands } from "../../diagnostics/summarize/rerun-command.ts";
import { readSmallFile } from "../../kernel/files/small-file.ts";
import type { CustomTool } from "../../model/custom-tool.ts";
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
  /** The folder that really holds the files, if it is not `cwd` (as on a worker). */
  readonly filesAt?: string;
  /**
   * The ids of the output parsers that are known to fit, because they belong to the build tool that the command runs.
   */
  readonly expected: readonly string[];
  /** The tools that configuration files describe. */
  readonly customTools?: readonly CustomTool[];
  readonly testsExpected: boolean;
  /**
   * The text of `.vscode/tasks.json`, in which the workspace defines its own patterns for error messages (problem
   * matchers).
   */
  readonly tasksJson?: string;
}

/** Matches lines that probably describe an error. They are shown if no parser recognises the output. */
const SUSPECT_LINE =
  /\b(?:error|fatal|panic(?:ked)?|exception|traceback|failed|failure|cannot|could not|denied|undefined reference|no such file|not found|segmentation fault|abort(?:ed)?|killed)\b/i;
const MAX_SUSPECTS = 20;
/** The largest report file that is read; a larger one cannot be the report of a single run. */
const MAX_REPORT_BYTES = 64 * 1024 * 1024;

/** Parses the output of a run as it comes, and collects diagnostics and test results. */
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
      custom: usableTools(options.customTools ?? [], options.tasksJson),
      weighsEvidence: false,
      onUnclaimed: (line) => this.#keep(line),
    });
  }

  write(stream: StreamName, bytes: Buffer): void {
    this.#engine.write(bytes, stream);
  }

  /** Ends parsing. The tool's machine-readable report file adds what its output does not contain. */
  async end(reportFile?: string): Promise<RunFindings> {
    const read = reportFile === undefined ? undefined : readReport(reportFile, this.#options.expected);
    // The output was masked before it was parsed, but what XML or JSON in it encodes is readable only now, and the report
    // comes unmasked from a file that the tool wrote.
    const { value, count } = maskValues({ found: this.#engine.end(), report: read });
    const { found, report } = value;
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

/**
 * The shortest message of a diagnostic that counts as repeating a whole line of output; beside a shorter message, the
 * line probably says more.
 */
const MIN_MESSAGE_LENGTH = 10;
const MAX_MESSAGES = 1_000;

/** Removes the lines of an excerpt that only repeat the message of a diagnostic. */
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

/** Parses the report file of a tool; undefined if the tool ended before it wrote one, or wrote no regular file. */
function readReport(file: string, expected: readonly string[]): EngineResult | undefined {
  // An isolated command could otherwise show a file that it cannot read itself, by a link to it.
  const read = readSmallFile(file, { maxBytes: MAX_REPORT_BYTES, within: dirname(file) });
  return "bytes" in read ? parseText(read.bytes, { expected, weighsEvidence: false }) : undefined;
}

/**
 * Merges what was parsed from the output and from the report file: the output takes precedence, and the report adds
 * what is missing or only counted there.
 */
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

/**
 * The outcomes of the single tests from the report file, if its counts show that it is about the same tests as the
 * output.
 */
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

/**
 * Adds the folder to the file name of a failed test if the test runner prints it without one. A file that is not found
 * stays as it was printed.
 */
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

/** Makes a path inside the working directory relative to it; other paths stay as the tool printed them. */
function relativePath(path: string, cwd: string): string {
  const plain = path.startsWith("file://") ? path.slice("file://".length) : path;
  if (!isAbsolute(plain)) return plain.startsWith("./") ? plain.slice(2) : plain;
  const way = relative(cwd, plain);
  const inside = way !== "" && !way.startsWith("..") && !isAbsolute(way);
  return inside ? way.split(sep).join("/") : plain;
}
