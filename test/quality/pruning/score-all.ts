import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { logCases, sourceCase } from "./cases.ts";
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
  readonly logs: Score;
}

const TRIPLES_FILE = resolve("test/quality/pruning/triples.json");
export const SCORES_FILE = resolve("test/quality/pruning.json");

export function readTriples(): TripleSets {
  return JSON.parse(readFileSync(TRIPLES_FILE, "utf8"));
}

/** Scores everything; fetches what is not in the cache. */
export async function scoreAll(): Promise<AllScores> {
  const { dev, held_out } = readTriples();
  return {
    shares: SHARES,
    source: await scoreTriples([...dev, ...held_out]),
    dev: await scoreTriples(dev),
    held_out: await scoreTriples(held_out),
    sample: await scoreTriples(sampleOf(held_out)),
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

export async function scoreLogs(): Promise<Score> {
  const { all } = await scoreCases(logCases());
  if (all === undefined) throw new Error("no logs");
  return all;
}
