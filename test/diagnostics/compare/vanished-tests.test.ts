import { expect, it } from "vitest";
import { compareRuns } from "../../../src/diagnostics/compare/compare-runs.ts";
import type { SourceFacts } from "../../../src/diagnostics/compare/source-facts.ts";
import { testKey } from "../../../src/diagnostics/compare/test-identity.ts";
import type { RunFindings } from "../../../src/model/run.ts";
import type { TestFailure, TestSummary } from "../../../src/model/test-summary.ts";

/**
 * Generated pairs of runs of one test suite. The suite's contents are known, so that the comparison's result can be verified. Reporters differ in
 * what they print about passed tests, and runs in how far they get.
 */
interface Test {
  readonly file: string;
  readonly name: string;
  state: "passes" | "fails" | "is skipped";
}

interface Suite {
  readonly tests: readonly Test[];
  /** Files that do not load. */
  readonly broken: ReadonlySet<string>;
}

const REPORTERS = ["names and files", "names", "files", "counts", "counts, one failure unlisted"] as const;
type Reporter = (typeof REPORTERS)[number];
const RUNS = ["whole", "whole", "whole", "killed", "not started", "not compiled", "only some"] as const;
type Kind = (typeof RUNS)[number];

interface Ran {
  readonly findings: RunFindings;
  readonly exitCode?: number;
  /** Tests that ran and passed. */
  readonly passed: ReadonlySet<string>;
}

type Pick = (below: number) => number;

function pickFrom(seed: number): Pick {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

function keyOf({ file, name }: { readonly file: string; readonly name: string }): string {
  return `${file} ${name}`;
}

function run(suite: Suite, { kind, reporter, pick }: { kind: Kind; reporter: Reporter; pick: Pick }): Ran {
  if (kind === "not started" || kind === "not compiled")
    return {
      findings: findingsOf([]),
      exitCode: kind === "not started" ? 127 : 101,
      passed: new Set(),
    };
  const loaded = suite.tests.filter(({ file }) => !suite.broken.has(file));
  const only = kind === "only some" ? `f${pick(3)}` : undefined;
  const selected = only === undefined ? loaded : loaded.filter(({ file }) => file === only);
  const done = kind === "killed" ? selected.slice(0, pick(selected.length + 1)) : selected;
  const summary = summaryOf(done, { reporter, suite, isPartial: kind === "killed" });
  const failed = done.some(({ state }) => state === "fails") || suite.broken.size > 0;
  return {
    findings: findingsOf([summary]),
    ...(kind === "killed" ? {} : { exitCode: failed ? 1 : 0 }),
    passed: new Set(done.filter(({ state }) => state === "passes").map(keyOf)),
  };
}

interface Told {
  readonly reporter: Reporter;
  readonly suite: Suite;
  readonly isPartial: boolean;
}

function summaryOf(done: readonly Test[], { reporter, suite, isPartial }: Told): TestSummary {
  const of = (state: Test["state"]): readonly Test[] => done.filter((test) => test.state === state);
  const suites = [...suite.broken].map((file): TestFailure => ({
    kind: "suite",
    name: file,
    file,
    message: "",
    rerun: `run ./${file}`,
  }));
  const tests = of("fails").map(({ file, name }): TestFailure => ({
    kind: "test",
    name,
    file,
    message: "",
    ...(reporter === "names" || reporter.startsWith("counts") ? {} : { rerun: `run ${file} -t "x"` }),
  }));
  const listed = reporter === "counts, one failure unlisted" ? tests.slice(1) : tests;
  const key = (test: Test): string => testKey(test.name, reporter === "names" ? "" : test.file);
  const files = [...new Set(done.map(({ file }) => file))].map((file) => ({
    file,
    skipped: of("is skipped").filter((test) => test.file === file).length,
  }));
  const outcomes = {
    passed: reporter.startsWith("names") ? of("passes").map(key) : [],
    skipped: reporter.startsWith("names") ? of("is skipped").map(key) : [],
    files: reporter === "files" && !isPartial ? files : [],
  };
  return {
    runner: "runner",
    passed: of("passes").length,
    failed: tests.length,
    skipped: of("is skipped").length,
    total: done.length,
    failedSuites: suites.length,
    unhandledErrors: 0,
    failures: [...suites, ...listed],
    ...(isPartial ? { isPartial } : {}),
    ...(reporter.startsWith("counts") ? {} : { outcomes }),
  };
}

function findingsOf(tests: readonly TestSummary[]): RunFindings {
  const none = { total: 0, first: [], last: [] };
  return {
    diagnostics: [],
    tests,
    counts: { error: 0, warning: 0, info: 0 },
    notKept: { diagnostics: 0, failures: 0 },
    testsExpected: true,
    unclaimed: { stdout: none, stderr: none },
    suspects: [],
  };
}

/** Generates a suite, and the same suite after some edits. */
function edited(pick: Pick): { before: Suite; after: Suite; touched: ReadonlySet<string> } {
  const tests: Test[] = Array.from({ length: 3 + pick(6) }, (_, i) => ({
    file: `f${pick(3)}`,
    // Some names occur twice, in different files.
    name: `test ${pick(3) === 0 ? 0 : i}`,
    state: (["passes", "fails", "fails", "is skipped"] as const)[pick(4)] ?? "passes",
  })).filter((test, i, all) => all.findIndex((one) => keyOf(one) === keyOf(test)) === i);
  const before: Suite = { tests, broken: new Set(pick(5) === 0 ? ["f0"] : []) };
  const touched = new Set<string>();
  const after = tests.flatMap((test): Test[] => {
    const edit = pick(6);
    if (edit < 3) return [{ ...test, state: edit === 0 ? "passes" : test.state }];
    touched.add(test.file);
    if (edit === 3) return [];
    if (edit === 4) return [{ ...test, name: `renamed ${test.name}`, state: "passes" }];
    return [{ ...test, state: "is skipped" }];
  });
  if (pick(4) === 0) {
    touched.add("f1");
    after.push({ file: "f1", name: "added", state: pick(2) === 0 ? "passes" : "fails" });
  }
  const broken = new Set(pick(4) === 0 ? [`f${pick(3)}`] : []);
  for (const file of broken) touched.add(file);
  return { before, after: { tests: after, broken }, touched };
}

/** Returns the state of the files; sometimes unknown, as for tests that are not declared literally. */
function sourceOf({ before, after, touched }: ReturnType<typeof edited>, pick: Pick): SourceFacts {
  const isVague = pick(4) === 0;
  return {
    fileState(path) {
      if (!before.tests.some(({ file }) => file === path)) return undefined;
      if (!after.tests.some(({ file }) => file === path)) return "missing";
      return touched.has(path) ? "changed" : "same";
    },
    testState(failure) {
      if (isVague) return undefined;
      const found = after.tests.find((test) => test.file === failure.file && test.name === failure.name);
      if (found === undefined) return "missing";
      return found.state === "is skipped" ? "skipped" : "there";
    },
  };
}

it("reports fixed only for tests that ran and passed, gone only for removed tests, and counts that add up", () => {
  const seen = { fixed: 0, gone: 0, notRun: 0, fresh: 0, unchanged: 0 };
  for (let seed = 1; seed <= 4_000; seed++) {
    const pick = pickFrom(seed * 7_919);
    const made = edited(pick);
    const reporter = REPORTERS[pick(REPORTERS.length)] ?? "counts";
    const kind = RUNS[pick(RUNS.length)] ?? "whole";
    const earlier = run(made.before, { kind: "whole", reporter, pick });
    const later = run(made.after, { kind, reporter, pick });
    const { delta } = compareRuns({
      before: earlier,
      now: later,
      source: sourceOf(made, pick),
      hasSameSelection: kind !== "only some",
      tool: () => undefined,
      succeededBefore: () => false,
    });
    const story = `seed ${seed}, ${reporter}, ${kind}: ${JSON.stringify({ ...made, delta })}`;
    const isTest = ({ kind: of }: TestFailure): boolean => of === "test";
    const fileOf = ({ file = "" }: TestFailure): string => file;
    for (const failure of delta.fixed.failures.filter(isTest))
      expect(later.passed, story).toContain(keyOf({ file: fileOf(failure), name: failure.name }));
    for (const failure of delta.fixed.failures.filter((one) => !isTest(one)))
      expect([...made.after.broken], story).not.toContain(failure.name);
    for (const { file = "", name, kind: of } of delta.gone.failures)
      expect(
        made.after.tests.some((test) => test.file === file && (of === "suite" || test.name === name)),
        story,
      ).toBe(false);
    // Nothing may count as not run if the runner names all tests that it ran.
    if (reporter === "names and files")
      for (const failure of delta.notRun.failures.filter(isTest))
        expect(later.passed, story).not.toContain(keyOf({ file: fileOf(failure), name: failure.name }));
    const size = (part: keyof typeof seen): number => delta[part].failures.length;
    const listed = (run: Ran): number =>
      run.findings.tests.reduce((sum, summary) => sum + summary.failures.length, 0);
    expect(size("fixed") + size("gone") + size("notRun") + size("unchanged"), story).toBe(listed(earlier));
    expect(size("fresh") + size("unchanged"), story).toBe(listed(later));
    for (const part of ["fixed", "gone", "notRun", "fresh", "unchanged"] as const) seen[part] += size(part);
  }
  // Every result occurs often, so that "unknown" is not the usual case.
  expect(Math.min(...Object.values(seen))).toBeGreaterThan(300);
});
