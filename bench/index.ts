/**
 * Compares the code index with `ctags -R` and ripgrep in one run: first index, second worktree, queries, memory. Usage: npm run bench --
 * index; PITH_BENCH_REPOSITORY names a repository other than this one.
 */
import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join, resolve } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { rgPath } from "@vscode/ripgrep";
import { createCodeIndex, type CodeIndex } from "../src/index/service.ts";
import { createLogger } from "../src/kernel/logger.ts";
import { discardIndexStore, openIndexStore } from "../src/storage/sqlite/index-store.ts";
import { report, sampleOf } from "./report/section.ts";
import type { Figure } from "./report/section.ts";

const repository = resolve(process.env["PITH_BENCH_REPOSITORY"] ?? ".");
const data = mkdtempSync(join(tmpdir(), "pith-bench-"));
const database = join(data, "index.db");
const tree = join(data, "tree");

interface Cost {
  readonly wall: number;
  readonly cpu: number;
}

async function costOf(work: () => Promise<unknown>): Promise<Cost> {
  const cpu = process.cpuUsage();
  const start = performance.now();
  await work();
  const used = process.cpuUsage(cpu);
  return { wall: performance.now() - start, cpu: (used.user + used.system) / 1_000 };
}

function childCost(command: string, args: readonly string[]): Cost & { found: boolean } {
  const start = performance.now();
  // The output goes through a pipe, because ripgrep stops at the first match if its stdout is /dev/null.
  const result = spawnSync("sh", ["-c", `"$0" "$@" 2>&1 | cat >/dev/null; times`, command, ...args], {
    cwd: tree,
    encoding: "utf8",
  });
  // `times` prints user and system time of the shell's children on its second line.
  const spent = [...(result.stdout.split("\n")[1] ?? "").matchAll(/(\d+)m([\d.]+)s/g)];
  const cpu = spent.reduce(
    (sum, [, minutes, seconds]) => sum + Number(minutes) * 60_000 + Number(seconds) * 1_000,
    0,
  );
  const wall = performance.now() - start;
  return { wall, cpu, found: spawnSync(command, ["--version"]).status === 0 };
}

function open(): CodeIndex {
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

const ASK = { limit: 10, offset: 0, level: "signature", policy: "balanced" } as const;
const QUESTIONS = [
  "parse arguments",
  "how is the cache invalidated",
  "read a file",
  "error handling",
  "start the server",
  "test runner configuration",
  "encode json",
  "open a connection",
  "format output",
  "validate input",
];

function percentile(times: readonly number[], share: number): number {
  const sorted = times.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
}

async function timesOf(
  rounds: number,
  questions: readonly string[],
  ask: (question: string) => Promise<unknown>,
): Promise<number[]> {
  const times: number[] = [];
  for (let round = 0; round < rounds; round++)
    for (const question of questions) {
      const { wall } = await costOf(() => ask(question));
      if (round > 0) times.push(wall);
    }
  return times;
}

function sizeOf(folder: string): number {
  let size = 0;
  for (const name of readdirSync(folder, { recursive: true, encoding: "utf8" })) {
    if (name.startsWith(".git/")) continue;
    const stats = statSync(join(folder, name), { throwIfNoEntry: false });
    if (stats?.isFile() === true) size += stats.size;
  }
  return size;
}

/** The size of the database without its journal, which is merged into it from time to time. */
function storeSize(): number {
  return statSync(database).size;
}

/** Checks out an older commit and returns to HEAD, so that every blob is known already. Undefined if the history is too short. */
async function returnToCommit(index: CodeIndex): Promise<Cost | undefined> {
  const git = (...args: string[]) => spawnSync("git", args, { cwd: tree, encoding: "utf8" });
  if (git("checkout", "-q", "HEAD~50").status !== 0) return undefined;
  await index.index({ root: tree });
  git("checkout", "-q", "-");
  return costOf(() => index.search({ ...ASK, root: tree, query: "parse arguments" }));
}

/** Long enough for the garbage collections that follow heavy work. */
const IDLE_MS = 20_000;

async function main(): Promise<void> {
  execFileSync("git", ["clone", "-q", "--no-hardlinks", repository, tree]);
  const source = sizeOf(tree);
  const ctags = childCost("ctags", ["-R", "-f", join(data, "tags"), "."]);
  const index = open();
  let files = 0;
  const first = await costOf(async () => {
    files = (await index.index({ root: tree })).files_indexed;
  });
  const size = storeSize();
  await index.search({ ...ASK, root: tree, query: "parse arguments" });
  await delay(IDLE_MS);
  const resting = process.memoryUsage().rss / 1e6;
  const queries = await queryFigures(index);
  const again = await laterFigures(index, first);
  await index.close();
  const fresh = open();
  const warm = await costOf(() => fresh.search({ ...ASK, root: tree, query: "parse arguments" }));
  await fresh.close();
  report({
    title: "The index",
    about: `${process.env["PITH_BENCH_REPOSITORY"] === undefined ? "This repository" : basename(repository)}: ${files.toLocaleString("en-US")} files, ${(source / 1e6).toFixed(1)} MB. PITH_BENCH_REPOSITORY names another.`,
    figures: [
      {
        what: "first index, processor time",
        unit: "ms",
        pith: sampleOf([first.cpu]),
        other: ctags.found
          ? { name: "ctags -R", sample: sampleOf([ctags.cpu]) }
          : { name: "ctags -R", missing: "not on this machine" },
        allowed: 10,
      },
      {
        what: "index on disk",
        unit: "MB",
        pith: sampleOf([size / 1e6]),
        other: { name: "the source", sample: sampleOf([source / 1e6]) },
        allowed: 2,
      },
      { what: "memory at rest", unit: "MB", pith: sampleOf([resting]), atMost: 250 },
      ...queries,
      ...again,
      { what: "first query of a new process", unit: "ms", pith: sampleOf([warm.wall]) },
    ],
  });
}

async function queryFigures(index: CodeIndex): Promise<Figure[]> {
  const search = await timesOf(4, QUESTIONS, (query) => index.search({ ...ASK, root: tree, query }));
  const named = (await index.search({ ...ASK, root: tree, query: "parse", limit: 50 })).hits.flatMap((hit) =>
    hit.name === undefined ? [] : [hit.name],
  );
  const locate = await timesOf(4, named, (name) => index.locate({ ...ASK, root: tree, name }));
  const outline = await timesOf(6, ["x"], () => index.outline({ root: tree, path: firstPath, depth: "top" }));
  const rg = Array.from({ length: 10 }, () => childCost(rgPath, ["-n", "parse", "."]).wall);
  const status = Array.from({ length: 10 }, () => childCost("git", ["status", "--porcelain"]).wall);
  const other = { name: "rg -n", sample: sampleOf(rg) };
  return [
    { what: "search_code, warm", unit: "ms", pith: sampleOf(search), other },
    {
      what: "search_code, 95 of 100 within",
      unit: "ms",
      pith: sampleOf([percentile(search, 0.95)]),
      atMost: 40,
    },
    { what: "locate_symbol, warm", unit: "ms", pith: sampleOf(locate), other },
    {
      what: "locate_symbol, 95 of 100 within",
      unit: "ms",
      pith: sampleOf([percentile(locate, 0.95)]),
      atMost: 10,
    },
    {
      what: "a question when nothing changed",
      unit: "ms",
      pith: sampleOf(outline),
      other: { name: "git status", sample: sampleOf(status) },
      atMost: 30,
    },
  ];
}

async function laterFigures(index: CodeIndex, first: Cost): Promise<Figure[]> {
  const edit = await costOf(async () => {
    writeFileSync(join(tree, "pith_bench_edit.py"), "def pith_bench_edit():\n    pass\n");
    const { hits } = await index.locate({ ...ASK, root: tree, name: "pith_bench_edit" });
    if (hits.length !== 1) throw new Error("the edit was not seen");
  });
  const side = join(data, "side");
  execFileSync("git", ["worktree", "add", "-q", "--detach", side], { cwd: tree });
  const unshared = storeSize();
  const second = await costOf(() => index.index({ root: side }));
  const back = await returnToCommit(index);
  const other = { name: "the first index", sample: sampleOf([first.wall]) };
  return [
    { what: "an edit is seen after", unit: "ms", pith: sampleOf([edit.wall]) },
    { what: "a second worktree", unit: "ms", pith: sampleOf([second.wall]), other, atMost: 1_000 },
    {
      what: "a second worktree, on disk",
      unit: "MB",
      pith: sampleOf([(storeSize() - unshared) / 1e6]),
      atMost: 5,
    },
    ...(back === undefined
      ? []
      : [
          {
            what: "back to a commit seen before",
            unit: "ms" as const,
            pith: sampleOf([back.wall]),
            other,
            atMost: 1_000,
          },
        ]),
  ];
}

let firstPath = "";
try {
  firstPath =
    execFileSync("git", ["ls-files"], { cwd: repository, encoding: "utf8", maxBuffer: 1 << 28 })
      .split("\n")
      .find((path) => /\.(?:ts|py|rs|go|c)$/.test(path)) ?? "README.md";
  await main();
} finally {
  rmSync(data, { recursive: true, force: true });
}
