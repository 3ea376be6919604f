import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseText } from "../../src/diagnostics/engine/engine.ts";
import type { EngineResult } from "../../src/diagnostics/engine/engine.ts";
import type { Diagnostic } from "../../src/model/diagnostic.ts";
import type { TestSummary } from "../../src/model/test-summary.ts";

const fixturesFolder = join(import.meta.dirname, "../fixtures");

/** Facts about a captured output, and what is found in it. */
export interface FixtureCase {
  readonly version: string;
  readonly command: string;
  readonly exitCode: number;
  /** `public` is an excerpt of what others published: lines may be left out, but none is changed. */
  readonly origin: "captured" | "public" | "written by hand";
  /** Where the output is public; for one that is written by hand, the public text that shows its format. */
  readonly source?: string;
  /** What the parsers find, reviewed when it was written. It tells that something changed, not that it is right. */
  readonly snapshot?: Snapshot;
  /** What a second source says, for the score of parsing. */
  readonly truth?: Truth;
  /** Why a part of `snapshot` is not found yet; the fixture then counts in the score but does not fail the test. */
  readonly gap?: string;
}

/** The tests of a run as another source than the printed output tells them. */
export interface Truth {
  /** The machine format of the same run, or how the number was counted. */
  readonly source: string;
  readonly total?: number;
  readonly failed: number;
  /** The failed tests, without the suites around them. */
  readonly failures?: readonly string[];
}

export interface Snapshot {
  readonly diagnostics: readonly Diagnostic[];
  readonly tests: readonly TestSummary[];
  readonly advice?: readonly string[];
}

export interface Fixture {
  readonly tool: string;
  readonly name: string;
  readonly raw: Buffer;
  readonly case: FixtureCase;
  readonly caseFile: string;
}

/** Returns the fixtures of one tool: `<case>.txt` with the captured bytes, and `<case>.json` next to it. */
export function fixturesOf(tool: string): readonly Fixture[] {
  const known = fixtures.get(tool) ?? readFixtures(tool);
  fixtures.set(tool, known);
  return known;
}

/** What was read, because many tests go through all fixtures several times. */
const fixtures = new Map<string, readonly Fixture[]>();

function readFixtures(tool: string): Fixture[] {
  const folder = join(fixturesFolder, tool);
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .filter((file) => file.endsWith(".txt"))
    .sort()
    .map((file) => {
      const name = file.slice(0, -4);
      const caseFile = join(folder, `${name}.json`);
      return {
        tool,
        name,
        raw: readFileSync(join(folder, file)),
        case: JSON.parse(readFileSync(caseFile, "utf8")),
        caseFile,
      };
    });
}

/** Parses a fixture with all registered tools, once for all test files of a process. */
export function readFixture(fixture: Fixture): EngineResult {
  const known = results.get(fixture) ?? parseText(fixture.raw);
  results.set(fixture, known);
  return known;
}

const results = new WeakMap<Fixture, EngineResult>();

export function snapshotOf(result: EngineResult): Snapshot {
  const { diagnostics, tests, advice } = result;
  return {
    diagnostics: diagnostics.map(ordered),
    tests: tests.map(withoutOutcomes),
    ...(advice.length === 0 ? {} : { advice }),
  };
}

/** Removes the names of passed and skipped tests, which are stored as unreadable keys and are tested separately. */
function withoutOutcomes({
  outcomes: _outcomes,
  isPartial: _isPartial,
  ...summary
}: TestSummary): TestSummary {
  return summary;
}

const KEYS = ["tool", "severity", "file", "line", "column", "endLine", "endColumn", "code", "message"];

/** Sorts the fields, so that the files can be read and compared by eye. */
function ordered(diagnostic: Diagnostic): Diagnostic {
  const entries = Object.entries(diagnostic).sort(([a], [b]) => placeOf(a) - placeOf(b));
  return Object.fromEntries(entries) as unknown as Diagnostic;
}

function placeOf(key: string): number {
  return KEYS.includes(key) ? KEYS.indexOf(key) : KEYS.length;
}

/** Writes the current findings as `snapshot`, for a new fixture whose result is then reviewed by eye. */
export function writeSnapshot(fixture: Fixture, snapshot: Snapshot): void {
  writeFileSync(fixture.caseFile, `${JSON.stringify({ ...fixture.case, snapshot }, null, 2)}\n`);
}
