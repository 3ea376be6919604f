import { existsSync, readdirSync, readFileSync } from "node:fs";
import { parserOf } from "../../src/diagnostics/formats/format-parser.ts";
import { probeSink } from "../../src/diagnostics/parsing/probe-sink.ts";
import type { BuildTool } from "../../src/diagnostics/tool.ts";

/** An input for one tool that took more than proportionally longer when it was made twice as long. */
export interface Growth {
  readonly what: string;
  readonly times: number;
}

const SINK = probeSink(() => undefined);
/** Texts that patterns repeat; each is repeated inside a line, because two patterns side by side may both match it. */
const RUNS = ["a", " ", "0", ":", "/", "-", ".", "(", "[", "a ", "a.", "a/", "a:", "at ", "─", "1,"];
const LINE_LENGTH = 8_192;
const REPETITIONS = 2_000;
/** Shorter times are noise. A linear parser needs far less for these inputs. */
const NOISE_MS = 4;
const MAX_SHAPES = 25;
const MAX_POSITIONS = 5;

/** Lines of a tool's fixtures that differ in more than words and numbers, each with the lines above it. */
function shapesOf(tool: BuildTool): { readonly before: readonly string[]; readonly line: string }[] {
  const folder = `test/fixtures/${tool.id}`;
  if (!existsSync(folder)) return [];
  const shapes = new Map<string, { before: readonly string[]; line: string }>();
  for (const name of readdirSync(folder).filter((file) => file.endsWith(".txt"))) {
    const lines = readFileSync(`${folder}/${name}`, "utf8").split(/\r?\n/).slice(0, 200);
    for (const [at, line] of lines.entries()) {
      const shape = line
        .replaceAll(/\d+/g, "0")
        .replaceAll(/[a-z]+/gi, "a")
        .slice(0, 40);
      if (line.trim() === "" || line.length > 400 || shapes.has(shape)) continue;
      if (shapes.size < MAX_SHAPES)
        shapes.set(shape, { before: lines.slice(Math.max(0, at - 12), at), line });
    }
  }
  return [...shapes.values()];
}

/** Returns the positions between the words and signs of a line, a few at its start and at its end. */
function positionsOf(line: string): number[] {
  const words = [...line.matchAll(/[\s:()[\]"'─│/]+/g)];
  const all = new Set([
    0,
    ...words.flatMap(({ index, 0: { length } }) => [index, index + length]),
    line.length,
  ]);
  const sorted = [...all].sort((one, other) => one - other);
  return sorted.length <= MAX_POSITIONS ? sorted : [...sorted.slice(0, 3), ...sorted.slice(-2)];
}

function millisecondsOf(tool: BuildTool, before: readonly string[], lines: readonly string[]): number {
  const parser = parserOf(tool, SINK);
  if (parser === undefined) return 0;
  for (const text of before) parser.take({ text, number: 1, stream: "stdout" });
  const start = process.cpuUsage();
  for (const text of lines) parser.take({ text, number: 2, stream: "stdout" });
  parser.end();
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1_000;
}

/** Measures an input of size 1 and 2; the smallest of several times, because other load only adds to them. */
function growthOf(measure: (size: 1 | 2) => number): number {
  if (measure(1) < NOISE_MS) return 0;
  const least = (size: 1 | 2): number => Math.min(...Array.from({ length: 4 }, () => measure(size)));
  const one = least(1);
  return one < NOISE_MS ? 0 : least(2) / one;
}

/** Returns how the time of a tool's parser grows with long lines and with many equal lines, the worst of each line. */
export function* growthsOf(tool: BuildTool): Generator<Growth> {
  for (const { before, line } of shapesOf(tool)) {
    const many = growthOf((size) =>
      millisecondsOf(
        tool,
        before,
        Array.from({ length: REPETITIONS * size }, () => line),
      ),
    );
    if (many > 0) yield { what: `${tool.id}: many of ${JSON.stringify(line.slice(0, 80))}`, times: many };
    for (const at of positionsOf(line))
      for (const run of RUNS) {
        const long = (size: number): string =>
          line.slice(0, at) + run.repeat((LINE_LENGTH * size) / run.length) + line.slice(at);
        const times = growthOf((size) => millisecondsOf(tool, before, [long(size)]));
        if (times > 0)
          yield {
            what: `${tool.id}: ${JSON.stringify(run)} at ${at} of ${JSON.stringify(line.slice(0, 80))}`,
            times,
          };
      }
  }
}
