/** Writes docs/benchmarks.md and its charts from bench/results.json. */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { plot } from "./plot.ts";
import { amount, promises, ratioOf } from "./section.ts";
import type { Figure, Section } from "./section.ts";

interface Results {
  readonly machine: string;
  readonly date: string;
  readonly sections: Readonly<Record<string, Section & { readonly seconds: number }>>;
}

const root = process.cwd();
const { machine, date, sections } = JSON.parse(
  readFileSync(join(root, "bench/results.json"), "utf8"),
) as Results;
const pictures = join(root, "docs/benchmarks");
rmSync(pictures, { recursive: true, force: true });
mkdirSync(pictures, { recursive: true });

const pages = Object.entries(sections).map(([name, section]) => {
  const picture = plot(section);
  if (picture !== undefined) writeFileSync(join(pictures, `${name}.svg`), picture);
  return [
    `## ${section.title}`,
    "",
    section.about,
    "",
    ...(picture === undefined ? [] : [`![${section.title}](benchmarks/${name}.svg)`, ""]),
    "| what | Pith | instead | ratio | promised |",
    "|---|---|---|---|---|",
    ...section.figures.map(row),
    "",
    `\`npm run bench -- ${name}\``,
    "",
  ].join("\n");
});

writeFileSync(
  join(root, "docs/benchmarks.md"),
  [
    "# Benchmarks",
    "",
    "Written by `npm run bench`, which runs every section on your machine: Pith and what it is compared with take turns in one run, so",
    "the ratios hold where the absolute figures do not. A figure is the median of its rounds, with the spread of the middle four fifths",
    "in brackets. What is not installed is named as missing; `npm run bench -- --install-peers` gets what npm has.",
    "",
    `This page: ${machine}, ${date}. The same as data: [bench/results.json](../bench/results.json).`,
    "",
    ...pages,
  ].join("\n"),
);

function row(figure: Figure): string {
  const { what, unit, pith, other, note } = figure;
  const ratio = ratioOf(figure);
  const cells = [
    note === undefined ? what : `${what} (${note})`,
    amount(pith, unit),
    other === undefined
      ? ""
      : "missing" in other
        ? `${other.name}: missing, ${other.missing}`
        : `${other.name}: ${amount(other.sample, unit)}`,
    ratio === undefined ? "" : ratio.toFixed(2),
    promises(figure).join(", "),
  ];
  return `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`;
}
