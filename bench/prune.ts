/** Measures the built-in pruner on real source of several lengths, warmed up, with several questions. */
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { createPruner } from "../src/prune/create.ts";
import type { PruneKind } from "../src/prune/pruner.ts";
import { report, sampleOf } from "./report/section.ts";
import type { Figure } from "./report/section.ts";

const ROUNDS = 60;
const WARM_UP = 15;
const QUESTIONS = [
  "How does $ZodCheckMultipleOf check that a value is a multiple?",
  "Where is the minimum length of a string compared?",
  "Which bounds does the number format check use for int32?",
];

const source = readFileSync(resolve("node_modules/zod/src/v4/core/schemas.ts"), "utf8").split("\n");
const pruner = createPruner({ provider: "builtin", keep: 0.35, maxInputBytes: 1e9 });

const figures: Figure[] = [];
for (const count of [1_000, 4_000, 16_000]) figures.push(await measure("source", take(source, count)));
for (const count of [1_000, 4_000, 16_000]) figures.push(await measure("log", logOf(count)));
for (const count of [1_000, 4_000]) figures.push(await measure("matches", take(source, count)));
report({
  title: "Focus",
  about:
    "The built-in pruner, warm, one question after another, in processor time, beside one plain pass that looks for the question's words in each line. How well it keeps the lines that matter is in `test/quality/pruning.json`.",
  figures,
});

async function measure(kind: PruneKind, lines: readonly string[]): Promise<Figure> {
  const [own, plain]: [number[], number[]] = [[], []];
  for (let round = -WARM_UP; round < ROUNDS; round++) {
    const question = QUESTIONS[Math.abs(round) % QUESTIONS.length] ?? "";
    const [pruned, scanned] = [
      await processorMs(() => pruner.prune({ lines, question, kind, failed: true })),
      await processorMs(() => linesWith(lines, question)),
    ];
    if (round < 0) continue;
    own.push(pruned);
    plain.push(scanned);
  }
  return {
    what: `${kind}, ${lines.length.toLocaleString("en-US")} lines`,
    unit: "ms",
    pith: sampleOf(own),
    other: { name: "words of the question, line by line", sample: sampleOf(plain) },
    // The limit is 5 ms per 1,000 lines, whatever the length.
    atMost: (5 * lines.length) / 1_000,
  };
}

/** Measures processor time, which does not depend on what else the machine does. */
async function processorMs(work: () => unknown): Promise<number> {
  const start = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1_000;
}

/** Does in this process what an agent's own \`grep -i -E 'word|word'\` would do. */
function linesWith(lines: readonly string[], question: string): number {
  const words = question.split(/\W+/).filter((word) => word.length > 3);
  const pattern = new RegExp(words.join("|"), "i");
  return lines.filter((line) => pattern.test(line)).length;
}

/** Takes the first lines of a text; a text that is too short is repeated with different numbers in its names. */
function take(lines: readonly string[], count: number): readonly string[] {
  return Array.from({ length: count }, (_, i) => {
    const round = Math.floor(i / lines.length);
    const line = lines[i % lines.length] ?? "";
    return round === 0 ? line : line.replaceAll(/\b([a-z]\w{3,})\b/g, `$1${round}`);
  });
}

function logOf(count: number): readonly string[] {
  return Array.from({ length: count }, (_, i) => {
    if (i % 200 === 150) return `src/part${i}.ts:${i}:5: error: cannot find the name value${i % 13}`;
    if (i % 200 < 155 && i % 200 > 150) return `    at step${i} (src/part${i}.ts:${i}:1)`;
    return `[${i}/${count}] Compiling module ${source[i % source.length]?.slice(0, 60) ?? ""}`;
  });
}
