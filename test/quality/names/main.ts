/** Measures how often a name's definition comes first: node scripts/score-names.mjs FOLDER… */
import { basename, resolve } from "node:path";
import { parseArgs } from "node:util";
import type { Hit } from "../../../src/model/hit.ts";
import { createTestIndex } from "../../support/code-index.ts";
import { createDeclared } from "./declared.ts";
import { definitionsIn } from "./definitions.ts";
import { judge } from "./judge.ts";
import { questionsOf, type Question } from "./questions.ts";
import { createTally } from "./tally.ts";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    names: { type: "string", default: "40" },
    seed: { type: "string", default: "1" },
    /** Number of misses to print per folder. */
    missed: { type: "string", default: "0" },
  },
});

const tally = createTally();
for (const folder of positionals) await score(resolve(folder));
for (const line of tally.table()) console.log(line);

async function score(folder: string): Promise<void> {
  const test = createTestIndex();
  const definitions = definitionsIn(folder);
  const isDeclared = createDeclared(folder, definitions);
  const questions = questionsOf(definitions, Number(values.names), Number(values.seed));
  let left = Number(values.missed);
  await test.index.index({ root: folder });
  for (const question of questions)
    for (const tool of ["locate", "search"] as const) {
      const { hits } = await test[tool](folder, question.text, { limit: 3, level: "location" });
      const verdict = judge(question, hits[0], isDeclared);
      const { group, language } = question.about;
      const headings = [`by ${question.way}`, `of ${group}`, `in ${language}`, `repo ${basename(folder)}`];
      tally.add([tool, ...headings.map((heading) => `${tool} ${heading}`)], verdict);
      if ((!verdict.first || verdict.own === false) && left-- > 0)
        explain(verdict.first ? `${tool} own` : tool, question, hits);
    }
  await test.dispose();
}

function explain(tool: string, { way, text, about, answers }: Question, hits: readonly Hit[]): void {
  const wanted = answers.slice(0, 4).map(({ path, line, group }) => `${path}:${line}(${group})`);
  const got = hits
    .slice(0, 2)
    .map((hit) => `${hit.path}:${hit.lineStart} ${hit.kind ?? "-"} ${hit.name ?? ""}`);
  const more = answers.length > 4 ? ` +${answers.length - 4}` : "";
  console.log(
    `MISS ${tool} ${way} ${about.language} ${text} | ${wanted.join(" ")}${more} | ${got.join(" ; ")}`,
  );
}
