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

/** Triples of packages that the pruner was tuned on, and of held-out packages chosen and scored afterwards. */
export interface TripleSets {
  readonly dev: readonly Triple[];
  readonly held_out: readonly Triple[];
}

export interface AllScores {
  readonly shares: readonly number[];
  /** Score of the tuned and held-out packages together. */
  readonly source: Readonly<Record<string, Score>>;
  readonly dev: Readonly<Record<string, Score>>;
  readonly held_out: Readonly<Record<string, Score>>;
  /** Score of one triple per held-out package, which the test downloads. */
  readonly sample: Readonly<Record<string, Score>>;
  /** Scores of commits of public repositories. */
  readonly commits: Readonly<Record<keyof CommitSets, Readonly<Record<string, Score>>>>;
  readonly logs: Score;
}

const TRIPLES_FILE = resolve("test/quality/pruning/triples.json");
export const SCORES_FILE = resolve("test/quality/pruning.json");
const MAX_OWN_COMMITS = 30;

export function readScores(): AllScores {
  return JSON.parse(readFileSync(SCORES_FILE, "utf8"));
}

export function readTriples(): TripleSets {
  return JSON.parse(readFileSync(TRIPLES_FILE, "utf8"));
}

/**
 * Computes all scores and downloads what is not in the cache. Without a folder of clones, the scores of commits stay as
 * they are.
 */
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

/** Returns the newest triple of each package. */
export function sampleOf(triples: readonly Triple[]): readonly Triple[] {
  return triples.filter((triple, index) => triples[index - 1]?.name !== triple.name);
}

/** Returns the scores of triples by language; throws if a release cannot be downloaded. */
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

/** Returns the scores of commits by language; throws if a repository is not cloned. */
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

/** Returns the score of this repository's own commits, which is not stored because it changes with every commit. */
export async function scoreOwnHistory(): Promise<Score> {
  const own = resolve(".");
  const cases: Case[] = [];
  for (const triple of await findCommits(own, MAX_OWN_COMMITS)) cases.push(await commitCase(own, triple));
  return allOf(await scoreCases(cases));
}

export async function scoreLogs(): Promise<Score> {
  return allOf(await scoreCases(logCases()));
}

function allOf({ all }: Readonly<Record<string, Score>>): Score {
  if (all === undefined) throw new Error("no score of all");
  return all;
}
