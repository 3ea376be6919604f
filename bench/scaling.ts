/** Measures how the index scales with the tree: 1,000, 10,000 and 100,000 generated files. PITH_BENCH_FILES sets other sizes. */
import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { rgPath } from "@vscode/ripgrep";
import { createCodeIndex } from "../src/index/service.ts";
import type { CodeIndex } from "../src/index/service.ts";
import { createLogger } from "../src/kernel/logger.ts";
import { discardIndexStore, openIndexStore } from "../src/storage/sqlite/index-store.ts";
import { report, sampleOf } from "./report/section.ts";
import type { Figure } from "./report/section.ts";

const SIZES = (process.env["PITH_BENCH_FILES"] ?? "1000,10000,100000").split(",").map(Number);
const ROUNDS = 15;
const ASK = { limit: 10, offset: 0, level: "signature", policy: "balanced" } as const;

const folder = mkdtempSync(join(tmpdir(), "pith-bench-scaling-"));
const figures: Figure[] = [];
try {
  for (const size of SIZES) figures.push(...(await measure(size)));
  report({
    title: "Scaling",
    about:
      "Generated TypeScript repositories, 30 lines a file. A lookup by name is beside `rg -w` for the same name, a question right after an edit beside `git status`, which has to see the same edit, and the first index beside `ctags -R`.",
    figures,
  });
} finally {
  rmSync(folder, { recursive: true, force: true });
}

async function measure(files: number): Promise<Figure[]> {
  const root = join(folder, `tree${files}`);
  const database = join(folder, `index${files}.db`);
  makeTree(root, files);
  const index = open(database);
  try {
    const first = await secondsOf(() => index.index({ root }));
    const ctags = spawnSync("ctags", ["--version"]).status === 0;
    const tags = ctags
      ? await secondsOf(() => execFileSync("ctags", ["-R", "-f", join(folder, "tags"), root]))
      : 0;
    const name = (round: number): string => `load_part_${(round * 7_919) % files}`;
    await index.locate({ ...ASK, root, name: name(0) });
    const [found, grepped, edited, status]: [number[], number[], number[], number[]] = [[], [], [], []];
    for (let round = 1; round <= ROUNDS; round++) {
      found.push(await msOf(() => index.locate({ ...ASK, root, name: name(round) })));
      grepped.push(await msOf(() => execFileSync(rgPath, ["-n", "-w", name(round), "."], { cwd: root })));
      writeFileSync(join(root, "edited.ts"), `export function edited_${round}(): void {}\n`);
      status.push(await msOf(() => execFileSync("git", ["status", "--porcelain"], { cwd: root })));
      edited.push(await msOf(() => expectFound(index, root, `edited_${round}`)));
    }
    const label = `${files.toLocaleString("en-US")} files`;
    return [
      {
        what: `first index, ${label}`,
        unit: "s",
        pith: sampleOf([first]),
        other: ctags
          ? { name: "ctags -R", sample: sampleOf([tags]) }
          : { name: "ctags -R", missing: "not on this machine" },
        note: `${(statSync(database).size / 1e6).toFixed(0)} MB on disk`,
      },
      {
        what: `lookup by name, ${label}`,
        unit: "ms",
        pith: sampleOf(found),
        other: { name: "rg -w", sample: sampleOf(grepped) },
      },
      {
        what: `question after an edit, ${label}`,
        unit: "ms",
        pith: sampleOf(edited),
        other: { name: "git status", sample: sampleOf(status) },
      },
    ];
  } finally {
    await index.close();
    rmSync(root, { recursive: true, force: true });
  }
}

async function expectFound(index: CodeIndex, root: string, name: string): Promise<void> {
  const { hits, ...rest } = await index.locate({ ...ASK, root, name });
  if (hits.length !== 1) throw new Error(`${name} was not seen: ${JSON.stringify(rest).slice(0, 500)}`);
}

function makeTree(root: string, files: number): void {
  for (let i = 0; i < files; i++) {
    const place = join(root, `area${Math.floor(i / 1_000)}`, `part${Math.floor(i / 50) % 20}`);
    if (i % 50 === 0) mkdirSync(place, { recursive: true });
    const bodies = Array.from(
      { length: 4 },
      (_, j) =>
        `/** Step ${j} of part ${i}. */\nexport function step_${j}_of_${i}(value: number): number {\n  const bound = value * ${(i * 31 + j) % 977};\n  return bound > 10 ? bound : load_part_${i}(bound);\n}\n`,
    );
    const text = `import { log } from "../log.ts";\n\nexport function load_part_${i}(input: number): number {\n  log(input);\n  return input + ${i};\n}\n\n${bodies.join("\n")}`;
    writeFileSync(join(place, `file${i}.ts`), text);
  }
  const git = (...args: string[]) =>
    execFileSync("git", ["-c", "user.name=b", "-c", "user.email=b@example.com", ...args], { cwd: root });
  git("init", "-q");
  git("add", "-A");
  git("commit", "-q", "-m", "first");
}

function open(database: string): CodeIndex {
  return createCodeIndex({
    openStore: () => openIndexStore(database),
    discardStore: () => discardIndexStore(database),
    logger: createLogger("error", () => undefined),
    timeBudgetMs: 600_000,
    answerMs: 600_000,
    maxFileBytes: 1_500_000,
    workers: 0,
    prewarm: false,
  });
}

async function msOf(work: () => unknown): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

async function secondsOf(work: () => unknown): Promise<number> {
  return (await msOf(work)) / 1000;
}
