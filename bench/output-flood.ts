import { execFileSync } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { execute } from "../src/exec/execute.ts";
import { LogReader } from "../src/logs/log-reader.ts";
import { planShell } from "../src/runs/plan/plan.ts";
import { RunService } from "../src/runs/service.ts";
import { openRunStore } from "../src/storage/sqlite/run-store.ts";
import { report, sampleOf } from "./report/section.ts";

/**
 * Runs one command that writes a gigabyte and measures the time, the memory, and how fast any range of its log is read. PITH_BENCH_BYTES
 * sets another size.
 */
const BYTES = Number(process.env["PITH_BENCH_BYTES"] ?? 1_000_000_000);
const LINE =
  "[12:00:01] module/file.ts: some ordinary line of build output of about a hundred bytes in all, no error";
/** A range of 50 lines from the middle, after which sed stops reading. */
const MIDDLE = Math.floor(BYTES / (LINE.length + 1) / 2);
const SED_RANGE = `${MIDDLE},${MIDDLE + 49}p;${MIDDLE + 49}q`;

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
    addEnvironment: {},
  },
  environment: process.env,
  openStore: () => openRunStore(join(folder, "runs")),
  execute,
});
try {
  // Loads every module before memory is first measured.
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
  const script = `yes '${LINE}' | head -c ${BYTES}`;
  const toFile = secondsOf(() => execFileSync("sh", ["-c", `${script} > plain.log`], { cwd: folder }));
  const before = process.memoryUsage().rss;
  let peak = before;
  const watch = setInterval(() => {
    peak = Math.max(peak, process.memoryUsage().rss);
  }, 20);
  const started = performance.now();
  const { run: done } = await run(script);
  clearInterval(watch);
  const seconds = (performance.now() - started) / 1000;
  if (done.log.bytes < BYTES) throw new Error(`${done.log.bytes} bytes of ${BYTES} were kept`);
  const store = await openRunStore(join(folder, "runs"));
  const ranges = await readRanges(store.logBase({ id: done.id, workspace: folder }), done.log.lines);
  await store.close();
  const tails = Array.from(
    { length: 10 },
    () => 1000 * secondsOf(() => execFileSync("sed", ["-n", SED_RANGE, join(folder, "plain.log")])),
  );
  report({
    title: "A flood of output",
    about: `One command that prints ${(BYTES / 1e9).toLocaleString("en-US")} GB (${done.log.lines.toLocaleString("en-US")} lines): kept on disk line by line, parsed, masked and indexed, beside the same command into a plain file. Then any 50 lines of it, beside \`sed -n\` at half its length.`,
    figures: [
      {
        what: "run to the end",
        unit: "s",
        pith: sampleOf([seconds]),
        other: { name: "> file", sample: sampleOf([toFile]) },
      },
      { what: "memory grew by", unit: "MB", pith: sampleOf([(peak - before) / 1e6]), atMost: 50 },
      {
        what: "50 lines anywhere",
        unit: "ms",
        pith: sampleOf(ranges),
        other: { name: "sed -n", sample: sampleOf(tails) },
      },
    ],
  });
}

function secondsOf(work: () => unknown): number {
  const started = performance.now();
  work();
  return (performance.now() - started) / 1000;
}

async function readRanges(base: string, total: number): Promise<number[]> {
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
  return times;
}
