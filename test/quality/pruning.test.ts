import { describe, expect, it } from "vitest";
import {
  readScores,
  readTriples,
  sampleOf,
  scoreLogs,
  scoreOwnHistory,
  scoreTriples,
} from "./pruning/score-all.ts";
import type { Score } from "./pruning/score.ts";

const committed = readScores();
/** Loss of recall that is allowed before the committed score must be updated. */
const MAX_LOSS = 0.02;
/** Minimum factor by which pruning must beat keeping the beginning and the end of the text, at the default share. */
const MIN_FACTOR_OVER_HEAD_AND_TAIL = 2;
/** Minimum number of commits; a shallow clone has fewer. */
const MIN_COMMITS = 20;
const DEFAULT_SHARE = committed.shares.indexOf(0.35);

function expectAsGood(now: Score, before: Score): void {
  for (const [index, recall] of before.builtin.entries())
    expect(now.builtin[index]).toBeGreaterThanOrEqual(recall - MAX_LOSS);
}

function times(score: Score | undefined): number {
  return (score?.builtin[DEFAULT_SHARE] ?? 0) / (score?.head_and_tail[DEFAULT_SHARE] ?? 1);
}

describe("pruning", () => {
  it("has committed scores of at least twice the recall of keeping the beginning and the end", () => {
    const sets = [committed.source, committed.commits.fitted, committed.commits.held_out];
    for (const { all } of sets) expect(times(all)).toBeGreaterThanOrEqual(MIN_FACTOR_OVER_HEAD_AND_TAIL);
    expect(times(committed.logs)).toBeGreaterThanOrEqual(MIN_FACTOR_OVER_HEAD_AND_TAIL);
  });

  it("keeps the causes in captured logs", async () => {
    const now = await scoreLogs();
    expectAsGood(now, committed.logs);
    expect(times(now)).toBeGreaterThanOrEqual(MIN_FACTOR_OVER_HEAD_AND_TAIL);
  });

  it("keeps more of the lines that this repository's own commits changed than the beginning and the end", async ({
    skip,
  }) => {
    const now = await scoreOwnHistory();
    skip(now.cases < MIN_COMMITS, "the history is not available");
    expect(times(now)).toBeGreaterThan(1);
  });

  it("keeps the changed lines of released packages", async ({ skip }) => {
    const now = await sampleScore();
    skip(now === undefined, "the packages cannot be fetched");
    const [score, before] = [now?.["all"], committed.sample["all"]];
    if (score === undefined || before === undefined) throw new Error("no score of all languages");
    expect(score.cases).toBe(before.cases);
    expectAsGood(score, before);
  });
});

/** Returns the score of a sample of the triples that is small enough to download, or undefined without a registry. */
async function sampleScore(): Promise<Readonly<Record<string, Score>> | undefined> {
  try {
    return await scoreTriples(sampleOf(readTriples().held_out));
  } catch (error) {
    console.warn(`NOT CHECKED: the pruning score of packages. ${String(error).slice(0, 300)}`);
    return undefined;
  }
}
