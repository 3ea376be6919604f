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
/** Of a recall: what a change may lose before the score must be written anew. */
const SLACK = 0.02;
/** How much better than the beginning and the end of the text, at the default share. */
const TIMES_HEAD_AND_TAIL = 2;
/** A clone may be shallow. */
const FEWEST_COMMITS = 20;
const DEFAULT_SHARE = committed.shares.indexOf(0.35);

function expectAsGood(now: Score, before: Score): void {
  for (const [index, recall] of before.builtin.entries())
    expect(now.builtin[index]).toBeGreaterThanOrEqual(recall - SLACK);
}

function times(score: Score | undefined): number {
  return (score?.builtin[DEFAULT_SHARE] ?? 0) / (score?.head_and_tail[DEFAULT_SHARE] ?? 1);
}

describe("pruning", () => {
  it("keeps what the committed score says, twice what the beginning and the end have", () => {
    const sets = [committed.source, committed.commits.fitted, committed.commits.held_out];
    for (const { all } of sets) expect(times(all)).toBeGreaterThanOrEqual(TIMES_HEAD_AND_TAIL);
    expect(times(committed.logs)).toBeGreaterThanOrEqual(TIMES_HEAD_AND_TAIL);
  });

  it("keeps the causes in captured logs", async () => {
    const now = await scoreLogs();
    expectAsGood(now, committed.logs);
    expect(times(now)).toBeGreaterThanOrEqual(TIMES_HEAD_AND_TAIL);
  });

  it("keeps more of the lines that this repository's own commits changed than the beginning and the end", async ({
    skip,
  }) => {
    const now = await scoreOwnHistory();
    skip(now.cases < FEWEST_COMMITS, "the history is not here");
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

/** The score of a part of the triples, small enough to fetch; undefined without a registry. */
async function sampleScore(): Promise<Readonly<Record<string, Score>> | undefined> {
  try {
    return await scoreTriples(sampleOf(readTriples().held_out));
  } catch (error) {
    console.warn(`NOT CHECKED: the pruning score of packages. ${String(error).slice(0, 300)}`);
    return undefined;
  }
}
