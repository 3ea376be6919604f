import { describe, expect, it } from "vitest";
import { estimateTokens } from "../../src/kernel/tokens.ts";
import type { PruningOutcome } from "../../src/model/pruning.ts";
import { createPruner } from "../../src/prune/create.ts";
import type { PruneKind } from "../../src/prune/pruner.ts";

const WORDS = (
  "parse request header error cache token value index stream close open read write retry user session config path " +
  "buffer queue worker signal abort limit offset cursor match rule state event"
).split(" ");
const KINDS: readonly PruneKind[] = ["source", "log", "matches"];

/** Pseudo-random numbers that are the same on every run. */
function seeded(seed: number): (below: number) => number {
  let state = seed * 2_654_435_761 + 1;
  return (below) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((state / 2_147_483_648) * below);
  };
}

type Maker = (next: (below: number) => number, count: number) => readonly string[];

function words(next: (below: number) => number, most: number): string {
  return Array.from({ length: 1 + next(most) }, () => WORDS[next(WORDS.length)]).join(" ");
}

/** Texts of every kind that tools print and files contain. */
const TEXTS: Readonly<Record<string, Maker>> = {
  code: (next, count) =>
    Array.from(
      { length: count },
      () => `${"  ".repeat(next(6))}${words(next, 8)}${next(5) === 0 ? " {" : ";"}`,
    ),
  "flat prose": (next, count) => Array.from({ length: count }, () => words(next, 20)),
  "lines with CR": (next, count) => Array.from({ length: count }, () => `${words(next, 9)}\r`),
  "blank and short lines": (next, count) =>
    Array.from({ length: count }, () => (next(3) === 0 ? "" : next(3) === 0 ? "}" : words(next, 6))),
  "random bytes": (next, count) =>
    Array.from({ length: count }, () =>
      String.fromCharCode(
        ...Array.from({ length: 40 + next(40) }, () => next(0x10000)).filter((c) => c !== 10),
      ),
    ),
  "repeated lines": (next, count) =>
    Array.from({ length: count }, (_, i) =>
      next(40) === 0 ? words(next, 8) : `[${i}] compiling module ${i % 7}`,
    ),
  "one very long line": (next, count) =>
    Array.from({ length: count }, (_, i) => (i === 11 ? words(next, 20).repeat(9_000) : words(next, 12))),
};

async function prune(
  lines: readonly string[],
  {
    kind,
    keep,
    question,
    failed = false,
  }: { kind: PruneKind; keep: number; question: string; failed?: boolean },
): Promise<PruningOutcome> {
  const pruner = createPruner({ provider: "builtin", keep, maxInputBytes: 100_000_000 });
  return pruner.prune({ lines, firstLine: 1, question, kind, failed });
}

/** Checks that ranges are sorted, separate and inside the text, and keep neither nothing nor everything. */
function expectSound(lines: readonly string[], outcome: PruningOutcome): ReadonlySet<number> {
  const kept = new Set<number>();
  let last = 0;
  for (const [start, end] of outcome.kept ?? []) {
    expect(start).toBeGreaterThan(last);
    expect(end).toBeGreaterThanOrEqual(start);
    expect(end).toBeLessThanOrEqual(lines.length);
    for (let line = start; line <= end; line++) kept.add(line);
    last = end + 1;
  }
  expect(kept.size).toBe(outcome.lines_after);
  expect(kept.size).toBeGreaterThan(0);
  expect(outcome.lines_before).toBe(lines.length);
  expect(outcome.tokens_after).toBe(estimateTokens([...kept].map((line) => lines[line - 1]).join("\n")));
  expect(outcome.tokens_after).toBeLessThan(outcome.tokens_before ?? 0);
  return kept;
}

describe.each(Object.entries(TEXTS))("%s", (name, make) => {
  it.each(KINDS)("keeps some of the lines, unchanged, when pruned as %s", async (kind) => {
    let applied = 0;
    for (let seed = 1; seed <= 25; seed++) {
      const next = seeded(seed);
      const lines = make(next, 41 + next(600));
      const keep = (1 + next(19)) / 20;
      const failed = next(2) === 0;
      const outcome = await prune(lines, { kind, keep, question: words(next, 5), failed });
      if (!outcome.applied) {
        expect(outcome.kept).toBeUndefined();
        expect(["too_small", "nothing_relevant"]).toContain(outcome.reason);
        continue;
      }
      applied++;
      expectSound(lines, outcome);
    }
    // Every text but random bytes contains words of the question.
    if (name !== "random bytes") expect(applied).toBeGreaterThan(0);
  });
});

describe("the log of a failed command", () => {
  it("keeps every error, the beginning and the end, for any question and any budget", async () => {
    for (let seed = 1; seed <= 40; seed++) {
      const next = seeded(seed);
      const lines = [...(TEXTS["repeated lines"]?.(next, 200 + next(800)) ?? [])];
      const complaints = Array.from({ length: 1 + next(6) }, (_, i) => ({
        at: next(lines.length),
        text: `src/part${i}.ts:${next(900)}:1: error: ${words(next, 6)}`,
      }));
      for (const { at, text } of complaints) lines.splice(at, 0, text);
      const outcome = await prune(lines, { kind: "log", keep: 0.01, question: words(next, 4), failed: true });
      expect(outcome.applied).toBe(true);
      const kept = expectSound(lines, outcome);
      for (const { text } of complaints) expect(kept.has(lines.indexOf(text) + 1), text).toBe(true);
      for (let line = lines.length - 14; line <= lines.length; line++) expect(kept.has(line)).toBe(true);
      expect(kept.has(1)).toBe(true);
    }
  });

  it("keeps a repeated line if only that one matches the question", async () => {
    const lines = Array.from({ length: 400 }, (_, i) => `[${i}] loaded module number${i} in ${i % 90} ms`);
    const outcome = await prune(lines, { kind: "log", keep: 0.2, question: "When was number257 loaded?" });
    expect(expectSound(lines, outcome).has(258)).toBe(true);
  });
});

describe("sizes", () => {
  it("prunes 100,000 lines", async () => {
    const lines = TEXTS["code"]?.(seeded(3), 100_000) ?? [];
    for (const kind of KINDS)
      expectSound(lines, await prune(lines, { kind, keep: 0.1, question: "Where is the retry limit read?" }));
  });

  it("ignores the words of a very long line", async () => {
    const lines = [...(TEXTS["code"]?.(seeded(4), 300) ?? []), `var data = "${"zebra ".repeat(175_000)}";`];
    const outcome = await prune(lines, {
      kind: "source",
      keep: 0.01,
      question: "Where is the retry limit read?",
    });
    const kept = expectSound(lines, outcome);
    expect(kept.has(lines.length)).toBe(false);
  });
});
