/**
 * Measures how many definitions found by reference programs are in the outlines: node scripts/score-outlines.mjs
 * FOLDER…
 */
import { readFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { languageOf } from "../../../src/languages/detect.ts";
import { outlineOf } from "../../../src/languages/outline.ts";
import type { CodeSymbol } from "../../../src/model/symbol.ts";
import { scoreBroken } from "./broken.ts";
import { compare, type Comparison } from "./compare.ts";
import { ctagsTruth } from "./ctags.ts";
import { sourceFiles } from "./files.ts";
import { indentedTruth } from "./indented.ts";
import { pythonTruth } from "./python-ast.ts";
import { type Truth, type TruthByFile, truthFrom } from "./truth.ts";
import { typescriptTruth } from "./typescript-ast.ts";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    language: { type: "string" },
    /** Folder that contains `node_modules/typescript`, version 5. */
    typescript: { type: "string" },
    /** Output of another program, in the format of `truthFrom`. */
    truth: { type: "string" },
    /** Number of missed and of unexpected symbols to print. */
    missed: { type: "string", default: "0" },
    invented: { type: "string", default: "0" },
    kind: { type: "string" },
    /** Upper bound on files per language and folder. */
    files: { type: "string", default: "400" },
    /** Damages the files and measures how much of their outlines remains. */
    broken: { type: "boolean", default: false },
  },
});

const byLanguage = new Map<string, string[]>();
for (const folder of positionals)
  for (const [language, files] of sourceFiles(folder, Number(values.files)))
    byLanguage.set(language, [...(byLanguage.get(language) ?? []), ...files]);

if (!values.broken)
  console.log("language     truth        files  asked  found  recall   ours  unknown  share");
for (const [language, files] of [...byLanguage].sort(([a], [b]) => (a < b ? -1 : 1)))
  if (values.language === undefined || values.language === language)
    await (values.broken ? broken : score)(language, files);

async function broken(language: string, files: readonly string[]): Promise<void> {
  const share = (kept: number, all: number) =>
    `${((100 * kept) / Math.max(1, all)).toFixed(1)} %`.padStart(8);
  for (const [damage, kept] of await scoreBroken(
    spread(files, Number(values.files)),
    language,
    [0.31, 0.52, 0.68],
  )) {
    const above = share(kept.aboveKept, kept.above);
    const below = share(kept.belowKept, kept.below);
    console.log(
      `${language.padEnd(12)} ${damage.padEnd(14)} above ${above}  below ${below}  added ${share(kept.added, kept.aboveKept + kept.belowKept)}`,
    );
    const worst = [...kept.worst].sort((a, b) => b.lost - a.lost).slice(0, Number(values.missed));
    for (const { file, line, lost } of worst) console.log(`  lost ${lost}  ${file}:${line}`);
  }
}

async function score(language: string, files: readonly string[]): Promise<void> {
  const truths = truthsOf(files, language);
  if (truths.length === 0) return;
  const outlines = new Map<string, readonly CodeSymbol[]>();
  for (const file of files) {
    const text = readFileSync(file, "utf8");
    const outline = await outlineOf(text, languageOf(file, text.split("\n", 1)[0])?.id ?? "");
    outlines.set(file, outline.symbols);
  }
  for (const [name, truth] of truths) print(language, name, compare(outlines, truth));
}

function truthsOf(files: readonly string[], language: string): [string, TruthByFile][] {
  const found: [string, TruthByFile][] = [];
  if (values.truth !== undefined)
    return [["file", only(truthFrom(readFileSync(values.truth, "utf8")), files)]];
  const isScript = /^(?:typescript|tsx|javascript)$/u.test(language);
  const compiler =
    isScript && values.typescript !== undefined ? typescriptTruth(files, values.typescript) : undefined;
  const ctags = ctagsTruth(files, language);
  if (ctags !== undefined) found.push(["ctags", compiler === undefined ? ctags : confirmed(ctags, compiler)]);
  if (language === "swift" || language === "scala")
    found.push(["lines", withLocalsOptional(indentedTruth(files, language))]);
  if (language === "python") found.push(["ast", pythonTruth(files)]);
  if (compiler !== undefined) found.push(["typescript", compiler]);
  return found;
}

/** Marks definitions inside functions as optional. */
function withLocalsOptional(truth: TruthByFile): TruthByFile {
  return new Map(
    Array.from(truth, ([file, found]) => [
      file,
      found.map((one) => ({ ...one, isOptional: one.isLocal === true })),
    ]),
  );
}

function only(truth: TruthByFile, files: readonly string[]): TruthByFile {
  return new Map(
    files.flatMap((file) => {
      const found = truth.get(file);
      return found === undefined ? [] : [[file, found] as const];
    }),
  );
}

/** Removes tags of ctags that the compiler knows to be local, or does not know at all. */
function confirmed(ctags: TruthByFile, compiler: TruthByFile): TruthByFile {
  const result = new Map<string, Truth[]>();
  for (const [file, found] of ctags) {
    const known = compiler.get(file);
    if (known === undefined) continue;
    const local = new Set(
      known.flatMap(({ name, line, isOptional }) => (isOptional === true ? [`${line} ${name}`] : [])),
    );
    const asked = new Set(
      known.flatMap(({ name, line, isOptional }) => (isOptional === true ? [] : [`${line} ${name}`])),
    );
    result.set(
      file,
      found.map((truth) => {
        const key = `${truth.line} ${truth.name}`;
        const isOptional =
          truth.isOptional === true || (!asked.has(key) && (local.has(key) || truth.kind !== "method"));
        return { ...truth, isOptional };
      }),
    );
  }
  return result;
}

function print(language: string, truth: string, { files, asked, missed, ours, unknown }: Comparison): void {
  const found = asked - missed.length;
  const cells = [
    language.padEnd(12),
    truth.padEnd(10),
    String(files).padStart(7),
    String(asked).padStart(7),
    String(found).padStart(7),
    `${((100 * found) / Math.max(1, asked)).toFixed(2)} %`.padStart(8),
    String(ours).padStart(7),
    String(unknown.length).padStart(8),
    `${((100 * unknown.length) / Math.max(1, ours)).toFixed(2)} %`.padStart(8),
  ];
  console.log(cells.join(" "));
  const wanted = (list: Comparison["missed"]) =>
    values.kind === undefined ? list : list.filter(({ kind }) => kind === values.kind);
  for (const { file, line, kind, name } of spread(wanted(missed), Number(values.missed)))
    console.log(`  missed  ${kind} ${name}  ${file}:${line}`);
  for (const { file, line, kind, name } of spread(wanted(unknown), Number(values.invented)))
    console.log(`  unknown ${kind} ${name}  ${file}:${line}`);
}

/** Returns `count` evenly spaced items of a list. */
function spread<T>(list: readonly T[], count: number): T[] {
  const step = Math.max(1, list.length / Math.max(1, count));
  return Array.from({ length: Math.min(count, list.length) }, (_, n) => list[Math.floor(n * step)]).flatMap(
    (one) => (one === undefined ? [] : [one]),
  );
}
