/** Compares the search service with plain ripgrep on the same generated tree, alternating runs of both. */
import { mkdir, mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { rgPath } from "@vscode/ripgrep";
import { runProcess } from "../src/exec/run-process.ts";
import type { GrepOutput } from "../src/model/grep-result.ts";
import { grep } from "../src/workspace/grep/grep.ts";
import { createJail } from "../src/workspace/jail.ts";
import { report, sampleOf } from "./report/section.ts";
import type { Figure } from "./report/section.ts";

const FILES = 6_000;
const ROUNDS = 25;
const WARM_UP = 3;
/** The ripgrep option that a person would type for each output. */
const PLAIN = { lines: "-n", files: "-l", count: "-c" } as const;

const root = await realpath(await mkdtemp(join(tmpdir(), "pith-bench-grep-")));
try {
  await makeTree();
  report({
    title: "grep",
    about: `The service behind \`grep\`, reply cut to its limits and all, and plain \`rg\`, over ${FILES.toLocaleString("en-US")} generated files.`,
    figures: [
      await compare("nothing found", "no_such_name_anywhere", "lines"),
      await compare("one match", "marker_4242\\b", "lines"),
      await compare("some hundred matches", "name_1\\d\\d\\b", "lines"),
      await compare("every line", "return", "lines"),
      await compare("every file", "return", "files"),
      await compare("count of every file", "e", "count"),
    ],
  });
} finally {
  await rm(root, { recursive: true, force: true });
}

async function makeTree(): Promise<void> {
  let seed = 7;
  const next = (below: number) => {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
    return seed % below;
  };
  for (let folder = 0; folder < FILES / 50; folder++) {
    await mkdir(join(root, `folder${folder}`));
    for (let i = 0; i < 50; i++) {
      const lines = Array.from(
        { length: 20 + next(300) },
        () => `  return name_${next(25_000)}(value_${next(100)});`,
      );
      const text = `// marker_${folder * 50 + i}\n${lines.join("\n")}\n`;
      await writeFile(join(root, `folder${folder}`, `file${i}.ts`), text);
    }
  }
}

async function compare(name: string, pattern: string, output: GrepOutput): Promise<Figure> {
  const target = await createJail([root]).resolve(".", root);
  const ours: number[] = [];
  const plain: number[] = [];
  for (let round = -WARM_UP; round < ROUNDS; round++) {
    const other = await timed(() =>
      runProcess([rgPath, "--no-config", PLAIN[output], "-e", pattern, "./"], { cwd: root, maxBytes: 1e9 }),
    );
    const own = await timed(() => grep(target, { patterns: [pattern], output }));
    if (round < 0) continue;
    plain.push(other);
    ours.push(own);
  }
  return {
    what: name,
    unit: "ms",
    pith: sampleOf(ours),
    other: { name: "rg", sample: sampleOf(plain) },
    allowed: 1.3,
  };
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}
