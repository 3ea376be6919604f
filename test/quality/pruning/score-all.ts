import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { logCases, sourceCase } from "./cases.ts";
import type { Case } from "./cases.ts";
import { cloneOf, commitCase, findCommits, readCommits } from "./commits.ts";
import type { CommitSets, CommitTriple } from "./commits.ts";
import type { Triple } from "./find-triples.ts";
import { scoreCases, SHARES } from "./score.ts";
import type { Score } from "./score.ts";
import { fetchReleases, isCached } from "./tarballs.ts";
import type { Release } from "./tarballs.ts";

/** The triples of packages that the pruner was tuned on, and of those that were chosen and scored after it was done. */
export interface TripleSets {
  readonly dev: readonly Triple[];
  readonly held_out: readonly Triple[];
}

export interface AllScores {
  readonly shares: readonly number[];
  /** Both of the next together. */
  readonly source: Readonly<Record<string, Score>>;
  readonly dev: Readonly<Record<string, Score>>;
  readonly held_out: Readonly<Record<string, Score>>;
  /** One triple of each held-out package: what the test fetches. */
  readonly sample: Readonly<Record<string, Score>>;
  /** Commits of public repositories. */
  readonly commits: Readonly<Record<keyof CommitSets, Readonly<Record<string, Score>>>>;
  readonly logs: Score;
}

const TRIPLES_FILE = resolve("test/quality/pruning/triples.json");
export const SCORES_FILE = resolve("test/quality/pruning.json");
const MOST_OWN_COMMITS = 30;

export function readScores(): AllScores {
  return JSON.parse(readFileSync(SCORES_FILE, "utf8"));
}

export function readTriples(): TripleSets {
  return JSON.parse(readFileSync(TRIPLES_FILE, "utf8"));
}

/** Scores everything; fetches what is not in the cache. Without a folder of clones the scores of commits stay as they were. */
export async function scoreAll(clones: string | undefined): Promise<AllScores> {
  const { dev, held_out } = readTriples();
  return {
    shares: SHARES,
    source: await scoreTriples([...dev, ...held_out]),
    dev: await scoreTriples(dev),
    held_out: await scoreTriples(held_out),
    sample: await scoreTriples(sampleOf(held_out)),
    commits: clones === undefined ? readScores().commits : await scoreCommits(clones),
    logs: await scoreLogs(),
  };
}

/** The newest triple of each package. */
export function sampleOf(triples: readonly Triple[]): readonly Triple[] {
  return triples.filter((triple, index) => triples[index - 1]?.name !== triple.name);
}

/** The scores of triples by language. Throws when a release cannot be had. */
export async function scoreTriples(triples: readonly Triple[]): Promise<Record<string, Score>> {
  const releases = triples.flatMap(({ name, before, after }): Release[] => [
    { name, version: before },
    { name, version: after },
  ]);
  await fetchReleases(releases);
  const missing = releases.filter((release) => !isCached(release));
  if (missing.length > 0)
    throw new Error(
      `cannot be fetched: ${missing.map(({ name, version }) => `${name}@${version}`).join(", ")}`,
    );
  return scoreCases(triples.map(sourceCase));
}

/** The scores of commits by language. Throws when a repository is not among the clones. */
async function scoreCommits(clones: string): Promise<AllScores["commits"]> {
  const { fitted, held_out } = readCommits();
  return { fitted: await scoreOfCommits(fitted, clones), held_out: await scoreOfCommits(held_out, clones) };
}

async function scoreOfCommits(
  sets: Readonly<Record<string, readonly CommitTriple[]>>,
  clones: string,
): Promise<Record<string, Score>> {
  const cases: Case[] = [];
  for (const [name, triples] of Object.entries(sets)) {
    const clone = cloneOf(clones, name);
    if (clone === undefined) throw new Error(`no clone of ${name} in ${clones}`);
    for (const triple of triples) cases.push(await commitCase(clone, triple));
  }
  return scoreCases(cases);
}

/** The score of this repository's own commits: it grows with them, so it is measured and not committed. */
export async function scoreOwnHistory(): Promise<Score> {
  const own = resolve(".");
  const cases: Case[] = [];
  for (const triple of await findCommits(own, MOST_OWN_COMMITS)) cases.push(await commitCase(own, triple));
  return allOf(await scoreCases(cases));
}

export async function scoreLogs(): Promise<Score> {
  return allOf(await scoreCases(logCases()));
}

function allOf({ all }: Readonly<Record<string, Score>>): Score {
  if (all === undefined) throw new Error("no score of all");
  return all;
}
