import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { execute } from "../src/exec/execute.ts";
import { LogReader } from "../src/exec/log-reader.ts";
import { LogWriter } from "../src/exec/log-writer.ts";

/**
 * One command that writes a gigabyte: how long, how much memory, and how fast any range of its log is read.
 * PITH_BENCH_BYTES sets another size.
 */
const BYTES = Number(process.env["PITH_BENCH_BYTES"] ?? 1_000_000_000);
const LINE = "src/module/file.ts:120:14 some ordinary line of build output of about a hundred bytes in all\n";

const folder = await mkdtemp(join(tmpdir(), "pith-bench-"));
try {
  await measure(join(folder, "log"));
} finally {
  await rm(folder, { recursive: true });
}

async function measure(base: string): Promise<void> {
  const before = process.memoryUsage().rss;
  let peak = before;
  const watch = setInterval(() => {
    peak = Math.max(peak, process.memoryUsage().rss);
  }, 20);
  const writer = await LogWriter.create(base);
  const started = performance.now();
  const end = await execute(
    {
      argv: ["sh", "-c", `yes '${LINE.trimEnd()}' | head -c ${BYTES}`],
      cwd: folder,
      env: { PATH: process.env["PATH"] ?? "" },
    },
    { id: "bench", onOutput: (stream, chunk) => writer.write(stream, chunk) },
  );
  const totals = await writer.end();
  clearInterval(watch);
  const seconds = (performance.now() - started) / 1000;
  console.log(`${totals.bytes} bytes, ${totals.lines} lines, ended by ${end.cause} ${end.exitCode ?? ""}`);
  console.log(
    `${seconds.toFixed(1)} s, ${(BYTES / 1e6 / seconds).toFixed(0)} MB/s; memory grew by ${((peak - before) / 1e6).toFixed(0)} MB`,
  );
  await readRanges(base, totals.lines);
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
