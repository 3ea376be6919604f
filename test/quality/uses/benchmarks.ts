import { existsSync } from "node:fs";
import { join } from "node:path";
import { createTestIndex } from "../../support/code-index.ts";
import { scoreCallGraphs, type CallGraphScore } from "./call-graphs.ts";
import { scoreStackGraphs, type AssertionScore } from "./stack-graphs.ts";

/** A public set of small programs with the truth about them, in one language. */
interface Benchmark {
  readonly name: string;
  readonly commit: string;
  readonly language: string;
}

export type BenchmarkRow = Benchmark & (AssertionScore | CallGraphScore);

const STACK_GRAPHS = { name: "github/stack-graphs", commit: "fcb7705d" };
const PYCG: Benchmark = { name: "vitsalis/PyCG", commit: "8d5dc408", language: "python" };

const BENCHMARKS: readonly Benchmark[] = [
  ...["python", "java", "javascript", "typescript"].map((language) => ({ ...STACK_GRAPHS, language })),
  PYCG,
];

interface BenchmarkOptions {
  /** Contains a clone of each repository under its name. */
  readonly folder: string;
  readonly isAsked: (name: string) => boolean;
  readonly last: readonly BenchmarkRow[];
  /** Number of wrong places that are printed per benchmark. */
  readonly missed: number;
}

/** Scores each benchmark that is there; the others keep their last score. */
export async function scoreBenchmarks(options: BenchmarkOptions): Promise<BenchmarkRow[]> {
  const test = createTestIndex();
  const rows: BenchmarkRow[] = [];
  for (const benchmark of BENCHMARKS) {
    const { name, language } = benchmark;
    const root = join(options.folder, name);
    if (!options.isAsked(name) || !existsSync(root)) {
      rows.push(...options.last.filter((row) => row.name === name && row.language === language));
      continue;
    }
    const wrong: string[] = [];
    const tell = (text: string): void => void wrong.push(text);
    const score =
      benchmark === PYCG
        ? await scoreCallGraphs(root, test.index, tell)
        : await scoreStackGraphs(root, language, test.index, tell);
    rows.push({ ...benchmark, ...score });
    console.log(`${name}, ${language}: ${JSON.stringify(score)}`);
    for (const text of wrong.slice(0, options.missed)) console.log(`  ${text}`);
  }
  await test.dispose();
  return rows;
}
