import { describe, expect, it } from "vitest";
import { compareRuns } from "../../../src/diagnostics/compare/compare-runs.ts";
import { buildTools } from "../../../src/diagnostics/registry/build-tools.ts";
import type { SourceFacts } from "../../../src/diagnostics/compare/source-facts.ts";
import type { Diagnostic } from "../../../src/model/diagnostic.ts";
import type { RunFindings } from "../../../src/model/run.ts";

/**
 * Generated projects and tools that stop where real ones stop: linters that check each file, a type checker that stops at syntax errors, a C build
 * that stops at the first file with an error and compiles only what changed, crates that are compiled stage by stage. It is known which faults a
 * run looked for, so that "fixed" can be verified.
 */
interface Fault {
  readonly file: string;
  readonly code: string;
  readonly severity: "error" | "warning";
  /** The earliest stage that finds the fault. */
  readonly stage: number;
}

interface Project {
  readonly files: readonly string[];
  readonly faults: readonly Fault[];
}

interface Checked {
  readonly found: readonly Fault[];
  readonly exitCode: number;
  /** Returns whether this run would have found the fault. */
  looksFor(fault: Fault): boolean;
}

type Tool = (project: Project, changed: ReadonlySet<string>) => Checked;

const STAGE_CODES = {
  tsc: ["TS1005", "TS2322"],
  cargo: ["", "E0433", "E0308", "E0502", "unused_variables"],
} as const;

/** Returns a run that reports the faults it looks for. */
function checked(project: Project, looksFor: (fault: Fault) => boolean, exit = 1): Checked {
  const found = project.faults.filter(looksFor);
  return { found, looksFor, exitCode: found.some(({ severity }) => severity === "error") ? exit : 0 };
}

function firstStage(faults: readonly Fault[]): number {
  return Math.min(Infinity, ...faults.filter((one) => one.severity === "error").map((one) => one.stage));
}

const TOOLS: Readonly<Record<string, Tool>> = {
  eslint(project) {
    const unreadable = new Set(project.faults.filter((one) => one.stage === 0).map((one) => one.file));
    const result = checked(project, (one) => one.stage === 0 || !unreadable.has(one.file));
    return { ...result, exitCode: result.found.length > 0 ? 1 : 0 };
  },
  tsc(project) {
    const stage = firstStage(project.faults);
    return checked(project, (one) => one.stage <= stage, 2);
  },
  gcc(project, changed) {
    const order = [...project.files].sort();
    const built = order.filter(
      (file) =>
        changed.has(file) || project.faults.some((one) => one.file === file && one.severity === "error"),
    );
    const stops = built.find((file) =>
      project.faults.some((one) => one.file === file && one.severity === "error"),
    );
    const reached = new Set(stops === undefined ? built : built.slice(0, built.indexOf(stops) + 1));
    // An unchanged file that compiled before has no errors.
    return checked(
      project,
      (one) => reached.has(one.file) || (stops === undefined && one.severity === "error"),
      2,
    );
  },
  cargo(project) {
    const crates = [...new Set(project.files.map(crateOf))].sort();
    const stages = new Map(
      crates.map((crate) => [crate, firstStage(project.faults.filter((one) => crateOf(one.file) === crate))]),
    );
    const stops = crates.findIndex((crate) => stages.get(crate) !== Infinity);
    const reached = new Set(stops < 0 ? crates : crates.slice(0, stops + 1));
    const looksFor = (one: Fault): boolean =>
      reached.has(crateOf(one.file)) && one.stage <= (stages.get(crateOf(one.file)) ?? Infinity);
    return checked(project, looksFor, 101);
  },
};

function crateOf(file: string): string {
  return file.slice(0, file.indexOf("/"));
}

function pickFrom(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

function faultIn(tool: string, file: string, pick: (below: number) => number): Fault {
  if (tool === "eslint") {
    const isSyntax = pick(4) === 0;
    return isSyntax
      ? { file, code: "", severity: "error", stage: 0 }
      : { file, code: `rule-${pick(3)}`, severity: pick(2) === 0 ? "error" : "warning", stage: 1 };
  }
  if (tool === "gcc") {
    const isError = pick(3) === 0;
    return {
      file,
      code: isError ? "" : `-Wrule-${pick(2)}`,
      severity: isError ? "error" : "warning",
      stage: 0,
    };
  }
  const codes = STAGE_CODES[tool === "tsc" ? "tsc" : "cargo"];
  const stage = pick(codes.length);
  return { file, code: codes[stage] ?? "", severity: stage === 4 ? "warning" : "error", stage };
}

/** Turns faults into diagnostics; each has its own line and message. */
function diagnosticsOf(tool: string, faults: readonly Fault[]): Diagnostic[] {
  const reported = faults.map(({ file, code, severity, stage }) => ({
    tool,
    severity,
    file,
    line: 1 + stage,
    ...(code === "" ? {} : { code }),
    message:
      tool === "eslint" && stage === 0 ? "Parsing error: Unexpected token" : `about ${file} ${code} ${stage}`,
  }));
  return reported.filter(
    (one, i) => reported.findIndex((other) => JSON.stringify(other) === JSON.stringify(one)) === i,
  );
}

function findingsOf(diagnostics: readonly Diagnostic[]): RunFindings {
  const none = { total: 0, first: [], last: [] };
  const of = (severity: Diagnostic["severity"]): number =>
    diagnostics.filter((one) => one.severity === severity).length;
  return {
    diagnostics,
    tests: [],
    counts: { error: of("error"), warning: of("warning"), info: of("info") },
    notKept: { diagnostics: 0, failures: 0 },
    testsExpected: false,
    unclaimed: { stdout: none, stderr: none },
    suspects: [],
  };
}

const byId = new Map(buildTools.map((tool) => [tool.id, tool]));

describe.each(Object.keys(TOOLS))("compareRuns for %s", (tool) => {
  const check = TOOLS[tool];
  it("reports fixed only for files that were checked, gone only for removed files, and counts that add up", () => {
    if (check === undefined) throw new Error(tool);
    const seen = { fixed: 0, gone: 0, notRun: 0, fresh: 0, unchanged: 0 };
    for (let seed = 1; seed <= 1_500; seed++) {
      const pick = pickFrom(seed * 104_729);
      const files = ["a/src/x", "a/src/y", "b/src/x", "b/src/y"];
      const before = files.flatMap((file) =>
        Array.from({ length: pick(3) }, () => faultIn(tool, file, pick)),
      );
      const deleted = new Set(files.filter(() => pick(8) === 0));
      const kept = before.filter((one) => !deleted.has(one.file) && pick(2) === 0);
      const left = files.filter((file) => !deleted.has(file));
      const added = left.filter(() => pick(4) === 0).map((file) => faultIn(tool, file, pick));
      const after: Project = { files: left, faults: [...kept, ...added] };
      const touched = new Set(
        left.filter((file) => {
          const of = (faults: readonly Fault[]): string =>
            JSON.stringify(
              diagnosticsOf(
                tool,
                faults.filter((one) => one.file === file),
              ),
            );
          return of(before) !== of(after.faults);
        }),
      );
      const isKilled = pick(6) === 0;
      const earlier = check({ files, faults: before }, new Set(files));
      const later = check(after, touched);
      const source: SourceFacts = {
        fileState: (path) => (deleted.has(path) ? "missing" : touched.has(path) ? "changed" : "same"),
        testState: () => undefined,
      };
      const found = diagnosticsOf(tool, later.found).slice(0, isKilled ? pick(3) : undefined);
      const { delta } = compareRuns({
        before: { findings: findingsOf(diagnosticsOf(tool, earlier.found)), exitCode: earlier.exitCode },
        now: { findings: findingsOf(found), ...(isKilled ? {} : { exitCode: later.exitCode }) },
        source,
        hasSameSelection: true,
        tool: (id) => byId.get(id),
        succeededBefore: () => false,
      });
      const story = `seed ${seed}: ${JSON.stringify({ before, after, delta, isKilled })}`;
      for (const one of delta.fixed.diagnostics) {
        const fault = before.find(
          (of) => diagnosticsOf(tool, [of])[0]?.message === one.message && of.file === one.file,
        );
        expect(fault, story).toBeDefined();
        expect(!isKilled && fault !== undefined && later.looksFor(fault), `${one.message} in ${story}`).toBe(
          true,
        );
      }
      for (const { file = "" } of delta.gone.diagnostics) expect(deleted, story).toContain(file);
      const size = (part: keyof typeof seen): number => delta[part].diagnostics.length;
      expect(size("fixed") + size("gone") + size("notRun") + size("unchanged"), story).toBe(
        diagnosticsOf(tool, earlier.found).length,
      );
      expect(size("fresh") + size("unchanged"), story).toBe(found.length);
      for (const part of ["fixed", "gone", "notRun", "fresh", "unchanged"] as const) seen[part] += size(part);
    }
    expect(Math.min(...Object.values(seen))).toBeGreaterThan(50);
  });
});
