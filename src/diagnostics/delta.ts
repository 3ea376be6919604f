import type { Diagnostic } from "../model/diagnostic.ts";
import type { TestFailure, TestSummary } from "../model/test-summary.ts";

/** What changed between two runs of the same command. */
export interface Delta<T> {
  readonly fixed: readonly T[];
  readonly fresh: readonly T[];
  /** As they stand in the later run, with its lines. */
  readonly unchanged: readonly T[];
}

/**
 * Compares two runs' diagnostics. A diagnostic that only moved to another line is unchanged: it is known by tool, file, code and
 * message; of several alike, the nearest lines belong together.
 */
export function diagnosticDelta(
  before: readonly Diagnostic[],
  after: readonly Diagnostic[],
): Delta<Diagnostic> {
  const still = pair(before, after, (one) => `${one.line} ${one.column} ${exactKey(one)}`);
  const moved = pair(still.fixed, still.fresh, exactKey);
  // Messages name line numbers and sizes that move with the code ("declared on line 12").
  const loose = pair(moved.fixed, moved.fresh, looseKey);
  const unchanged = new Set([...still.unchanged, ...moved.unchanged, ...loose.unchanged]);
  return { fixed: loose.fixed, fresh: loose.fresh, unchanged: after.filter((one) => unchanged.has(one)) };
}

/** Compares two runs' failed tests, suites and unhandled errors by runner, kind and name. */
export function failureDelta(
  before: readonly TestSummary[],
  after: readonly TestSummary[],
): Delta<TestFailure> {
  const old = named(before);
  const now = named(after);
  const oldKeys = new Set(old.map((one) => one.key));
  const nowKeys = new Set(now.map((one) => one.key));
  return {
    fixed: old.filter((one) => !nowKeys.has(one.key)).map((one) => one.failure),
    fresh: now.filter((one) => !oldKeys.has(one.key)).map((one) => one.failure),
    unchanged: now.filter((one) => oldKeys.has(one.key)).map((one) => one.failure),
  };
}

function named(tests: readonly TestSummary[]): { key: string; failure: TestFailure }[] {
  return tests.flatMap((test) =>
    test.failures.map((failure) => ({ key: [test.runner, failure.kind, failure.name].join("\0"), failure })),
  );
}

function exactKey(one: Diagnostic): string {
  return [one.tool, one.severity, one.file, one.code, one.message].join("\0");
}

function looseKey(one: Diagnostic): string {
  return [one.tool, one.severity, one.file, one.code, one.message.replaceAll(/\d+/g, "0")].join("\0");
}

function pair(
  before: readonly Diagnostic[],
  after: readonly Diagnostic[],
  keyOf: (one: Diagnostic) => string,
): Delta<Diagnostic> {
  const waiting = new Map<string, Diagnostic[]>();
  for (const one of before) {
    const key = keyOf(one);
    const alike = waiting.get(key);
    if (alike === undefined) waiting.set(key, [one]);
    else alike.push(one);
  }
  const unchanged: Diagnostic[] = [];
  const fresh: Diagnostic[] = [];
  for (const one of after) (takeNearest(waiting.get(keyOf(one)), one) ? unchanged : fresh).push(one);
  const left = new Set([...waiting.values()].flat());
  return { fixed: before.filter((one) => left.has(one)), fresh, unchanged };
}

/** How many of one kind are compared by distance; a run with more alike pairs them in order. */
const MAX_COMPARED = 64;

function takeNearest(alike: Diagnostic[] | undefined, one: Diagnostic): boolean {
  if (alike === undefined || alike.length === 0) return false;
  let best = 0;
  let distance = Infinity;
  for (let i = 0; i < Math.min(alike.length, MAX_COMPARED); i++) {
    const away = Math.abs((alike[i]?.line ?? 0) - (one.line ?? 0));
    if (away >= distance) continue;
    best = i;
    distance = away;
  }
  alike.splice(best, 1);
  return true;
}
