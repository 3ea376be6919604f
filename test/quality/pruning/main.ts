/**
 * `score [FOLDER]` writes the scores; those of commits only if their repositories are cloned in the folder. `find PACKAGE…`
 * and `find-commits CLONE…` print triples by the rules of find-triples.ts and commits.ts.
 */
import { writeFileSync } from "node:fs";
import { findCommits } from "./commits.ts";
import { findTriples } from "./find-triples.ts";
import { scoreAll, scoreOwnHistory, SCORES_FILE } from "./score-all.ts";
import type { Score } from "./score.ts";

const COMMITS_PER_CLONE = 30;
const [action = "score", ...names] = process.argv.slice(2);
if (action === "find") {
  for (const name of names)
    for (const triple of await findTriples(name)) console.log(`    ${JSON.stringify(triple)},`);
} else if (action === "find-commits") {
  for (const clone of names)
    console.log(
      `${clone}\n${(await findCommits(clone, COMMITS_PER_CLONE)).map((one) => `    ${JSON.stringify(one)}`).join(",\n")}`,
    );
} else {
  const scores = await scoreAll(names[0]);
  writeFileSync(SCORES_FILE, `${JSON.stringify(scores, null, 2)}\n`);
  print("all", scores.source);
  print("dev", scores.dev);
  print("held out", scores.held_out);
  print("sample", scores.sample);
  print("commits, fitted on", scores.commits.fitted);
  print("commits, held out", scores.commits.held_out);
  print("this repository's commits", { all: await scoreOwnHistory() });
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
