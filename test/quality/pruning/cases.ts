import { buildTools } from "../../../src/diagnostics/registry/build-tools.ts";
import type { Diagnostic } from "../../../src/model/diagnostic.ts";
import { fixturesOf } from "../../diagnostics/fixtures.ts";
import type { Fixture } from "../../diagnostics/fixtures.ts";
import { entriesOf } from "./changelog.ts";
import { goldOf, linesOf } from "./find-triples.ts";
import type { Triple } from "./find-triples.ts";
import { costsOf } from "./policies.ts";
import { filesOf } from "./tarballs.ts";

/** A text, a question about it, and the lines that answer. */
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

/** A case of a source file. */
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

/** A triple with its texts, from the cache. */
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

/** Shorter logs are read whole. */
const FEWEST_LOG_LINES = 60;
/** A log that is complaints all over needs no focus. */
const MOST_GOLD = 0.15;

/** Captured failing logs; the lines of the true cause are those of the errors that the parsers must find in them. */
export function logCases(): readonly Case[] {
  return buildTools
    .flatMap((tool) => fixturesOf(tool.id))
    .filter((fixture) => fixture.case.exitCode !== 0 && fixture.case.origin === "captured")
    .flatMap((fixture) => logCase(fixture) ?? []);
}

function logCase(fixture: Fixture): Case | undefined {
  const text = fixture.raw.toString("utf8");
  const lines = linesOf(text);
  // Colours are taken out of a log before it is read; here that would only repeat the uncoloured captures.
  if (lines.length < FEWEST_LOG_LINES || text.includes("\u001B")) return undefined;
  const { diagnostics = [], tests = [] } = fixture.case.expected ?? {};
  const errors = diagnostics.filter((one) => one.severity === "error");
  const failures = tests.flatMap((test) => test.failures);
  const gold = new Set([...errors, ...failures].flatMap((one) => linesThatSay(lines, one)));
  if (gold.size === 0 || gold.size > lines.length * MOST_GOLD) return undefined;
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

/** The line that holds the first line of the message, and the one that holds the place. */
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
