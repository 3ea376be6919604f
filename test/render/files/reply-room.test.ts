import { expect, it } from "vitest";
import { Budget } from "../../../src/kernel/budget.ts";
import { estimateTokens } from "../../../src/kernel/tokens.ts";
import type { FileSlice } from "../../../src/model/file-slice.ts";
import type { PruningOutcome } from "../../../src/model/pruning.ts";
import { createPruner } from "../../../src/prune/create.ts";
import type { PruneKind } from "../../../src/prune/pruner.ts";
import { renderFileSlice } from "../../../src/render/files/file-slice.ts";
import { roomFor } from "../../../src/render/files/reply-room.ts";
import type { Format, Rendered } from "../../../src/render/rendered.ts";

const WORDS =
  "parse request header error cache token value index stream close retry user session config path".split(" ");
const FORMATS: readonly Format[] = ["text", "markdown", "json"];
const BUDGETS = [60, 200, 500, 1_000, 1_500, 3_000, 9_000];

/** Pseudo-random numbers that are the same on every run. */
function seeded(seed: number): (below: number) => number {
  let state = seed * 2_654_435_761 + 1;
  return (below) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((state / 2_147_483_648) * below);
  };
}

/** Functions with bodies of different lengths, some of them with long lines, quotes or letters of other scripts. */
function codeOf(next: (below: number) => number): readonly string[] {
  const word = (): string => WORDS[next(WORDS.length)] ?? "";
  const statement = (): string =>
    [
      `  const ${word()}${next(9)} = ${word()}(${word()}, "${word()}\\t${word()}");`,
      "",
      `  // ${"größer 😀 ".repeat(next(20))}${word()}`,
      `  if (${word()}.${word()}) return ${"x".repeat(next(300))};`,
    ][next(4)] ?? "";
  return Array.from({ length: 10 + next(60) }, (_, i) => [
    `${next(2) === 0 ? "export " : ""}function ${word()}${i}(${word()}) {`,
    ...Array.from({ length: next(30) }, statement),
    "}",
  ]).flat();
}

function sliceOf(lines: readonly string[], startLine: number): FileSlice {
  const endLine = startLine + lines.length - 1;
  return {
    path: "src/some/module.ts",
    startLine,
    endLine,
    requestedEndLine: endLine,
    totalLines: endLine,
    totalIsExact: true,
    sizeBytes: lines.join("\n").length,
    lines,
    clipped: [],
    encoding: "utf-8",
    lineEnds: "lf",
    undecodable: 0,
    masked: [],
    changedWhileReading: false,
  };
}

interface JsonReply {
  readonly content?: string;
  readonly parts?: readonly { readonly start_line: number; readonly end_line: number }[];
  readonly pruning: PruningOutcome;
}

/** The numbers of the lines that a reply shows. */
function shownIn({ text }: Rendered, format: Format): readonly number[] {
  if (format !== "json") return numbersIn(text);
  const { parts, content }: JsonReply = JSON.parse(text);
  if (content !== undefined) return [...content.split("\n").keys()];
  return numbersOf((parts ?? []).map((part) => [part.start_line, part.end_line]));
}

/** Counts on from each number, as a reader does; a line without one has only the bar. */
function numbersIn(text: string): readonly number[] {
  const numbers: number[] = [];
  for (const [, number = ""] of text.matchAll(/^(\d*)\| /gm))
    numbers.push(number === "" ? (numbers.at(-1) ?? 0) + 1 : Number(number));
  return numbers;
}

function numbersOf(ranges: PruningOutcome["kept"]): readonly number[] {
  return (ranges ?? []).flatMap(([start, end]) =>
    Array.from({ length: end - start + 1 }, (_, i) => start + i),
  );
}

async function focus(
  slice: FileSlice,
  question: string,
  {
    format,
    maxTokens,
    kind,
  }: { readonly format: Format; readonly maxTokens: number; readonly kind: PruneKind },
): Promise<{ readonly pruning: PruningOutcome; readonly rendered: Rendered }> {
  const pruner = createPruner({ provider: "builtin", maxInputBytes: 1e9 });
  const room = roomFor({ slice }, { format, budget: new Budget(maxTokens) });
  const { lines, startLine: firstLine } = slice;
  const pruning = await pruner.prune({ lines, firstLine, question, kind, maxTokens, room });
  return {
    pruning,
    rendered: renderFileSlice({ slice, pruning }, { format, budget: new Budget(maxTokens) }),
  };
}

it.each(["source", "log"] as const)(
  "what is kept of a %s is what is shown, in every format and budget",
  async (kind) => {
    let applied = 0;
    for (let seed = 1; seed <= 12; seed++) {
      const next = seeded(seed);
      const slice = sliceOf(codeOf(next), 1 + next(5_000));
      const question = [
        `How does ${WORDS[seed]}${seed} use the ${WORDS[0]}?`,
        "Where is the token of a session?",
      ][seed % 2];
      for (const format of FORMATS)
        for (const maxTokens of BUDGETS) {
          const about = `seed ${seed}, ${format}, ${maxTokens}`;
          const { pruning, rendered } = await focus(slice, question ?? "", { format, maxTokens, kind });
          const shown = shownIn(rendered, format);
          if (!pruning.applied) {
            // A text that is kept whole for its relevance is not cut by position.
            if (pruning.attempted && kind === "source") expect(shown, about).toHaveLength(slice.lines.length);
            continue;
          }
          applied++;
          expect(shown, about).toEqual(numbersOf(pruning.kept));
          expect(pruning.lines_after, about).toBe(shown.length);
          expect(rendered.meta?.["pruning"], about).toEqual(pruning);
          if (format !== "json")
            expect(rendered.text, about).toContain(`[focus: ${shown.length} of ${slice.lines.length} lines;`);
          // The smallest budgets have room for little more than the notes.
          if (maxTokens >= 200) expect(estimateTokens(rendered.text), about).toBeLessThanOrEqual(maxTokens);
        }
    }
    expect(applied).toBeGreaterThan(150);
  },
);

it("an outcome that does not fit is reported as it is shown", () => {
  const slice = sliceOf(codeOf(seeded(3)).slice(0, 120), 1);
  const pruning: PruningOutcome = {
    attempted: true,
    applied: true,
    lines_before: 120,
    lines_after: 110,
    kept: [
      [1, 50],
      [61, 120],
    ],
  };
  const rendered = renderFileSlice({ slice, pruning }, { format: "text", budget: new Budget(400) });
  const shown = shownIn(rendered, "text");
  expect(shown.length).toBeLessThan(60);
  expect(rendered.meta?.["pruning"]).toMatchObject({
    kept: [[1, shown.length]],
    lines_after: shown.length,
  });
});

it("numbers the first line of a run and every tenth, and only those", () => {
  const lines = Array.from({ length: 60 }, (_, i) => `12| text ${i + 101}`);
  const kept: PruningOutcome["kept"] = [
    [101, 104],
    [117, 132],
  ];
  const pruning = { attempted: true, applied: true, lines_before: 60, lines_after: 20, kept };
  const { text } = renderFileSlice(
    { slice: sliceOf(lines, 101), pruning },
    { format: "text", budget: new Budget(3_000) },
  );
  const rows = text.split("\n").filter((row) => row.includes("text "));
  expect(rows.filter((row) => row.startsWith("| 12| text "))).toHaveLength(16);
  expect(rows.filter((row) => !row.startsWith("| "))).toEqual(
    [101, 117, 120, 130].map((number) => `${number}| 12| text ${number}`),
  );
});
