/**
 * The code index beside `ctags -R` and ripgrep, as ratios from one run: first index, second worktree, queries, memory.
 * npm run bench -- index; PITH_BENCH_REPOSITORY names another repository than this one.
 */
import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { createCodeIndex, type CodeIndex } from "../src/index/service.ts";
import { createLogger } from "../src/kernel/logger.ts";
import { discardIndexStore, openIndexStore } from "../src/storage/sqlite/index-store.ts";

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
  const result = spawnSync("sh", ["-c", `"$0" "$@" >/dev/null 2>&1; times`, command, ...args], {
    cwd: tree,
    encoding: "utf8",
  });
  // `times` prints user and system time of the shell's children on its second line.
  const spent = [...(result.stdout.split("\n")[1] ?? "").matchAll(/(\d+)m([\d.]+)s/g)];
  const cpu = spent.reduce(
    (sum, [, minutes, seconds]) => sum + Number(minutes) * 60_000 + Number(seconds) * 1_000,
    0,
  );
  return { wall: performance.now() - start, cpu, found: result.status === 0 };
}

function open(): CodeIndex {
  return createCodeIndex({
    openStore: () => openIndexStore(database),
    discardStore: () => discardIndexStore(database),
    logger: createLogger("error", () => undefined),
    timeBudgetMs: 600_000,
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

function percentile(times: readonly number[], share: number): string {
  const sorted = times.toSorted((a, b) => a - b);
  return (sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0).toFixed(1);
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

/** The database alone: its journal is emptied into it now and then. */
function storeSize(): number {
  return statSync(database).size;
}

/** Away from HEAD, and back to it: every blob was seen before. */
async function returnToCommit(index: CodeIndex): Promise<void> {
  const git = (...args: string[]) => spawnSync("git", args, { cwd: tree, encoding: "utf8" });
  if (git("checkout", "-q", "HEAD~50").status !== 0) return;
  await index.index({ root: tree });
  git("checkout", "-q", "-");
  const back = await costOf(() => index.search({ ...ASK, root: tree, query: "parse arguments" }));
  console.log(`back to a commit seen before: ${back.wall.toFixed(0)} ms, ${back.cpu.toFixed(0)} ms CPU`);
}

const REST_MS = 20_000;

async function main(): Promise<void> {
  execFileSync("git", ["clone", "-q", "--no-hardlinks", repository, tree]);
  const source = sizeOf(tree);
  const ctags = childCost("ctags", ["-R", "-f", join(data, "tags"), "."]);
  const index = open();
  let files = 0;
  const first = await costOf(async () => {
    files = (await index.index({ root: tree })).files_indexed;
  });
  console.log(`${files} files, ${(source / 1e6).toFixed(1)} MB`);
  const ratio = ctags.found
    ? `${(first.cpu / ctags.cpu).toFixed(1)} x ctags -R (${ctags.cpu.toFixed(0)} ms)`
    : "no ctags here";
  console.log(`first index: ${first.cpu.toFixed(0)} ms CPU, ${first.wall.toFixed(0)} ms; ${ratio}`);
  const before = storeSize();
  console.log(`index: ${(before / 1e6).toFixed(1)} MB, ${(before / source).toFixed(2)} x the source`);

  await index.search({ ...ASK, root: tree, query: "parse arguments" });
  // Long enough for the collections that follow much work.
  await delay(REST_MS);
  console.log(`memory at rest: ${(process.memoryUsage().rss / 1e6).toFixed(0)} MB resident`);

  const search = await timesOf(4, QUESTIONS, (query) => index.search({ ...ASK, root: tree, query }));
  console.log(`search_code: p50 ${percentile(search, 0.5)} ms, p95 ${percentile(search, 0.95)} ms`);
  const named = (await index.search({ ...ASK, root: tree, query: "parse", limit: 50 })).hits.flatMap((hit) =>
    hit.name === undefined ? [] : [hit.name],
  );
  const locate = await timesOf(4, named, (name) => index.locate({ ...ASK, root: tree, name }));
  console.log(`locate_symbol: p50 ${percentile(locate, 0.5)} ms, p95 ${percentile(locate, 0.95)} ms`);
  const status = await timesOf(6, ["x"], () => index.outline({ root: tree, path: firstPath, depth: "top" }));
  console.log(`nothing changed: p50 ${percentile(status, 0.5)} ms`);
  const rg = childCost("rg", ["-n", "parse"]);
  if (rg.found)
    console.log(
      `search_code against rg: ${(Number(percentile(search, 0.5)) / rg.wall).toFixed(2)} x the time of one rg (${rg.wall.toFixed(0)} ms)`,
    );

  const edit = await costOf(async () => {
    writeFileSync(join(tree, "pith_bench_edit.py"), "def pith_bench_edit():\n    pass\n");
    const { hits } = await index.locate({ ...ASK, root: tree, name: "pith_bench_edit" });
    if (hits.length !== 1) throw new Error("the edit was not seen");
  });
  console.log(`edit seen after ${edit.wall.toFixed(0)} ms`);

  const side = join(data, "side");
  execFileSync("git", ["worktree", "add", "-q", "--detach", side], { cwd: tree });
  const unshared = storeSize();
  const second = await costOf(() => index.index({ root: side }));
  console.log(
    `second worktree: ${second.wall.toFixed(0)} ms, ${((storeSize() - unshared) / 1e6).toFixed(1)} MB`,
  );
  await returnToCommit(index);
  await index.close();
  const again = open();
  const warm = await costOf(() => again.search({ ...ASK, root: tree, query: "parse arguments" }));
  console.log(`first query of a new process: ${warm.wall.toFixed(0)} ms, ${warm.cpu.toFixed(0)} ms CPU`);
  await again.close();
}

let firstPath = "";
try {
  firstPath =
    execFileSync("git", ["ls-files"], { cwd: repository, encoding: "utf8", maxBuffer: 1 << 28 })
      .split("\n")
      .find((path) => /\.(?:ts|py|js|rs|go|c)$/.test(path)) ?? "README.md";
  await main();
} finally {
  rmSync(data, { recursive: true, force: true });
}
