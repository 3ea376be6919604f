/** Megabytes a second of plain text through the whole engine, all tools registered, on one core. */
import { readdirSync, readFileSync } from "node:fs";
import { createEngine } from "../src/diagnostics/engine.ts";
import { buildTools } from "../src/diagnostics/registry.ts";

const MEGABYTE = 1024 * 1024;
const SIZE = 64 * MEGABYTE;

const WORDS = "the server reads each request from its queue and writes one line of plain text for it".split(
  " ",
);

/** Text as a program's log has it: words, numbers, times; no diagnostics. */
function plainLog(bytes: number): string {
  let seed = 1;
  const lines: string[] = [];
  for (let size = 0; size < bytes;) {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
    const start = seed % WORDS.length;
    const line = `request ${seed} ${WORDS.slice(start).join(" ")} took ${seed % 977} ms`;
    lines.push(line);
    size += line.length + 1;
  }
  return `${lines.join("\n")}\n`;
}

/** All fixtures of all tools, over and over: every parser is at work at once. Run from the project's root. */
function mixedLog(bytes: number): string {
  const root = "src/diagnostics/tools";
  const all = readdirSync(root, { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".txt"))
    .sort()
    .map((file) => readFileSync(`${root}/${file}`, "utf8"))
    .join("\n");
  return all.repeat(Math.ceil(bytes / Math.max(1, all.length))).slice(0, bytes);
}

function measure(name: string, text: string): void {
  const bytes = Buffer.from(text);
  const engine = createEngine();
  const before = process.memoryUsage().rss;
  const start = process.cpuUsage();
  for (let from = 0; from < bytes.length; from += 65_536) engine.write(bytes.subarray(from, from + 65_536));
  const result = engine.end();
  // Processor time: what one core needs, whatever else the machine does.
  const { user, system } = process.cpuUsage(start);
  const seconds = (user + system) / 1_000_000;
  const grown = Math.round((process.memoryUsage().rss - before) / MEGABYTE);
  const speed = (bytes.length / MEGABYTE / seconds).toFixed(1);
  console.log(
    `${name}: ${speed} MB/s, ${result.lines} lines, ${result.counts.error} errors, memory +${grown} MB`,
  );
}

console.log(`${buildTools.length} tools registered`);
measure("plain text, warm-up", plainLog(8 * MEGABYTE));
measure("plain text", plainLog(SIZE));
measure("mixed fixtures", mixedLog(SIZE / 4));
