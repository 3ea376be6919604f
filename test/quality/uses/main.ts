/**
 * Scores the uses that Pith finds: node scripts/score-uses.mjs FOLDER. The folder contains a clone of each repository
 * of `repositories.json` under its name, and `truth/<name>.json` with what the other tool finds (see `truth.ts`). For
 * TypeScript and JavaScript that file is written here, if the package `typescript` (version 5) is in `node_modules`; for
 * PHP with the package `intelephense` there, for C++ with clangd and a `compile_commands.json` in the repository.
 * Repositories without a checkout or truth keep their last score.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { parseArgs } from "node:util";
import { createTestIndex, type TestIndex } from "../../support/code-index.ts";
import { scoreBenchmarks, type BenchmarkRow } from "./benchmarks.ts";
import { scoreCallers, type CallersScore } from "./callers.ts";
import { languageServiceTruth } from "./language-service.ts";
import { serverOf, serverTruth } from "./language-server.ts";
import { compare, scoreOf, type Compared, type FoundPlaces, type UseScore } from "./score.ts";
import type { TrueUses, Truth } from "./truth.ts";

interface Repository {
  readonly name: string;
  readonly commit: string;
  /** Errors are looked for only in repositories that are read; the others show what is true of code not seen before. */
  readonly half: "read" | "held out";
  readonly language: string;
  /** The tool that the places are compared with. */
  readonly truth: string;
  /** Folders that are removed from the clone, such as vendored code that would outweigh the repository's own. */
  readonly without?: readonly string[];
}

interface Row extends Repository {
  readonly top: UseScore;
  readonly members: UseScore;
}

/** Larger files are usually generated. */
const MAX_BYTES = 500_000;

/** The answers to "who calls X" in one repository. */
type CallersRow = Pick<Repository, "name" | "commit" | "language"> & CallersScore;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    only: { type: "string" },
    /** Number of wrong places that are printed per repository. */
    missed: { type: "string", default: "0" },
    /** Number of definitions per repository of which listed places that are not true are printed. */
    noise: { type: "string", default: "0" },
  },
});
const folder = resolve(positionals[0] ?? ".");
const scoreRoot = process.env["PITH_SCORE_ROOT"] ?? ".";
const report = join(scoreRoot, "test/quality/uses.json");
const repositories = JSON.parse(
  readFileSync(join(scoreRoot, "test/quality/uses/repositories.json"), "utf8"),
) as readonly Repository[];
const asked = JSON.parse(
  readFileSync(join(scoreRoot, "test/quality/uses/callers.json"), "utf8"),
) as readonly Pick<Repository, "name" | "commit" | "language">[];
const last: {
  readonly rows: readonly Row[];
  readonly callers?: readonly CallersRow[];
  readonly benchmarks?: readonly BenchmarkRow[];
} = existsSync(report) ? JSON.parse(readFileSync(report, "utf8")) : { rows: [] };
const only = values.only?.split(",");

const rows: Row[] = [];
for (const repository of repositories) {
  const root = join(folder, repository.name);
  const known = last.rows.find(({ name }) => name === repository.name);
  const isAsked = only?.includes(repository.name) !== false && existsSync(root);
  const truth = isAsked ? await truthOf(repository, root) : undefined;
  if (truth === undefined) {
    if (known !== undefined) rows.push(known);
    continue;
  }
  const compared = await measure(root, truth);
  const row = {
    ...repository,
    top: scoreOf(compared.filter(({ symbol }) => !symbol.isMember)),
    members: scoreOf(compared.filter(({ symbol }) => symbol.isMember)),
  };
  rows.push(row);
  console.log(`${row.name} (${row.half})`);
  console.log(`  top      ${JSON.stringify(row.top)}`);
  console.log(`  members  ${JSON.stringify(row.members)}`);
  explain(compared, Number(values.missed));
  explainNoise(root, compared, Number(values.noise));
}
const callers: CallersRow[] = [];
for (const { name, commit, language } of asked) {
  const root = join(folder, name);
  const known = last.callers?.find((row) => row.name === name);
  if (only?.includes(name) === false || !existsSync(root)) {
    if (known !== undefined) callers.push(known);
    continue;
  }
  const row = { name, commit, language, ...(await scoreCallers(root, language)) };
  callers.push(row);
  console.log(`who calls, ${name}: ${JSON.stringify(row)}`);
}
const benchmarks = await scoreBenchmarks({
  folder,
  isAsked: (name) => only?.includes(name) !== false,
  last: last.benchmarks ?? [],
  missed: Number(values.missed),
});
const about =
  "The uses of definitions that Pith lists, compared with another tool, by line. Imports, comments and the definition itself do not count. recall: share of the true uses that are listed as sure or possible. surePrecision: share of the places listed as sure that are true. precision: the same for all listed places, sure and possible. equal: share of the definitions with exactly the true places. sureEqual: the same for the places listed as sure. Measured by scripts/score-uses.mjs; the repositories are not part of this project. callers: questions such as who calls X, asked through the tools about functions whose name ctags lists only once, so that each call of the name that a text search finds in the code is a caller. A question is asked again while the reply says that it is partial. complete: share of the answers with all of them; short: share of the replies with at most 400 tokens. benchmarks: the assertions of stack-graphs about definitions that Pith lists, of which judged could be judged, and the call graphs of PyCG, whose calls also follow values through variables and results.";
writeFileSync(report, `${JSON.stringify({ about, rows, callers, benchmarks }, undefined, 2)}\n`);

/**
 * Returns what the other tool finds; undefined if this is not known. The answers of language servers are stored, because
 * they take minutes.
 */
async function truthOf({ name, truth }: Repository, root: string): Promise<Truth | undefined> {
  const stored = join(folder, "truth", `${name}.json`);
  if (!existsSync(stored) && truth === "typescript") {
    const all = filesBelow(root, root);
    const scripts = all.filter((path) => /\.[cm]?[jt]sx?$/u.test(path));
    mkdirSync(dirname(stored), { recursive: true });
    writeFileSync(stored, JSON.stringify(languageServiceTruth(root, scripts, manifestsIn(all), folder)));
  }
  const server = serverOf(truth, folder);
  if (!existsSync(stored) && server !== undefined) {
    mkdirSync(dirname(stored), { recursive: true });
    writeFileSync(stored, JSON.stringify(await serverTruth(root, filesBelow(root, root), server)));
  }
  return existsSync(stored) ? JSON.parse(readFileSync(stored, "utf8")) : undefined;
}

function manifestsIn(all: readonly string[]): string[] {
  return all.filter((path) => /(?:^|\/)package\.json$/u.test(path));
}

function filesBelow(root: string, at: string): string[] {
  return readdirSync(at, { withFileTypes: true }).flatMap((entry) => {
    const path = join(at, entry.name);
    if (entry.isDirectory())
      return entry.name === "node_modules" || entry.name === ".git" ? [] : filesBelow(root, path);
    return entry.isFile() && statSync(path).size <= MAX_BYTES ? [relative(root, path)] : [];
  });
}

async function measure(root: string, truth: Truth): Promise<Compared[]> {
  const test = createTestIndex();
  const compared: Compared[] = [];
  const judged = { files: new Set(truth.files), ignored: new Set(truth.ignored) };
  for (const program of truth.programs ?? [""]) {
    await test.index.index({ root: join(root, program) });
    for (const symbol of truth.symbols) {
      if (program !== "" && !symbol.path.startsWith(`${program}/`)) continue;
      const found = await placesOf(test, root, program, symbol);
      // Some definitions of one name are one for Pith and several for the other tool, or the other way round.
      if (found !== "ambiguous") compared.push(compare(symbol, found, judged));
    }
  }
  await test.dispose();
  return compared;
}

/** Returns the places that Pith lists for the definition on this line; undefined if it finds none there. */
async function placesOf(
  { index }: TestIndex,
  root: string,
  program: string,
  symbol: TrueUses,
): Promise<FoundPlaces | "ambiguous"> {
  const defaults = { limit: 50, offset: 0, level: "signature", policy: "balanced" } as const;
  const request = {
    ...defaults,
    root: join(root, program),
    name: symbol.name,
    path: join(root, symbol.path),
  };
  const { definitions, places } = await index.relate({ ...request, relation: "uses" });
  const asked = definitions.length === 1 ? 0 : definitions.findIndex(({ line }) => line === symbol.line);
  if (asked < 0 && definitions.length > 1) return "ambiguous";
  const inRoot = (path: string): string => (program === "" ? path : `${program}/${path}`);
  // Declarations that are merged, such as an interface and a constant, are one definition on the line of the first.
  if (!definitions.some(({ path }) => inRoot(path) === symbol.path)) return undefined;
  const own = places.filter(({ of }) => of?.includes(asked) !== false);
  return new Map(own.map(({ path, line, certainty }) => [`${inRoot(path)}:${line}`, certainty]));
}

/** Prints places that are listed although the other tool does not list them, with their lines. */
function explainNoise(root: string, all: readonly Compared[], count: number): void {
  for (const { symbol, wrong } of all.filter((one) => one.wrong.length > 0).slice(0, count)) {
    console.log(`  noise of ${symbol.name} ${symbol.path}:${symbol.line}: ${wrong.length}`);
    for (const place of wrong.slice(0, 8)) {
      const [path = "", line = "1"] = place.split(":");
      const text = readFileSync(join(root, path), "utf8").split("\n")[Number(line) - 1] ?? "";
      console.log(`    ${place} ${text.trim().slice(0, 120)}`);
    }
  }
}

function explain(all: readonly Compared[], count: number): void {
  const wrong = all.filter(({ missed, wronglySure }) => missed.length + wronglySure.length > 0);
  for (const { symbol, isKnown, missed, wronglySure } of wrong.slice(0, count)) {
    const sort = symbol.isMember ? "member" : "top";
    console.log(`  ${sort} ${symbol.name} ${symbol.path}:${symbol.line}${isKnown ? "" : " NOT DEFINED"}`);
    if (isKnown && missed.length > 0)
      console.log(`    missed ${missed.length}: ${missed.slice(0, 4).join(" ")}`);
    if (wronglySure.length > 0)
      console.log(`    wrongly sure ${wronglySure.length}: ${wronglySure.slice(0, 4).join(" ")}`);
  }
}
