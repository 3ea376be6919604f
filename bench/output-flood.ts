import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { execute } from "../src/exec/execute.ts";
import { LogReader } from "../src/exec/log-reader.ts";
import { planShell } from "../src/runs/plan.ts";
import { RunService } from "../src/runs/service.ts";
import { openRunStore } from "../src/storage/sqlite/run-store.ts";

/**
 * One command that writes a gigabyte: how long, how much memory, and how fast any range of its log is read.
 * PITH_BENCH_BYTES sets another size.
 */
const BYTES = Number(process.env["PITH_BENCH_BYTES"] ?? 1_000_000_000);
const LINE =
  "[12:00:01] module/file.ts: some ordinary line of build output of about a hundred bytes in all, no error";

const folder = await mkdtemp(join(tmpdir(), "pith-bench-"));
const service = new RunService({
  settings: {
    answerMs: 2 ** 31 - 1,
    timeoutMs: 3_600_000,
    maxOutputBytes: 1e11,
    reports: true,
    retention: { count: 50, maxAgeMs: 1e10, maxBytes: 1e12 },
    permissions: { allow: ["*"], ask: [], deny: [] },
    roots: [],
    passEnvironment: ["*"],
  },
  environment: process.env,
  openStore: () => openRunStore(join(folder, "runs")),
  execute,
});
try {
  // Everything that is loaded once is loaded before the first look at the memory.
  await run("echo warm");
  await measure();
} finally {
  await service.close();
  await rm(folder, { recursive: true });
}

function run(script: string) {
  return service.exec({ workspace: folder, cwd: folder, plan: planShell(script) }, { verbosity: "minimal" });
}

async function measure(): Promise<void> {
  const before = process.memoryUsage().rss;
  let peak = before;
  const watch = setInterval(() => {
    peak = Math.max(peak, process.memoryUsage().rss);
  }, 20);
  const started = performance.now();
  const { run: done } = await run(`yes '${LINE}' | head -c ${BYTES}`);
  clearInterval(watch);
  const seconds = (performance.now() - started) / 1000;
  console.log(
    `${done.log.bytes} bytes, ${done.log.lines} lines, ended by ${done.end?.cause} ${done.end?.exitCode ?? ""}`,
  );
  console.log(
    `${seconds.toFixed(1)} s, ${(BYTES / 1e6 / seconds).toFixed(0)} MB/s; memory grew by ${((peak - before) / 1e6).toFixed(0)} MB`,
  );
  const store = await openRunStore(join(folder, "runs"));
  await readRanges(store.logBase({ id: done.id, workspace: folder }), done.log.lines);
  store.close();
}

async function readRanges(base: string, total: number): Promise<void> {
  const reader = await LogReader.open(base);
  const times: number[] = [];
  for (let i = 0; i < 100; i++) {
    const from = 1 + Math.floor((total - 50) * (i / 99));
    const started = performance.now();
    const lines = await reader?.lines({ stream: "both", from, count: 50 });
    times.push(performance.now() - started);
    if (lines?.length !== 50) throw new Error(`range at ${from} has ${lines?.length} lines`);
  }
  await reader?.close();
  times.sort((a, b) => a - b);
  console.log(`50 lines anywhere: median ${times[50]?.toFixed(1)} ms, worst ${times[99]?.toFixed(1)} ms`);
}
