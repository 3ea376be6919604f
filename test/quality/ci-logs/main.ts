import { writeFileSync } from "node:fs";
import type { Half } from "./cases.ts";
import { readCases } from "./cases.ts";
import type { CaseScore } from "./score.ts";
import { scoreCase } from "./score.ts";

/** Entry point of scripts/score-ci-logs.mjs. */
const args = process.argv.slice(2);
const folder = args[0];
if (folder === undefined || folder.startsWith("--"))
  throw new Error("score-ci-logs: name the folder of logs");
const out = optionOf("--write");
const owners = new RegExp(`^[${optionOf("--owners") ?? "a-z"}]`, "i");
const scores: CaseScore[] = [];
const only = optionOf("--half");
for (const log of readCases(folder, owners))
  if (only === undefined || log.half === only) scores.push(scoreCase(log));

const halves: readonly Half[] = ["read", "notRead"];
const score = Object.fromEntries(
  halves.map((half) => [half, scoreOf(scores.filter((one) => one.log.half === half))]),
);
console.log(JSON.stringify(score, null, 2));
if (args.includes("--missed")) for (const one of scores) if (one.log.half === "read") showMissed(one);
const about =
  "What `pith parse` says about public CI logs, by scripts/score-ci-logs.mjs. `bare` is without the lines of the CI system itself. The logs are not part of this project.";
if (out !== undefined) writeFileSync(out, `${JSON.stringify({ about, ...score }, null, 2)}\n`);

function scoreOf(some: readonly CaseScore[]): object {
  const known = some.filter(({ isNamedIn }) => isNamedIn.log);
  const passing = some.filter(({ isFalseRed }) => isFalseRed !== undefined);
  const count = (of: readonly CaseScore[], is: (one: CaseScore) => boolean | undefined): number =>
    of.filter((one) => is(one) === true).length;
  return {
    projects: new Set(some.map(({ log }) => log.project)).size,
    failing_logs: some.length,
    called_green: count(some, (one) => one.isGreen),
    called_green_bare: count(some, (one) => one.isBareGreen),
    fixed_file_in_log: known.length,
    fixed_file_in_last_200_lines: count(known, (one) => one.isNamedIn.tail),
    fixed_file_in_reply: count(known, (one) => one.isNamedIn.reply),
    median_tokens_of_last_200_lines: median(some.map((one) => one.tailTokens)),
    median_tokens_of_reply: median(some.map((one) => one.tokens)),
    passing_logs: passing.length,
    called_red: count(passing, (one) => one.isFalseRed),
    called_red_bare: count(passing, (one) => one.isBareFalseRed),
  };
}

function median(values: readonly number[]): number {
  return values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? 0;
}

function showMissed({ log, isNamedIn, tokens, ...one }: CaseScore): void {
  const faults = [
    ...(isNamedIn.log && !isNamedIn.reply
      ? [`does not name ${log.fixed.slice(0, 3).join(", ")}${isNamedIn.tail ? " (tail does)" : ""}`]
      : []),
    ...(one.isGreen || one.isBareGreen
      ? [`green${one.isGreen ? "" : " without the lines of the CI system"}`]
      : []),
    ...(one.isFalseRed === true ? ["passing log is red"] : []),
    ...(one.isBareFalseRed === true ? ["passing log is red without the lines of the CI system"] : []),
    ...(tokens > 1_500 ? [`${tokens} tokens`] : []),
  ];
  if (faults.length > 0) console.log(`${log.name}: ${faults.join("; ")}`);
}

function optionOf(name: string): string | undefined {
  const at = args.indexOf(name);
  return at < 0 ? undefined : args[at + 1];
}
