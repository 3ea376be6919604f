import type { ChangedHunk, TreeChange } from "../../workspace/git/tree-changes.ts";
import { KIND, kindOf } from "./change-kind.ts";
import { isEntry, NEAR, type Nearness, TEST_WORD, wordsIn } from "./nearness.ts";

interface Facts {
  readonly hunks: ReadonlyMap<string, readonly ChangedHunk[]>;
  readonly near: Nearness;
  /** The text of a file after the change; empty if it cannot be read. */
  readonly textOf: (path: string) => string;
}

/** What decides about the place of a change, in the order in which it is compared; the smaller comes first. */
type Rank = readonly number[];

/** A failure at most this many lines from a change is close to it. */
const CLOSE_LINES = 10;

/**
 * Orders changes, the likeliest cause of the failures first: by whether a failure is at a changed line, by what the change
 * does, by how near its file is to the failures, and by the words that it shares with them.
 */
export function rankChanges(changes: readonly TreeChange[], facts: Facts): TreeChange[] {
  const shared = sharedWords(changes, facts);
  const ranks = new Map(changes.map((change) => [change.path, rankOf(change, facts, shared)]));
  return changes.toSorted((a, b) => compare(ranks.get(a.path) ?? [], ranks.get(b.path) ?? [], a, b));
}

function compare(a: Rank, b: Rank, { path: pathA }: TreeChange, { path: pathB }: TreeChange): number {
  for (const [at, value] of a.entries()) {
    const other = b[at] ?? 0;
    if (value !== other) return value - other;
  }
  return pathA < pathB ? -1 : 1;
}

function rankOf(
  change: TreeChange,
  { hunks, near, textOf }: Facts,
  shared: ReadonlyMap<string, number>,
): Rank {
  const { path } = change;
  const changed = hunks.get(path) ?? [];
  const lines = near.linesIn(path);
  const isTest = TEST_WORD.test(path);
  const kind = kindOfChange(change, changed, { near, textOf });
  const gap = kind <= KIND.added ? gapBetween(changed, lines) : Number.POSITIVE_INFINITY;
  const distance = gap <= CLOSE_LINES ? NEAR.named : near.of(path);
  return [
    gap === 0 ? -1 : kind,
    // A failure in a part of a test that did not change has its cause elsewhere, most often in the code under test.
    isTest && gap > 0 ? Math.max(distance, NEAR.sameFolder) : distance,
    gap === 0 ? 0 : gap <= CLOSE_LINES ? 1 : 2,
    Number(isTest),
    Number(isEntry(path)),
    -(shared.get(path) ?? 0),
    -lines.length,
  ];
}

function kindOfChange(
  { path, change }: TreeChange,
  hunks: readonly ChangedHunk[],
  { near, textOf }: Pick<Facts, "near" | "textOf">,
): number {
  if (change === "deleted") return KIND.edited;
  // What is in a new file does not change what was there, unless a failure is in it.
  if (change === "new") return near.of(path) === NEAR.named ? KIND.edited : KIND.added;
  return kindOf({ path, hunks, text: textOf(path), isMentioned: (word) => near.isSaid(word) });
}

/** The number of lines between changed lines and the nearest of some places; infinite if there is none. */
function gapBetween(hunks: readonly ChangedHunk[], lines: readonly number[]): number {
  let gap = Number.POSITIVE_INFINITY;
  for (const { start, end } of hunks)
    for (const line of lines) if (line > 0) gap = Math.min(gap, Math.max(0, start - line, line - end));
  return gap;
}

/**
 * How much the changed code has in common with the failures: words that few of the changes have count more, because they
 * tell them apart.
 */
function sharedWords(changes: readonly TreeChange[], { hunks, near }: Facts): Map<string, number> {
  const words = new Map(changes.map(({ path }) => [path, wordsOf(hunks.get(path) ?? [])]));
  const users = new Map<string, number>();
  for (const own of words.values()) for (const word of own) users.set(word, (users.get(word) ?? 0) + 1);
  const shared = new Map<string, number>();
  for (const [path, own] of words) {
    let weight = 0;
    for (const word of own) weight += near.weightOf(word) / (users.get(word) ?? 1);
    shared.set(path, weight);
  }
  return shared;
}

const MIN_WORD = 3;

function wordsOf(hunks: readonly ChangedHunk[]): Set<string> {
  const words = new Set<string>();
  for (const { heading, removed, added } of hunks)
    for (const line of [heading, ...removed, ...added])
      for (const word of wordsIn(line)) if (word.length >= MIN_WORD) words.add(word);
  return words;
}
