/** The built-in pruner on real source of several lengths: warm, one question after another. */
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { createPruner } from "../src/prune/create.ts";
import type { PruneKind } from "../src/prune/pruner.ts";

const ROUNDS = 60;
const WARM_UP = 15;
const QUESTIONS = [
  "How does $ZodCheckMultipleOf check that a value is a multiple?",
  "Where is the minimum length of a string compared?",
  "Which bounds does the number format check use for int32?",
];

const source = readFileSync(resolve("node_modules/zod/src/v4/core/schemas.ts"), "utf8").split("\n");
const pruner = createPruner({ provider: "builtin", keep: 0.35, maxInputBytes: 1e9 });

for (const count of [1_000, 2_000, 4_000, 16_000]) await measure("source", take(source, count));
for (const count of [1_000, 4_000, 16_000]) await measure("log", logOf(count));
for (const count of [1_000, 4_000]) await measure("matches", take(source, count));

async function measure(kind: PruneKind, lines: readonly string[]): Promise<void> {
  const times: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const question = QUESTIONS[round % QUESTIONS.length];
    const start = performance.now();
    await pruner.prune({ lines, question, kind, failed: true });
    if (round >= WARM_UP) times.push(performance.now() - start);
  }
  const [best, middle] = [Math.min(...times), median(times)];
  console.log(
    `${kind}, ${lines.length} lines: median ${middle.toFixed(2)} ms, best ${best.toFixed(2)} ms, ` +
      `${((1_000 * middle) / lines.length).toFixed(2)} ms a 1,000 lines`,
  );
}

/** The first lines of a text, again and again with other numbers in the names where it is too short. */
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

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}
