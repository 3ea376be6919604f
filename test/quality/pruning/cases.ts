import { buildTools } from "../../../src/diagnostics/registry/build-tools.ts";
import type { Diagnostic } from "../../../src/model/diagnostic.ts";
import { fixturesOf } from "../../diagnostics/fixtures.ts";
import type { Fixture } from "../../diagnostics/fixtures.ts";
import { entriesOf } from "./changelog.ts";
import { goldOf, linesOf } from "./find-triples.ts";
import type { Triple } from "./find-triples.ts";
import { costsOf } from "./policies.ts";
import { filesOf } from "./tarballs.ts";

/** A text, a question about it, and the lines that answer it. */
export interface Case {
  readonly name: string;
  readonly kind: "source" | "log";
  readonly language: string;
  readonly lines: readonly string[];
  readonly costs: readonly number[];
  readonly question: string;
  readonly gold: ReadonlySet<number>;
}

const LANGUAGES: readonly (readonly [string, RegExp])[] = [
  ["JavaScript", /\.[cm]?jsx?$/],
  ["TypeScript", /\.[cm]?tsx?$/],
  ["Java", /\.java$/],
  ["Kotlin", /\.kt$/],
  ["Scala", /\.scala$/],
  ["Swift", /\.swift$/],
  ["Objective-C", /\.mm?$/],
  ["C and C++", /\.(?:c|cc|cpp|cxx|h|hpp|hh)$/],
  ["C#", /\.cs$/],
  ["Go", /\.go$/],
  ["Rust", /\.rs$/],
  ["Python", /\.py$/],
  ["Ruby", /\.rb$/],
  ["PHP", /\.php$/],
  ["Lua", /\.lua$/],
];

/** Creates a case from a source file. */
export function caseOf({
  name,
  file,
  text,
  question,
  gold,
}: {
  readonly name: string;
  readonly file: string;
  readonly text: string;
  readonly question: string;
  readonly gold: ReadonlySet<number>;
}): Case {
  const lines = linesOf(text);
  const language = LANGUAGES.find(([, ending]) => ending.test(file))?.[0] ?? "other";
  return { name, kind: "source", language, lines, costs: costsOf(lines), question, gold };
}

/** Creates a case from a triple, with its texts from the cache. */
export function sourceCase({ name, before, after, changelog, file }: Triple): Case {
  const old = filesOf({ name, version: before }, (path) => path === file);
  const now = filesOf({ name, version: after }, (path) => path === file || path === changelog);
  const text = old.get(file) ?? "";
  return caseOf({
    name: `${name}@${after}`,
    file,
    text,
    question: entriesOf(now.get(changelog) ?? "", after).join(" "),
    gold: goldOf(text, now.get(file)) ?? new Set(),
  });
}

/** Shorter logs are not pruned. */
const MIN_LOG_LINES = 60;
/** Logs with a larger share of error lines are excluded, because pruning cannot help. */
const MAX_RELEVANT_SHARE = 0.15;

/** Creates cases from captured logs of failures. The relevant lines are those of the errors that parsers must find. */
export function logCases(): readonly Case[] {
  return buildTools
    .flatMap((tool) => fixturesOf(tool.id))
    .filter((fixture) => fixture.case.exitCode !== 0 && fixture.case.origin === "captured")
    .flatMap((fixture) => logCase(fixture) ?? []);
}

function logCase(fixture: Fixture): Case | undefined {
  const text = fixture.raw.toString("utf8");
  const lines = linesOf(text);
  // Logs are stripped of colors before pruning, so colored captures would only repeat the others.
  if (lines.length < MIN_LOG_LINES || text.includes("\u001B")) return undefined;
  const { diagnostics = [], tests = [] } = fixture.case.snapshot ?? {};
  const errors = diagnostics.filter((one) => one.severity === "error");
  const failures = tests.flatMap((test) => test.failures);
  const gold = new Set([...errors, ...failures].flatMap((one) => linesThatSay(lines, one)));
  if (gold.size === 0 || gold.size > lines.length * MAX_RELEVANT_SHARE) return undefined;
  return {
    name: `${fixture.tool}/${fixture.name}`,
    kind: "log",
    language: "logs",
    lines,
    costs: costsOf(lines),
    question: `Why does ${fixture.case.command.slice(0, 60)} fail?`,
    gold,
  };
}

/** Finds the line with the start of the message and the line with the location. */
function linesThatSay(
  lines: readonly string[],
  { message = "", file, line }: Pick<Diagnostic, "file" | "line"> & { readonly message?: string },
): readonly number[] {
  const said = message.split("\n", 1)[0]?.trim() ?? "";
  const wanted = [said, file !== undefined && line !== undefined ? `${file}:${line}` : ""].filter(
    (text) => text.length > 5,
  );
  return wanted.flatMap((text) => {
    const at = lines.findIndex((candidate) => candidate.includes(text));
    return at === -1 ? [] : [at];
  });
}
