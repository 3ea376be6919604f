import { writeFileSync } from "node:fs";
import { basename } from "node:path";
import { type ChangedLine, maskFolder } from "./changed-lines.ts";

/** Entry point of scripts/score-masking.mjs. */
const args = process.argv.slice(2);
const out = optionOf("--write");
const showsLines = args.includes("--lines");
const commits = new Map(
  (optionOf("--commits") ?? "").split(",").map((pair) => pair.split("=", 2) as [string, string]),
);

interface RepositoryScore {
  readonly name: string;
  readonly commit?: string;
  readonly files: number;
  readonly lines: number;
  readonly masked_lines: number;
  readonly masked_in?: Readonly<Record<string, number>>;
}

const repositories: RepositoryScore[] = [];
for (const folder of args.filter((arg, index) => !arg.startsWith("--") && !isValue(index))) {
  const name = basename(folder).replace("+", "/");
  const { files, lines, changed } = maskFolder(folder);
  console.log(`${name}: ${lines} lines of ${files} files, ${changed.length} masked`);
  if (showsLines) for (const one of changed) console.log(shownLine(one));
  const commit = commits.get(name);
  repositories.push({
    name,
    ...(commit !== undefined && { commit }),
    files,
    lines,
    masked_lines: changed.length,
    ...(changed.length > 0 && { masked_in: countByFile(changed) }),
  });
}
const total = (of: "lines" | "masked_lines"): number => repositories.reduce((sum, one) => sum + one[of], 0);
const score = { repositories, lines: total("lines"), masked_lines: total("masked_lines") };
if (out === undefined) console.log(`${score.lines} lines, ${score.masked_lines} masked`);
else writeFileSync(out, `${JSON.stringify(score, null, 2)}\n`);

function optionOf(name: string): string | undefined {
  const at = args.indexOf(name);
  return at < 0 ? undefined : args[at + 1];
}

function isValue(index: number): boolean {
  return ["--write", "--commits"].includes(args[index - 1] ?? "");
}

function countByFile(changed: readonly ChangedLine[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { path } of changed) counts[path] = (counts[path] ?? 0) + 1;
  return counts;
}

/** Returns the part of the line around the masked text. */
function shownLine({ path, line, before, after }: ChangedLine): string {
  let from = 0;
  while (from < before.length && before[from] === after[from]) from++;
  return `  ${path}:${line}: ${before.slice(Math.max(0, from - 60), from + 100)} -> ${after.slice(Math.max(0, from - 20), from + 40)}`;
}
