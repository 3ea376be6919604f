import type { Diagnostic, Severity } from "../../model/diagnostic.ts";
import type { TestFailure, TestSummary } from "../../model/test-summary.ts";
import { dedupeSummaries } from "./dedupe-summaries.ts";
import { messageKey, OutcomeTally, TestTally } from "./test-tally.ts";
import type { Found, Sink } from "../tool.ts";
import type { ToolFacts } from "./tool-facts.ts";

/**
 * Upper bound on kept diagnostics, and likewise on kept test failures. It exceeds what any reply can show; beyond it only the counts grow, so that
 * memory stays bounded even for a 1 GB log.
 */
const MAX_KEPT = 10_000;
/** Upper bound, in characters, on the kept text of diagnostics, and likewise on that of test failures, so that long messages stay bounded too. */
const MAX_KEPT_TEXT = 8_000_000;
/**
 * Matches characters that show that a supposed file name is not a path: quotes, line breaks or a comment opener come
 * from source code or data, so the parser misread the line.
 */
const NOT_A_PATH = /["`\n]|\/\*/;
/**
 * Upper bound on the findings of unknown tools that are held back until it is clear whether a known tool explains the
 * failure.
 */
const MAX_FALLBACKS = 5_000;
/**
 * Upper bound on hints that tools give about the whole run. A tool gives at most one, but a log of many packages may
 * repeat it with different numbers.
 */
const MAX_ADVICE = 5;
/** Maximum length of a message; longer ones are truncated with an ellipsis. */
const MAX_MESSAGE_LENGTH = 16_000;

export interface Collected {
  /** Diagnostics in the order of their first appearance, without exact repeats. */
  readonly diagnostics: readonly Diagnostic[];
  readonly tests: readonly TestSummary[];
  /** Number of findings that were counted but not kept because a limit was reached. */
  readonly notKept: { readonly diagnostics: number; readonly failures: number };
  /** Number of findings per severity, including those not kept. Exact repeats are counted once as long as findings are kept. */
  readonly counts: Readonly<Record<Severity, number>>;
  /** Hints of the tools about the whole run. */
  readonly advice: readonly string[];
  /** For findings with a relative path: the folder or package in which the tool ran, if the output names it. */
  readonly ranIn: ReadonlyMap<Diagnostic | TestFailure, string>;
  /** The number of the log line at which each finding was last reported. */
  readonly foundAt: ReadonlyMap<Diagnostic | TestFailure, number>;
}

interface SinkOptions {
  /**
   * True if the findings reported through this sink are used only when no other parser found an error or a test
   * summary.
   */
  readonly fallback?: boolean;
  /** Returns the folder or package in which the tool currently runs. */
  readonly where?: () => string | undefined;
  /** True if the findings come from a report, which may repeat what the runner printed. */
  readonly report?: boolean;
}

type Placed = Found & { readonly tool: string };

/** A finding of an unknown tool, with the folder in which it ran and the log line at which it was found. */
interface Fallback {
  readonly found: Placed;
  readonly where: string | undefined;
  readonly line: number;
}

/** Collects what all parsers of a run find. */
export class Collector {
  readonly #facts: ToolFacts;
  readonly #diagnostics: Diagnostic[] = [];
  readonly #seen = new Map<string, Diagnostic>();
  readonly #foundAt = new Map<Diagnostic | TestFailure, number>();
  readonly #advice = new Set<string>();
  readonly #fallbacks: Fallback[] = [];
  readonly #ranIn = new Map<Diagnostic | TestFailure, string>();
  readonly #lostFallbacks: Record<Severity, number> = { error: 0, warning: 0, info: 0 };
  readonly #runs = new Map<string, TestTally>();
  readonly #reports = new Map<string, TestTally>();
  /**
   * The names of passed and skipped tests are kept apart from the counts, because a list of names alone does not make a
   * test summary.
   */
  readonly #outcomes = new Map<string, OutcomeTally>();
  readonly #reportOutcomes = new Map<string, OutcomeTally>();
  readonly #counts: Record<Severity, number> = { error: 0, warning: 0, info: 0 };
  readonly #text = { diagnostics: 0, failures: 0 };
  #lost = 0;
  #lostFailures = 0;
  #failures = 0;
  #failedByCount = 0;
  #repeatedErrors = 0;
  /** The number of the log line that the parsers are reading. */
  line = 0;

  constructor(facts: ToolFacts) {
    this.#facts = facts;
  }

  /** Returns the sink (the receiver of findings) through which the parser of one tool reports. */
  sink(tool: string, { fallback = false, where = () => undefined, report = false }: SinkOptions = {}): Sink {
    const runs = report ? this.#reports : this.#runs;
    const outcomes = report ? this.#reportOutcomes : this.#outcomes;
    const add = (found: Placed): void => {
      if (fallback) this.#addFallback(found, where());
      else if (report || hasPlausiblePath(found)) this.#add(found, where());
    };
    return {
      diagnostic: (found) =>
        add({ ...withoutLineZero(found), tool: found.tool ?? tool, message: truncate(found.message) }),
      failure: ({ runner, ...found }) => this.#fail(tallyOf(runs, runner ?? tool), found, where()),
      summary: (counts) => {
        this.#failedByCount +=
          (counts.failed ?? 0) + (counts.failedSuites ?? 0) + (counts.unhandledErrors ?? 0);
        tallyOf(runs, counts.runner ?? tool).add(counts);
      },
      advice: (text) => {
        if (this.#advice.size < MAX_ADVICE) this.#advice.add(truncate(text.trim()));
      },
      outcome: (found) => outcomesOf(outcomes, found.runner ?? tool).add(found),
      ranFile: ({ runner, ...ran }) => outcomesOf(outcomes, runner ?? tool).addFile(ran),
      retractLast: (from) => this.#retractLast(from),
      toolOfRule: this.#facts.toolOfRule,
    };
  }

  /** The number of errors and failed tests found so far, with repeated errors. */
  get reasons(): number {
    return (
      this.#counts.error + this.#repeatedErrors + this.#failures + this.#lostFailures + this.#failedByCount
    );
  }

  finish(): Collected {
    if (this.#counts.error === 0 && this.#runs.size + this.#reports.size === 0) this.#useFallbacks();
    return {
      diagnostics: this.#diagnostics,
      tests: dedupeSummaries(
        summaries(this.#runs, this.#outcomes),
        summaries(this.#reports, this.#reportOutcomes),
        this.#facts.repeatsOf,
      ),
      notKept: { diagnostics: this.#lost, failures: this.#lostFailures },
      counts: this.#counts,
      advice: [...this.#advice],
      ranIn: this.#ranIn,
      foundAt: this.#foundAt,
    };
  }

  #addFallback(found: Placed, where: string | undefined): void {
    if (this.#fallbacks.length < MAX_FALLBACKS) this.#fallbacks.push({ found, where, line: this.line });
    else this.#lostFallbacks[found.severity]++;
  }

  #useFallbacks(): void {
    for (const { found, where, line } of this.#fallbacks)
      if (hasPlausiblePath(found)) this.#add(found, where, line);
    for (const severity of ["error", "warning", "info"] as const) {
      this.#counts[severity] += this.#lostFallbacks[severity];
      this.#lost += this.#lostFallbacks[severity];
    }
  }

  #add(found: Placed, where: string | undefined, line = this.line): void {
    if (this.#diagnostics.length >= MAX_KEPT || this.#text.diagnostics > MAX_KEPT_TEXT) {
      this.#counts[found.severity]++;
      this.#lost++;
      return;
    }
    const place = isRelative(found.file) ? where : undefined;
    const { rest, key } = keysOf(found, place);
    // Some compilers name the rule of a warning only at its first occurrence; the same message without the rule is a
    // repeat.
    const unnamed = found.code === undefined && found.file !== undefined;
    const twin = this.#seen.get(key) ?? (unnamed ? this.#seen.get(rest) : undefined);
    // A repeated finding counts where it was printed last: a retried command fails with its last attempt.
    this.#foundAt.set(twin ?? found, line);
    if (twin !== undefined) {
      if (found.severity === "error") this.#repeatedErrors++;
      return;
    }
    this.#seen.set(key, found);
    this.#seen.set(rest, found);
    this.#counts[found.severity]++;
    this.#text.diagnostics += lengthOf(found);
    this.#diagnostics.push(found);
    if (place !== undefined) this.#ranIn.set(found, place);
  }

  #retractLast(tool: string): Placed | undefined {
    const last = this.#diagnostics.at(-1);
    if (last?.tool !== tool) return undefined;
    this.#diagnostics.pop();
    const { rest, key } = keysOf(last, this.#ranIn.get(last));
    this.#ranIn.delete(last);
    this.#foundAt.delete(last);
    this.#seen.delete(key);
    this.#seen.delete(rest);
    this.#counts[last.severity]--;
    this.#text.diagnostics -= lengthOf(last);
    return last;
  }

  #fail(tally: TestTally, found: TestFailure, where: string | undefined): void {
    if (this.#failures >= MAX_KEPT || this.#text.failures > MAX_KEPT_TEXT) {
      this.#lostFailures++;
      return;
    }
    const { name, message, expected, received } = found;
    const failure = {
      ...found,
      name: truncate(name),
      message: truncate(message),
      ...(expected === undefined ? {} : { expected: truncate(expected) }),
      ...(received === undefined ? {} : { received: truncate(received) }),
    };
    const place = isRelative(found.file) ? where : undefined;
    if (!tally.fail(failure, place)) return;
    if (place !== undefined) this.#ranIn.set(failure, place);
    this.#foundAt.set(failure, this.line);
    this.#failures++;
    this.#text.failures += [failure.name, failure.message, failure.expected, failure.received].join(
      "",
    ).length;
  }
}

function tallyOf(runs: Map<string, TestTally>, runner: string): TestTally {
  const known = runs.get(runner);
  if (known !== undefined) return known;
  const fresh = new TestTally();
  runs.set(runner, fresh);
  return fresh;
}

function outcomesOf(outcomes: Map<string, OutcomeTally>, runner: string): OutcomeTally {
  const known = outcomes.get(runner);
  if (known !== undefined) return known;
  const fresh = new OutcomeTally();
  outcomes.set(runner, fresh);
  return fresh;
}

function summaries(
  runs: ReadonlyMap<string, TestTally>,
  outcomes: ReadonlyMap<string, OutcomeTally>,
): TestSummary[] {
  return [...runs].map(([runner, tally]) => {
    const known = outcomes.get(runner)?.outcomes();
    return { ...tally.summary(runner), ...(known === undefined ? {} : { outcomes: known }) };
  });
}

function keysOf(found: Placed, where = ""): { readonly rest: string; readonly key: string } {
  const { tool, file, line, column, severity, message } = found;
  const rest = [tool, file, where, line, column, severity, messageKey(message)].join("\0");
  return { rest, key: `${rest}\0${found.code ?? ""}` };
}

function hasPlausiblePath({ file }: Placed): boolean {
  return file === undefined || !NOT_A_PATH.test(file);
}

function isRelative(file: string | undefined): boolean {
  return file !== undefined && !/^(?:[\\/]|[A-Za-z]:[\\/]|file:)/.test(file);
}

function lengthOf({ message, help, related }: Placed): number {
  const beside = [...(help ?? []), ...(related ?? []).map((place) => place.message)];
  return beside.reduce((sum, text) => sum + (text?.length ?? 0), message.length);
}

/** Removes line 0, with which some tools refer to the file as a whole; line numbers start at 1. */
function withoutLineZero(found: Found): Found {
  if (found.line !== 0) return found;
  const { line: _line, column: _column, endLine: _endLine, endColumn: _endColumn, ...rest } = found;
  return rest;
}

function truncate(text: string): string {
  return text.length > MAX_MESSAGE_LENGTH ? `${text.slice(0, MAX_MESSAGE_LENGTH)}…` : text;
}
