/**
 * Measures what the pool costs a project with dependencies: a job on a worker that installed them before, beside the same command on this
 * machine. Usage: PITH_BENCH_REPOSITORY=/path PITH_BENCH_COMMAND="cargo test" npm run bench -- pool-project. The repository is cloned;
 * PITH_BENCH_SETUP is the command that installs its dependencies locally, and PITH_BENCH_EDIT a file to which a line is added before each
 * run. Without a repository it makes a small one with vitest.
 */
import { execFileSync } from "node:child_process";
import { appendFileSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { call, poolProcesses } from "./load/pool-processes.ts";
import { report, sampleOf } from "./report/section.ts";

const ROUNDS = 7;
const {
  PITH_BENCH_REPOSITORY: repository,
  PITH_BENCH_COMMAND: command = "npx vitest run",
  PITH_BENCH_SETUP: setup = "npm ci --no-audit --no-fund",
  PITH_BENCH_EDIT: edited = "edited.txt",
} = process.env;

const processes = poolProcesses();
try {
  const origin = repository ?? makeProject();
  const workspace = join(processes.folder, "project");
  execFileSync("git", ["clone", "-q", origin, workspace]);
  execFileSync("sh", ["-c", setup], { cwd: workspace, stdio: "ignore" });
  const { url } = await processes.startPostgres();
  await processes.startWorker(url, "bench", 1);
  const [pooled, local] = [
    await processes.startServer(workspace, url),
    await processes.startServer(workspace),
  ];

  const timed = async (client: typeof local): Promise<{ readonly ms: number; readonly reply: string }> => {
    appendFileSync(join(workspace, edited), "\n");
    const started = performance.now();
    const reply = await call(client, "build", {
      action: "exec",
      tool: command,
      timeout_ms: 600_000,
      force: true,
    });
    if (reply["exitCode"] !== 0) throw new Error(JSON.stringify(reply));
    return { ms: performance.now() - started, reply: JSON.stringify(reply["prepared"] ?? null) };
  };
  const first = await timed(pooled);
  console.log(`installed on the worker: ${first.reply}`);
  await timed(local);
  const times: Record<"pooled" | "local", number[]> = { pooled: [], local: [] };
  for (let round = 0; round < ROUNDS; round++) {
    times.local.push((await timed(local)).ms);
    times.pooled.push((await timed(pooled)).ms);
  }
  report({
    title: "A project in the pool",
    about:
      "A worker that has never seen the project installs its dependencies for the first job; further jobs are compared with the same command in the working tree. All on one machine.",
    figures: [
      { what: `the first job: ${command}`, unit: "ms", pith: sampleOf([first.ms]) },
      {
        what: "a further job, after an edit",
        unit: "ms",
        pith: sampleOf(times.pooled),
        other: { name: "the same locally", sample: sampleOf(times.local) },
      },
    ],
  });
} finally {
  await processes.close();
}

/** A package with tests whose runner is installed by npm. */
function makeProject(): string {
  const path = join(processes.folder, "origin");
  mkdirSync(path);
  const write = (name: string, text: string): void => writeFileSync(join(path, name), text);
  const manifest = { name: "cart", version: "1.0.0", private: true, devDependencies: { vitest: "4.1.12" } };
  write("package.json", JSON.stringify(manifest));
  write(".gitignore", "node_modules\n");
  write("sum.js", "export const sum = (...numbers) => numbers.reduce((a, b) => a + b, 0);\n");
  write(
    "sum.test.js",
    'import { expect, test } from "vitest";\nimport { sum } from "./sum.js";\ntest("adds", () => expect(sum(1, 2)).toBe(3));\n',
  );
  const run = (program: string, ...args: string[]) =>
    execFileSync(program, args, { cwd: path, stdio: "ignore" });
  run("npm", "install", "--package-lock-only", "--no-audit", "--no-fund");
  run("git", "init", "-q");
  run("git", "add", "-A");
  run("git", "-c", "user.name=b", "-c", "user.email=b@e", "commit", "-q", "-m", "first");
  return path;
}
