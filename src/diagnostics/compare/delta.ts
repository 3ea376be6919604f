import { groupBy } from "../../kernel/group-by.ts";
import type { Diagnostic } from "../../model/diagnostic.ts";
import type { TestFailure, TestSummary } from "../../model/test-summary.ts";
import { identityOf, placesOf } from "./test-identity.ts";

/** The findings of two runs of the same command, matched against each other. */
export interface Pairing<T> {
  /** Findings of the earlier run that are missing in the later one. */
  readonly vanished: readonly T[];
  readonly fresh: readonly T[];
  /** Findings of both runs, with the line numbers of the later run. */
  readonly unchanged: readonly T[];
}

/**
 * Matches the diagnostics of two runs. They are identified by tool, file, code and message, so one that only moved to another line is unchanged;
 * among several identical ones, those with the nearest lines are paired.
 */
export function pairDiagnostics(
  before: readonly Diagnostic[],
  after: readonly Diagnostic[],
): Pairing<Diagnostic> {
  const still = pair(before, after, (one) => `${one.line} ${one.column} ${exactKey(one)}`);
  const moved = pair(still.vanished, still.fresh, exactKey);
  // Diagnostics that are still unmatched are compared without the numbers in their messages, because line numbers and
  // sizes change with the code ("declared on line 12").
  const loose = pair(moved.vanished, moved.fresh, looseKey);
  const unchanged = new Set([...still.unchanged, ...moved.unchanged, ...loose.unchanged]);
  return {
    vanished: loose.vanished,
    fresh: loose.fresh,
    unchanged: after.filter((one) => unchanged.has(one)),
  };
}

/** A failed test, failed suite or unhandled error, with the runner that reported it. */
export interface RunnerFailure {
  readonly runner: string;
  readonly failure: TestFailure;
}

/** Matches the failed tests, suites and unhandled errors of two runs by runner, kind, name and the location that the runner prints. */
export function pairFailures(
  before: readonly TestSummary[],
  after: readonly TestSummary[],
): Pairing<RunnerFailure> {
  const still = pairInOrder(before.flatMap(failuresOf), after.flatMap(failuresOf), placedIdentity);
  // Failures that are still unmatched are compared without their file, because the top frame of the stack trace may now
  // be in another file.
  const moved = pairInOrder(still.vanished, still.fresh, exactIdentity);
  // A failure may lack its location because its runner was killed before it printed one.
  const placed = (one: RunnerFailure): boolean => placesOf(one.failure).length > 0;
  const loose = pairInOrder(
    moved.vanished,
    moved.fresh,
    nameIdentity,
    (one, other) => !(placed(one) && placed(other)),
  );
  const unchanged = [...still.unchanged, ...moved.unchanged, ...loose.unchanged];
  return { vanished: loose.vanished, fresh: loose.fresh, unchanged };
}

function placedIdentity(one: RunnerFailure): string {
  return `${exactIdentity(one)}\0${one.failure.file}`;
}

function exactIdentity({ runner, failure }: RunnerFailure): string {
  return `${runner}\0${identityOf(failure)}`;
}

function nameIdentity({ runner, failure }: RunnerFailure): string {
  return [runner, failure.kind, failure.name].join("\0");
}

/**
 * Lists the failures of a test summary. If it lists more failures than it counts, it lists several assertions of one
 * test, so repeated ones are dropped.
 */
function failuresOf({ runner, failed, failures }: TestSummary): RunnerFailure[] {
  const all = failures.map((failure) => ({ runner, failure }));
  const listed = failures.filter((one) => one.kind === "test").length;
  if (listed <= failed) return all;
  const seen = new Set<string>();
  return all.filter((one) => {
    const identity = exactIdentity(one);
    const isNew = one.failure.kind !== "test" || !seen.has(identity);
    seen.add(identity);
    return isNew;
  });
}

function pairInOrder<T>(
  before: readonly T[],
  after: readonly T[],
  keyOf: (one: T) => string,
  mayPair: (one: T, other: T) => boolean = () => true,
): Pairing<T> {
  const waiting = groupBy(before, keyOf);
  const fresh: T[] = [];
  const unchanged: T[] = [];
  for (const one of after) {
    const alike = waiting.get(keyOf(one)) ?? [];
    const at = alike.findIndex((other) => mayPair(other, one));
    if (at >= 0) alike.splice(at, 1);
    (at >= 0 ? unchanged : fresh).push(one);
  }
  const left = new Set([...waiting.values()].flat());
  return { vanished: before.filter((one) => left.has(one)), fresh, unchanged };
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
): Pairing<Diagnostic> {
  const waiting = groupBy(before, keyOf);
  const unchanged: Diagnostic[] = [];
  const fresh: Diagnostic[] = [];
  for (const one of after) (takeNearest(waiting.get(keyOf(one)), one) ? unchanged : fresh).push(one);
  const left = new Set([...waiting.values()].flat());
  return { vanished: before.filter((one) => left.has(one)), fresh, unchanged };
}

/**
 * Upper bound on identical diagnostics that are paired by the distance of their lines; if there are more, they are
 * paired in order.
 */
const MAX_COMPARED = 64;

function takeNearest(alike: Diagnostic[] | undefined, one: Diagnostic): boolean {
  if (alike === undefined || alike.length === 0) return false;
  let best = 0;
  let distance = Infinity;
  for (let i = 0; i < Math.min(alike.length, MAX_COMPARED); i++) {
    const gap = Math.abs((alike[i]?.line ?? 0) - (one.line ?? 0));
    if (gap >= distance) continue;
    best = i;
    distance = gap;
  }
  alike.splice(best, 1);
  return true;
}
