import { contentId } from "../../kernel/ids.ts";
import type { Diagnostic, Severity } from "../../model/diagnostic.ts";
import type { TestFailure, TestSummary } from "../../model/test-summary.ts";
import { rareSums } from "./rare-counts.ts";
import { OutcomeTally } from "./outcome-tally.ts";
import { toldOnce } from "./dedupe-summaries.ts";
import type { Found, Sink, TestCounts } from "../tool.ts";

/** More than any reply could hold; beyond it only the counts grow, so that a 1 GB log stays in bounded memory... */
const MAX_KEPT = 10_000;
/** ...also where each message is long. In characters, of diagnostics and failed tests each. */
const MAX_KEPT_TEXT = 8_000_000;
/** Text that was quoted in source code or data: such a "file" is a line parser's mistake, whoever made it. */
const NO_PATH = /["`\n]|\/\*/;
/** What only may count is kept in smaller numbers. */
const MAX_ASIDE = 5_000;
/** Each tool gives one piece of advice at most; a log of many packages may repeat it with other numbers. */
const MAX_ADVICE = 5;
/** No message is worth more than this; one that is longer is cut with a mark. */
const MAX_TEXT = 16_000;

export interface Collected {
  /** By first appearance, exact repeats once. */
  readonly diagnostics: readonly Diagnostic[];
  readonly tests: readonly TestSummary[];
  /** How many were found but not kept, because there were too many. */
  readonly notKept: { readonly diagnostics: number; readonly failures: number };
  /** All found, kept or not, exact repeats once where they were kept. */
  readonly counts: Readonly<Record<Severity, number>>;
  /** What the tools say of the run as a whole that helps to go on. */
  readonly advice: readonly string[];
  /** Of what names a relative path: the folder or package in which its tool ran, where the output says so. */
  readonly ranIn: ReadonlyMap<Diagnostic | TestFailure, string>;
}

interface SinkOptions {
  /** What is found counts only where nothing else was found that explains a failure: no error and no test summary. */
  readonly otherwise?: boolean;
  /** Where the tool runs at the moment. */
  readonly where?: () => string | undefined;
  /** What is found stands in a report, which may repeat what the runner printed. */
  readonly report?: boolean;
}

type Placed = Found & { readonly tool: string };

/** Gathers what all parsers of a run find. */
export class Collector {
  readonly #diagnostics: Diagnostic[] = [];
  readonly #seen = new Set<string>();
  readonly #advice = new Set<string>();
  readonly #aside: { readonly found: Placed; readonly where: string | undefined }[] = [];
  readonly #ranIn = new Map<Diagnostic | TestFailure, string>();
  readonly #asideLost: Record<Severity, number> = { error: 0, warning: 0, info: 0 };
  readonly #runs = new Map<string, Tally>();
  readonly #reports = new Map<string, Tally>();
  /** Apart from the counts: names alone are no summary. */
  readonly #outcomes = new Map<string, OutcomeTally>();
  readonly #reportOutcomes = new Map<string, OutcomeTally>();
  readonly #counts: Record<Severity, number> = { error: 0, warning: 0, info: 0 };
  readonly #text = { diagnostics: 0, failures: 0 };
  #lost = 0;
  #lostFailures = 0;
  #failures = 0;
  #failedByCount = 0;

  /** The sink of one tool. */
  sink(tool: string, { otherwise = false, where = () => undefined, report = false }: SinkOptions = {}): Sink {
    const runs = report ? this.#reports : this.#runs;
    const outcomes = report ? this.#reportOutcomes : this.#outcomes;
    const add = (found: Placed): void => {
      if (otherwise) this.#setAside(found, where());
      else if (report || hasPath(found)) this.#add(found, where());
    };
    return {
      diagnostic: (found) =>
        add({ ...placed(found), tool: found.tool ?? tool, message: clip(found.message) }),
      failure: ({ runner, ...found }) => this.#fail(tallyOf(runs, runner ?? tool), found, where()),
      summary: (counts) => {
        this.#failedByCount +=
          (counts.failed ?? 0) + (counts.failedSuites ?? 0) + (counts.unhandledErrors ?? 0);
        tallyOf(runs, counts.runner ?? tool).add(counts);
      },
      advice: (text) => {
        if (this.#advice.size < MAX_ADVICE) this.#advice.add(clip(text.trim()));
      },
      outcome: (found) => outcomesOf(outcomes, found.runner ?? tool).add(found),
      ranFile: ({ runner, ...ran }) => outcomesOf(outcomes, runner ?? tool).addFile(ran),
      takeBack: (from) => this.#takeBack(from),
    };
  }

  /** How many errors and failed tests were found so far. */
  get reasons(): number {
    return this.#counts.error + this.#failures + this.#lostFailures + this.#failedByCount;
  }

  finish(): Collected {
    if (this.#counts.error === 0 && this.#runs.size + this.#reports.size === 0) this.#addAside();
    return {
      diagnostics: this.#diagnostics,
      tests: toldOnce(summaries(this.#runs, this.#outcomes), summaries(this.#reports, this.#reportOutcomes)),
      notKept: { diagnostics: this.#lost, failures: this.#lostFailures },
      counts: this.#counts,
      advice: [...this.#advice],
      ranIn: this.#ranIn,
    };
  }

  #setAside(found: Placed, where: string | undefined): void {
    if (this.#aside.length < MAX_ASIDE) this.#aside.push({ found, where });
    else this.#asideLost[found.severity]++;
  }

  #addAside(): void {
    for (const { found, where } of this.#aside) if (hasPath(found)) this.#add(found, where);
    for (const severity of ["error", "warning", "info"] as const) {
      this.#counts[severity] += this.#asideLost[severity];
      this.#lost += this.#asideLost[severity];
    }
  }

  #add(found: Placed, where: string | undefined): void {
    if (this.#diagnostics.length >= MAX_KEPT || this.#text.diagnostics > MAX_KEPT_TEXT) {
      this.#counts[found.severity]++;
      this.#lost++;
      return;
    }
    const place = isRelative(found.file) ? where : undefined;
    const { rest, key } = keysOf(found, place);
    // A compiler names the lint at its first use only; the same complaint without it is a repeat.
    const unnamed = found.code === undefined && found.file !== undefined;
    if (this.#seen.has(key) || (unnamed && this.#seen.has(rest))) return;
    this.#seen.add(key);
    this.#seen.add(rest);
    this.#counts[found.severity]++;
    this.#text.diagnostics += lengthOf(found);
    this.#diagnostics.push(found);
    if (place !== undefined) this.#ranIn.set(found, place);
  }

  #takeBack(tool: string): Placed | undefined {
    const last = this.#diagnostics.at(-1);
    if (last?.tool !== tool) return undefined;
    this.#diagnostics.pop();
    const { rest, key } = keysOf(last, this.#ranIn.get(last));
    this.#ranIn.delete(last);
    this.#seen.delete(key);
    this.#seen.delete(rest);
    this.#counts[last.severity]--;
    this.#text.diagnostics -= lengthOf(last);
    return last;
  }

  #fail(tally: Tally, found: TestFailure, where: string | undefined): void {
    if (this.#failures >= MAX_KEPT || this.#text.failures > MAX_KEPT_TEXT) {
      this.#lostFailures++;
      return;
    }
    const { name, message, expected, received } = found;
    const failure = {
      ...found,
      name: clip(name),
      message: clip(message),
      ...(expected === undefined ? {} : { expected: clip(expected) }),
      ...(received === undefined ? {} : { received: clip(received) }),
    };
    const place = isRelative(found.file) ? where : undefined;
    if (!tally.fail(failure, place)) return;
    if (place !== undefined) this.#ranIn.set(failure, place);
    this.#failures++;
    this.#text.failures += [failure.name, failure.message, failure.expected, failure.received].join(
      "",
    ).length;
  }
}

function tallyOf(runs: Map<string, Tally>, runner: string): Tally {
  const known = runs.get(runner);
  if (known !== undefined) return known;
  const fresh = new Tally();
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
  runs: ReadonlyMap<string, Tally>,
  outcomes: ReadonlyMap<string, OutcomeTally>,
): TestSummary[] {
  return [...runs].map(([runner, tally]) => {
    const known = outcomes.get(runner)?.outcomes();
    return { ...tally.summary(runner), ...(known === undefined ? {} : { outcomes: known }) };
  });
}

function keysOf(found: Placed, where = ""): { readonly rest: string; readonly key: string } {
  const { tool, file, line, column, severity, message } = found;
  const rest = [tool, file, where, line, column, severity, inShort(message)].join("\0");
  return { rest, key: `${rest}\0${found.code ?? ""}` };
}

function hasPath({ file }: Placed): boolean {
  return file === undefined || !NO_PATH.test(file);
}

function isRelative(file: string | undefined): boolean {
  return file !== undefined && !/^(?:[\\/]|[A-Za-z]:[\\/]|file:)/.test(file);
}

/** What a message is known by. A long one is not kept twice. */
function inShort(message: string): string {
  return message.length > 200 ? contentId(message) : message;
}

function lengthOf({ message, help, related }: Placed): number {
  const beside = [...(help ?? []), ...(related ?? []).map((place) => place.message)];
  return beside.reduce((sum, text) => sum + (text?.length ?? 0), message.length);
}

/** The counts and failures of one runner, over all its closing summaries. */
class Tally {
  readonly #failures: TestFailure[] = [];
  readonly #seen = new Set<string>();
  #counts: TestCounts | undefined;
  #isPartial = false;

  add(counts: TestCounts): void {
    const before = this.#counts ?? {};
    this.#isPartial ||= counts.isPartial === true;
    const { passed = 0, failed = 0, skipped = 0, xfailed = 0, xpassed = 0 } = counts;
    const total = counts.total ?? passed + failed + skipped + xfailed + xpassed;
    const durationMs = sum(before.durationMs, counts.durationMs);
    this.#counts = {
      passed: (before.passed ?? 0) + (counts.passed ?? 0),
      failed: (before.failed ?? 0) + (counts.failed ?? 0),
      skipped: (before.skipped ?? 0) + (counts.skipped ?? 0),
      total: (before.total ?? 0) + total,
      failedSuites: (before.failedSuites ?? 0) + (counts.failedSuites ?? 0),
      unhandledErrors: (before.unhandledErrors ?? 0) + (counts.unhandledErrors ?? 0),
      ...rareSums(before, counts),
      ...(durationMs === undefined ? {} : { durationMs }),
    };
  }

  /** Says whether it was not known yet. */
  fail(failure: TestFailure, where = ""): boolean {
    const { kind, name, file, line, message } = failure;
    const key = [kind, name, file, where, line, inShort(message)].join("\0");
    if (this.#seen.has(key)) return false;
    this.#seen.add(key);
    this.#failures.push(failure);
    return true;
  }

  /** A runner that printed failures and no counts (killed, cut off) has at least as many as were seen. */
  summary(runner: string): TestSummary {
    const of = (kind: TestFailure["kind"]): number =>
      this.#failures.filter((one) => one.kind === kind).length;
    const counts = this.#counts ?? { failed: of("test"), total: of("test") };
    return {
      runner,
      passed: counts.passed ?? 0,
      failed: counts.failed ?? 0,
      skipped: counts.skipped ?? 0,
      total: counts.total ?? 0,
      ...rareSums(counts, {}),
      failedSuites: Math.max(counts.failedSuites ?? 0, of("suite")),
      unhandledErrors: Math.max(counts.unhandledErrors ?? 0, of("unhandled")),
      ...(counts.durationMs === undefined ? {} : { durationMs: counts.durationMs }),
      failures: this.#failures,
      ...(this.#isPartial || this.#counts === undefined ? { isPartial: true } : {}),
    };
  }
}

/** Lines count from 1; a tool that prints line 0 means the file as a whole. */
function placed(found: Found): Found {
  if (found.line !== 0) return found;
  const { line: _line, column: _column, endLine: _endLine, endColumn: _endColumn, ...rest } = found;
  return rest;
}

function sum(a: number | undefined, b: number | undefined): number | undefined {
  return a === undefined ? b : a + (b ?? 0);
}

function clip(text: string): string {
  return text.length > MAX_TEXT ? `${text.slice(0, MAX_TEXT)}…` : text;
}
