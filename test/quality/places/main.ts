/** Measures how often the place shown for the right file is the function that answers: node scripts/score-places.mjs FOLDER */
import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { createTestIndex } from "../../support/code-index.ts";
import { judge, rangesOf, scoreOf, type Answered } from "./measure.ts";
import { allQuestions, type Questions } from "./questions.ts";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    /** Names of the repositories to measure, with commas; all if missing. */
    only: { type: "string" },
    missed: { type: "boolean", default: false },
  },
});
const folder = resolve(positionals[0] ?? ".");
const only = values.only?.split(",");

const all: Answered[] = [];
console.log("repository  language    n  ndcg10  first  place  any place");
for (const set of allQuestions()) {
  const root = join(folder, set.name);
  if (only?.includes(set.name) === false || !existsSync(root)) continue;
  const answered = await answer(set, root);
  all.push(...answered);
  console.log(row(set.name, set.language, answered));
  if (values.missed) for (const one of answered) explain(one);
}
console.log(row("all", "", all));

async function answer({ questions }: Questions, root: string): Promise<Answered[]> {
  const test = createTestIndex();
  await test.index.index({ root });
  const answered: Answered[] = [];
  for (const question of questions) {
    const { hits } = await test.search(root, question.text, { limit: 10, level: "location" });
    answered.push(judge(question, hits, await rangesOf(root, question)));
  }
  await test.dispose();
  return answered;
}

function row(name: string, language: string, answered: readonly Answered[]): string {
  const { count, ndcg, first, place, anyPlace } = scoreOf(answered);
  const shares = [ndcg, first, place, anyPlace].map((value) => value.toFixed(3));
  return [name.padEnd(10), language.padEnd(10), String(count).padStart(3), ...shares].join("  ");
}

function explain({ question, rank, isPlace, shown }: Answered): void {
  if (isPlace && rank === 0) return;
  const where = shown.map(
    ({ lineStart, lineEnd, kind, name }) => `${lineStart}-${lineEnd} ${kind ?? "lines"} ${name ?? ""}`,
  );
  const state = isPlace ? "place ok" : "WRONG PLACE";
  console.log(
    `  ${rank === undefined ? "NO FILE" : `file ${rank + 1}`} ${state}: ${question.text} | ${question.path.split("/").at(-1)}#${question.functions.join(" ")} | ${where.join("; ")}`,
  );
}
