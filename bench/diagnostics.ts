/** Measures the throughput of the diagnostics engine in megabytes per second on one core, with all tools registered. */
import { readdirSync, readFileSync } from "node:fs";
import { createEngine, parseText } from "../src/diagnostics/engine/engine.ts";
import { buildTools } from "../src/diagnostics/registry/build-tools.ts";
import { GROWING } from "./report/doubling.ts";
import { report, sampleOf } from "./report/section.ts";
import type { Figure } from "./report/section.ts";
import { growthsOf } from "./report/tool-growth.ts";

const MEGABYTE = 1024 * 1024;
const SIZE = 32 * MEGABYTE;
const ROUNDS = 5;

const WORDS = "the server reads each request from its queue and writes one line of plain text for it".split(
  " ",
);

/** Generates text like a program's log, with words, numbers and times but no diagnostics. */
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

/** Repeats the fixtures of all tools, so that every parser is active. It must run from the project's root. */
function mixedLog(bytes: number): string {
  const root = "test/fixtures";
  const all = readdirSync(root, { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".txt"))
    .sort()
    .map((file) => readFileSync(`${root}/${file}`, "utf8"))
    .join("\n");
  return all.repeat(Math.ceil(bytes / Math.max(1, all.length))).slice(0, bytes);
}

/** Measures processor time, which does not depend on what else the machine does. */
function secondsOf(work: () => void): number {
  const start = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1_000_000;
}

function measure(what: string, text: string, atLeast?: number): Figure {
  const bytes = Buffer.from(text);
  const speeds = Array.from({ length: ROUNDS }, () => {
    const engine = createEngine();
    const seconds = secondsOf(() => {
      for (let from = 0; from < bytes.length; from += 65_536)
        engine.write(bytes.subarray(from, from + 65_536));
      engine.end();
    });
    return bytes.length / MEGABYTE / seconds;
  });
  const plain = Array.from({ length: ROUNDS }, () => {
    let found = 0;
    const seconds = secondsOf(() => {
      for (const line of bytes.toString().split("\n")) if (/\b(?:error|fail)/i.test(line)) found++;
    });
    return found < 0 ? 0 : bytes.length / MEGABYTE / seconds;
  });
  return {
    what,
    unit: "MB/s",
    pith: sampleOf(speeds),
    other: { name: "one regular expression a line", sample: sampleOf(plain) },
    ...(atLeast === undefined ? {} : { atLeast }),
  };
}

/** Returns how much longer twice the input takes, as the median of several measurements. */
function growthOf(make: (n: number) => string): number {
  const seconds = (n: number): number => secondsOf(() => parseText(make(n)));
  seconds(1_000);
  return sampleOf(Array.from({ length: 3 }, () => seconds(8_000) / Math.max(0.001, seconds(4_000)))).median;
}

/** Times that twice the input takes: 2 is linear, 4 is quadratic. The limit leaves room for a noisy machine. */
function growth(): Figure {
  const values = Object.entries(GROWING).map(([what, make]) => ({ what, times: growthOf(make) }));
  for (const { what, times } of values) console.log(`  ${what}: ${times.toFixed(2)}`);
  const worst = values.reduce((one, other) => (one.times > other.times ? one : other));
  return {
    what: `twice the input, worst of ${values.length} kinds`,
    unit: "times",
    pith: sampleOf([worst.times]),
    atMost: 3,
    note: worst.what,
  };
}

/** The same for each parser alone, with its own lines made longer or repeated. Inputs that take no measurable time are left out. */
function toolGrowth(): Figure {
  const values = buildTools
    .flatMap((tool) => [...growthsOf(tool)])
    .sort((one, other) => other.times - one.times);
  for (const { what, times } of values.slice(0, 10)) console.log(`  ${what}: ${times.toFixed(2)}`);
  return {
    what: `twice the input of one tool's parser, worst of ${values.length} slow ones`,
    unit: "times",
    pith: sampleOf([values[0]?.times ?? 2]),
    atMost: 3,
    ...(values[0] === undefined ? {} : { note: values[0].what }),
  };
}

createEngine().write(Buffer.from(plainLog(8 * MEGABYTE)));
report({
  title: "Reading build output",
  about: `Output through the whole engine with all ${buildTools.length} tools registered, in MB a second of processor time, beside a single search for \`error|fail\` over the same lines. More is better.`,
  figures: [
    measure("plain log", plainLog(SIZE), 20),
    measure("every tool's output at once", mixedLog(SIZE / 4)),
    growth(),
    toolGrowth(),
  ],
});
