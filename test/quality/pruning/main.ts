/** `score` writes the scores; `find PACKAGE…` prints the triples of packages by the rule of find-triples.ts. */
import { writeFileSync } from "node:fs";
import { findTriples } from "./find-triples.ts";
import { scoreAll, SCORES_FILE } from "./score-all.ts";
import type { Score } from "./score.ts";

const [action = "score", ...names] = process.argv.slice(2);
if (action === "find") {
  for (const name of names)
    for (const triple of await findTriples(name)) console.log(`    ${JSON.stringify(triple)},`);
} else {
  const scores = await scoreAll();
  writeFileSync(SCORES_FILE, `${JSON.stringify(scores, null, 2)}\n`);
  print("all", scores.source);
  print("dev", scores.dev);
  print("held out", scores.held_out);
  print("sample", scores.sample);
  print("logs", { all: scores.logs });
}

function print(title: string, scores: Readonly<Record<string, Score>>): void {
  console.log(`\n${title} (recall at 10, 20, 35, 50 % of tokens)`);
  for (const [language, score] of Object.entries(scores))
    console.log(
      `${language.padEnd(12)} ${String(score.cases).padStart(4)}  pith ${row(score.builtin)}  ` +
        `head+tail ${row(score.head_and_tail)}  best lines ${row(score.best_lines)}  ` +
        `kept at 35 %: ${score.kept_at_35.toFixed(2)}`,
    );
}

function row(recalls: readonly number[]): string {
  return recalls.map((recall) => recall.toFixed(2)).join(" ");
}
