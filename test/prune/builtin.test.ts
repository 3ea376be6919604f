import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { BLOCK_SIZE, blocksOf, PIECE_SIZE } from "../../src/prune/builtin/blocks.ts";
import { definitionsOf } from "../../src/prune/builtin/definitions.ts";
import { selectLines } from "../../src/prune/builtin/select-lines.ts";
import type { PruningOutcome, ReplyRoom } from "../../src/model/pruning.ts";
import { createPruner } from "../../src/prune/create.ts";
import { closeSmallGaps } from "../../src/prune/kept-lines.ts";
import type { PruneKind } from "../../src/prune/pruner.ts";

const pruner = createPruner({ provider: "builtin", keep: 0.35, maxInputBytes: 524_288 });

/** A long source file of this repository. */
const source = readFileSync(
  join(import.meta.dirname, "../../node_modules/zod/src/v4/core/checks.ts"),
  "utf8",
).split("\n");

function focus(
  lines: readonly string[],
  question: string,
  kind: PruneKind = "source",
  failed = false,
): Promise<PruningOutcome> {
  return pruner.prune({ lines, question, kind, failed });
}

function keptLines(lines: readonly string[], { kept = [] }: PruningOutcome): string[] {
  return kept.flatMap(([start, end]) => lines.slice(start - 1, end));
}

/** Counts what the lines of a selection leave of a budget. */
function leftOf(budget: number, costs: Float64Array): (chosen: Uint8Array) => number {
  return (chosen) => costs.reduce((left, cost, line) => left - (chosen[line] === 1 ? cost : 0), budget);
}

describe("blocks", () => {
  it("cover every line once, in order, in pieces of at most 30 lines", () => {
    const blocks = blocksOf(source, definitionsOf(source), BLOCK_SIZE);
    expect(blocks[0]?.start).toBe(0);
    expect(blocks.at(-1)?.end).toBe(source.length);
    for (const [index, block] of blocks.entries()) {
      expect(block.end - block.start).toBeLessThanOrEqual(30);
      if (index > 0) expect(block.start).toBe(blocks[index - 1]?.end);
    }
  });

  it.each([
    ["nothing", []],
    ["one line", ["x"]],
    ["blank lines", Array.from({ length: 500 }, () => "")],
    ["one long flat list", Array.from({ length: 500 }, (_, i) => `item ${i}`)],
    ["ever deeper nesting", Array.from({ length: 500 }, (_, i) => `${" ".repeat(i)}{`)],
    ["tabs and closers", Array.from({ length: 200 }, (_, i) => (i % 2 === 0 ? "\t}" : "}"))],
  ])("are found in %s", (_, lines) => {
    const covered = blocksOf(lines, definitionsOf(lines), PIECE_SIZE).reduce(
      (sum, block) => sum + block.end - block.start,
      0,
    );
    expect(covered).toBe(lines.length);
  });
});

describe("focusing on source", () => {
  it("keeps the relevant third of the lines, unchanged", async () => {
    const outcome = await focus(source, "How does $ZodCheckMultipleOf check that a value is a multiple?");
    const kept = keptLines(source, outcome);
    expect(outcome.applied).toBe(true);
    expect(kept.join("\n")).toContain("$ZodCheckMultipleOf");
    expect(kept).toHaveLength(outcome.lines_after ?? -1);
    expect((outcome.tokens_after ?? 0) / (outcome.tokens_before ?? 1)).toBeLessThan(0.45);
  });

  it("reports that nothing is relevant instead of guessing", async () => {
    expect(await focus(source, "zebra giraffe elephant?")).toEqual({
      attempted: true,
      applied: false,
      reason: "nothing_relevant",
    });
  });

  it("does not prune short files", async () => {
    expect(await focus(source.slice(0, 30), "What is $ZodCheckMultipleOf?")).toMatchObject({
      applied: false,
      reason: "too_small",
    });
  });

  it("needs a question", async () => {
    expect(await pruner.prune({ lines: source, question: undefined, kind: "source" })).toMatchObject({
      reason: "no_question",
    });
  });

  it("keeps no more than the reply's budget", async () => {
    const outcome = await pruner.prune({
      lines: source,
      question: "How is a multiple checked?",
      kind: "source",
      maxTokens: 400,
    });
    expect(outcome.tokens_after).toBeLessThanOrEqual(400);
  });
});

describe("focusing on a log", () => {
  const log = [
    "> build",
    ...Array.from({ length: 300 }, (_, i) => `[${i}/900] Compiling module number ${i}`),
    "src/app.ts:12:5: error: cannot find name 'launch'",
    "    at start (src/app.ts:12:5)",
    "    at main (src/main.ts:3:1)",
    ...Array.from({ length: 300 }, (_, i) => `[${i + 300}/900] Compiling module number ${i + 300}`),
    "build finished with 1 error",
  ];

  it("always keeps the error, its stack trace and the end, and drops repeated lines", async () => {
    const outcome = await focus(log, "why is the cache cold?", "log", true);
    const kept = keptLines(log, outcome);
    expect(kept).toEqual(
      expect.arrayContaining([
        "src/app.ts:12:5: error: cannot find name 'launch'",
        "    at main (src/main.ts:3:1)",
      ]),
    );
    expect(kept.at(-1)).toBe("build finished with 1 error");
    expect(kept.length).toBeLessThan(100);
  });

  it("reads a log in which every line is an error and part of a stack trace in linear time", async () => {
    // One step for each pair of these lines would take minutes, so a test that ends is proof.
    const frames = Array.from(
      { length: 100_000 },
      (_, i) => `    at ParseError.step${i} (src/a${i}.ts:${i}:1)`,
    );
    // No error may be left out, so there is nothing to prune.
    expect(await focus(frames, "why is the cache cold?", "log", true)).toMatchObject({
      applied: false,
      reason: "too_small",
    });
  });

  it("keeps lines of known errors, whatever their words", async () => {
    const odd = log.with(150, "  line 7  the moon is in the wrong house");
    const outcome = await pruner.prune({
      lines: odd,
      question: "why?",
      kind: "log",
      failed: true,
      causes: ["the moon is in the wrong house"],
    });
    expect(keptLines(odd, outcome)).toContain("  line 7  the moon is in the wrong house");
  });

  it("keeps each location of a repeated error", async () => {
    const again = Array.from({ length: 30 }, (_, i) => [
      "error: this is not needed",
      `  --> src/rules/text.rs:${i * 20 + 3}:9`,
      "   |",
      ...Array.from({ length: 8 }, () => "   |     let text = name.clone();"),
    ]).flat();
    const kept = keptLines(again, await focus(again, "Why does the lint fail?", "log", true));
    for (let i = 0; i < 30; i++) expect(kept).toContain(`  --> src/rules/text.rs:${i * 20 + 3}:9`);
  });

  it("reads the messages inside JSON events", async () => {
    const events = Array.from({ length: 200 }, (_, i) =>
      JSON.stringify({ Action: "output", Test: `Test${i % 9}`, Output: `=== step ${i} of the run\n` }),
    );
    const cause = JSON.stringify({
      Action: "output",
      Test: "TestCart",
      Output: "    cart_test.go:12: got 3\n",
    });
    const all = [...events, cause, ...events];
    expect(keptLines(all, await focus(all, "Why does the test fail?", "log", true))).toContain(cause);
  });
});

describe("focusing on a log with the room of a reply", () => {
  const lines = Array.from({ length: 300 }, (_, i) =>
    i % 30 === 7
      ? `src/part${i}.py:${i}:1 - error: "total${i}" is not defined`
      : i % 10 === 2
        ? `src/part${i}.py:${i}:1 - note: type of "total${i}" cannot be found`
        : `src/part${i}.py:${i}:1 - warning: import "lib${i}" could not be resolved`,
  );
  const room = (tokens: number): ReplyRoom => ({
    tokens,
    wholeCost: 20 * lines.length,
    lineCosts: new Float64Array(lines.length).fill(20),
    gapCost: () => 10,
  });
  const focusIn = async (tokens: number, question: string): Promise<readonly string[]> =>
    keptLines(lines, await pruner.prune({ lines, question, kind: "log", failed: true, room: room(tokens) }));

  it("shows all errors before warnings that have the words of errors", async () => {
    const kept = await focusIn(400, "Why does it fail?");
    expect(kept.filter((line) => line.includes("- error:"))).toHaveLength(10);
    expect(kept.length).toBeLessThan(15);
  });

  it("shows the line that is asked for", async () => {
    expect(await focusIn(500, 'Why can "lib190" not be resolved?')).toContain(lines[190]);
  });

  it("shows warnings first if the question asks for them", async () => {
    const kept = await focusIn(3_000, "Which warnings are there?");
    expect(kept.filter((line) => line.includes("- warning:")).length).toBeGreaterThan(80);
  });
});

describe("selecting lines", () => {
  it("never exceeds the budget", () => {
    const relevance = Float64Array.from({ length: 300 }, (_, i) => ((i * 7919) % 100) / 100);
    const costs = Float64Array.from({ length: 300 }, (_, i) => 1 + ((i * 104_729) % 30));
    for (const budget of [0, 5, 50, 500, 5_000, 1e6]) {
      const chosen = selectLines({
        relevance,
        costs,
        tokens: budget,
        remaining: leftOf(budget, costs),
        gapCost: 6,
      });
      const paid = costs.reduce((sum, cost, line) => sum + (chosen[line] === 1 ? cost : 0), 0);
      expect(paid).toBeLessThanOrEqual(budget);
      if (budget >= 1e6) expect(chosen.reduce((sum, one) => sum + one, 0)).toBeGreaterThan(290);
    }
  });

  it("prefers one run of lines to many with the same relevance", () => {
    const relevance = Float64Array.from({ length: 40 }, (_, i) => (i < 10 || i % 3 === 0 ? 1 : 0.01));
    const costs = new Float64Array(40).fill(10);
    const chosen = selectLines({ relevance, costs, tokens: 100, remaining: leftOf(100, costs), gapCost: 6 });
    expect([...chosen].slice(0, 10)).toEqual(Array.from({ length: 10 }, () => 1));
  });

  it("keeps the enclosing declarations of kept lines", async () => {
    const body = Array.from({ length: 60 }, (_, i) => `        step_${i} = self.load(${i})`);
    const file = [
      "class Store:",
      "    def fill(self):",
      ...body,
      "        raise StaleCursor(step_3)",
      ...body,
      "    def drain(self):",
      ...body,
    ];
    const kept = keptLines(file, await focus(file, "When is StaleCursor raised?"));
    expect(kept).toEqual(
      expect.arrayContaining(["class Store:", "    def fill(self):", "        raise StaleCursor(step_3)"]),
    );
  });
});

describe("a run of kept lines", () => {
  const filler = Array.from({ length: 150 }, (_, i) => `  other${i}();`);

  it.each<[string, readonly string[]]>([
    ["the line", ["  if (isLate(order)) {", "    refundDeposit(order);", "  }"]],
    ["the line above the brace", ["  if (isLate(order))", "  {", "    refundDeposit(order);", "  }"]],
  ])("begins with the condition on %s above it", async (_, block) => {
    const lines = ["function settle(order) {", ...filler, ...block, ...filler, "}"];
    const tight = createPruner({ provider: "builtin", keep: 0.02, maxInputBytes: 1e9 });
    const outcome = await tight.prune({ lines, question: "Where is a deposit refunded?", kind: "source" });
    expect(keptLines(lines, outcome)).toEqual(expect.arrayContaining(block.slice(0, -1)));
  });

  it("goes on over lines that cost less than the mark for them", () => {
    const kept = Uint8Array.from([1, 0, 0, 1, 0, 0, 1]);
    const costs = Float64Array.from([9, 2, 3, 9, 9, 3, 9]);
    closeSmallGaps(kept, { isShort: () => false, costs });
    expect([...kept]).toEqual([1, 1, 1, 1, 0, 0, 1]);
  });
});
