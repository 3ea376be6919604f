import { describe, expect, it } from "vitest";
import { parserOf } from "../../../src/diagnostics/formats/format-parser.ts";
import { createEngine, parseText } from "../../../src/diagnostics/engine/engine.ts";
import { buildTools } from "../../../src/diagnostics/registry/build-tools.ts";
import type { BuildTool, LineParser } from "../../../src/diagnostics/tool.ts";
import { probeSink } from "../../../src/diagnostics/parsing/probe-sink.ts";
import { fixturesOf } from "../fixtures.ts";

/** Creates a small seeded random generator, which gives the same inputs on every machine. */
function random(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

const nowhere = probeSink(() => undefined);

function hasLineParser(tool: BuildTool): boolean {
  return parserOf(tool, nowhere) !== undefined;
}

function feed(parser: LineParser, lines: readonly string[]): void {
  for (const [index, text] of lines.entries()) parser.take({ text, number: index + 1, stream: "stdout" });
}

/** Returns the lines of a tool's fixtures, at most a few hundred. */
function linesOf(tool: BuildTool): string[] {
  return fixturesOf(tool.id)
    .flatMap((fixture) => fixture.raw.toString("utf8").split(/\r?\n/).slice(0, 150))
    .slice(0, 600);
}

function mutate(line: string, pick: (below: number) => number): string {
  const at = pick(line.length + 1);
  switch (pick(6)) {
    case 0:
      return line.slice(0, at);
    case 1:
      return line.slice(at);
    case 2:
      return line.slice(0, at) + String.fromCharCode(pick(0xffff)) + line.slice(at);
    case 3:
      return line.slice(0, at) + line.slice(0, at);
    case 4:
      return line.replaceAll(/\d+/g, String(pick(2 ** 31) * 4_294_967_296));
    default:
      return line.split("").toReversed().join("");
  }
}

describe("every parser, for any text", () => {
  for (const tool of buildTools.filter(hasLineParser))
    it(`${tool.id} parses damaged output without throwing`, () => {
      const pick = random(tool.id.length * 7 + 1);
      const lines = linesOf(tool);
      for (let round = 0; round < 3; round++) {
        const parser = parserOf(tool, nowhere);
        if (parser === undefined) return;
        feed(
          parser,
          lines.map((line) => (pick(3) === 0 ? mutate(line, pick) : line)).filter(() => pick(10) > 0),
        );
        parser.end();
      }
      const parser = parserOf(tool, nowhere);
      const noise = Array.from({ length: 200 }, () =>
        String.fromCharCode(...Array.from({ length: pick(80) }, () => pick(0x2600))),
      );
      if (parser !== undefined) feed(parser, noise);
      parser?.end();
    });

  for (const tool of buildTools.filter((one) => one.document !== undefined))
    it(`${tool.id} parses damaged documents without throwing`, () => {
      const pick = random(tool.id.length * 11 + 3);
      for (const fixture of fixturesOf(tool.id)) {
        const text = fixture.raw.toString("utf8");
        for (let round = 0; round < 10; round++) {
          const at = pick(text.length);
          const broken =
            pick(2) === 0
              ? text.slice(0, at)
              : text.slice(0, at) + mutate(text.slice(at, at + 40), pick) + text.slice(at + 40);
          tool.document?.matches(broken.slice(0, 2_000));
          expect(typeof tool.document?.parse(broken, nowhere)).toBe("boolean");
        }
        for (const value of [
          "null",
          "[]",
          "{}",
          "[1]",
          '[{"messages":null}]',
          '{"runs":[null,{"results":[{}]}]}',
          "<a/>",
          "<testsuite/>",
        ])
          tool.document?.parse(value, nowhere);
      }
    });
});

/** Long enough to distinguish linear from quadratic time: one step per pair of characters would take minutes. */
const LENGTH = 60_000;
const PIECES = [
  "a",
  " ",
  "(",
  ")",
  ":",
  "1",
  "'",
  '"',
  "`",
  "[",
  "]",
  "{",
  "-",
  ".",
  "/",
  "\\",
  "=",
  "\t",
  "a ",
  "a.",
  "a:",
  "1:",
  "(1",
  "(1,",
  "1,1)",
  ": error ",
  "error: ",
  " at ",
  "at a(",
  "  at a (b:1:1)",
  "a.b.",
  "a::",
  "| ",
  " | ",
  "x/y",
  "- ",
  "✓ ",
  "● ",
  "❯ ",
  "ä",
];

/** Shorter times are not compared; a linear parser stays far below this. */
const NOISE_MS = 25;
/** How often a time is measured, because other load, compilation and collected garbage only add to it. */
const TRIES = 5;
/** Longer times are so much above the noise that one measurement is enough. */
const PLAIN_MS = 500;
/** Where the time grows with the square of the length, a line that is twice as long takes four times as long. */
const MAX_GROWTH = 3;
const MAX_DOUBLINGS = 2;

/** Returns the processor time in milliseconds that the parser needs for one line: the least of several, or one that is noise. */
function cost(tool: BuildTool, before: readonly string[], line: string): number {
  let least = Infinity;
  for (let tries = 0; tries < TRIES && least >= NOISE_MS; tries++) {
    const parser = parserOf(tool, nowhere);
    if (parser === undefined) return 0;
    feed(parser, before);
    const start = process.cpuUsage();
    feed(parser, [line]);
    least = Math.min(least, process.cpuUsage(start).user / 1000);
    if (least > PLAIN_MS) return least;
  }
  return least;
}

/** Fails if the time grows much faster than the length each time that the line is made twice as long. */
function checkLinear(tool: BuildTool, before: readonly string[], grow: (length: number) => string): void {
  if (cost(tool, before, grow(LENGTH)) < NOISE_MS) return;
  let length = LENGTH / 2;
  let shorter = cost(tool, before, grow(length));
  for (let doublings = 0; doublings < MAX_DOUBLINGS; doublings++) {
    length *= 2;
    const longer = cost(tool, before, grow(length));
    if (longer < Math.max(shorter, NOISE_MS / MAX_GROWTH) * MAX_GROWTH) return;
    shorter = longer;
  }
  expect.fail(`not linear: ${JSON.stringify(grow(120).slice(0, 1_000))}`);
}

describe("every parser, for long lines", () => {
  it("is found out if it takes a time that grows with the square of the length", () => {
    const take = ({ text }: { readonly text: string }): boolean => /1{31} (?:1{31} )*!/.test(text);
    const tool: BuildTool = {
      id: "square",
      title: "Square",
      url: "https://example.com",
      ecosystem: "general",
      kinds: ["build"],
      signatures: ["x"],
      parser: () => ({ take, end: () => undefined }),
    };
    expect(() => checkLinear(tool, [], (length) => `${"1".repeat(31)} `.repeat(length / 32))).toThrow(
      "not linear",
    );
    expect(() => checkLinear(tool, [], (length) => `${"2".repeat(31)} `.repeat(length / 32))).not.toThrow();
  });

  for (const tool of buildTools.filter(hasLineParser))
    it(`${tool.id} parses long lines in linear time`, () => {
      for (const piece of PIECES) checkLinear(tool, [], (length) => piece.repeat(length / piece.length));
      const pick = random(tool.id.length * 13 + 5);
      const lines = linesOf(tool);
      for (let round = 0; round < 60; round++) {
        const at = pick(lines.length);
        const line = lines[at] ?? "";
        const from = pick(line.length + 1);
        const piece = line.slice(from, from + 1 + pick(8)) || " ";
        checkLinear(
          tool,
          lines.slice(Math.max(0, at - 60), at),
          (length) => line.slice(0, from) + piece.repeat(length / piece.length) + line.slice(from),
        );
      }
    });
});

describe("the whole engine", () => {
  it("parses lines of a megabyte made of any kind of text", () => {
    const engine = createEngine();
    for (const piece of PIECES) engine.write(`${piece.repeat(1_000_000 / piece.length)}\n`);
    expect(engine.end().lines).toBe(PIECES.length);
  });

  it("parses random bytes", () => {
    const pick = random(42);
    const bytes = Uint8Array.from({ length: 500_000 }, () => pick(256));
    expect(parseText(bytes).faults).toEqual([]);
  });

  it("survives hostile documents", () => {
    const bomb = `<?xml version="1.0"?><!DOCTYPE a [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;">]><testsuites><testsuite name="&b;"><testcase name="x"><failure message="&b;"/></testcase></testsuite></testsuites>`;
    for (const text of [
      bomb,
      "[".repeat(300_000),
      '{"a":'.repeat(100_000),
      `<testsuites>${"<testsuite>".repeat(50_000)}`,
      `[{"filePath":"a","messages":${"[".repeat(50_000)}${"]".repeat(50_000)}}]`,
    ]) {
      const result = parseText(`before\n${text}\nafter\n`);
      expect(result.faults).toEqual([]);
      expect(JSON.stringify(result).length).toBeLessThan(1_000_000);
    }
  });

  it("isolates a parser that throws", () => {
    const broken: BuildTool = {
      id: "broken",
      title: "Broken",
      url: "https://example.com",
      ecosystem: "general",
      kinds: ["build"],
      signatures: ["x"],
      parser: () => ({
        take: () => {
          throw new Error("fault");
        },
        end: () => {
          throw new Error("late fault");
        },
      }),
    };
    const tsc = buildTools.find((tool) => tool.id === "tsc");
    const tools = tsc === undefined ? [broken] : [broken, tsc];
    const result = parseText("x\nsrc/a.ts(1,7): error TS2322: Type 'a' is not 'b'.\n".repeat(50), { tools });
    expect(result.diagnostics).toHaveLength(1);
    expect(result.faults).toContain("broken: fault");
  });

  it("keeps a bounded number of diagnostics and counts the rest", () => {
    const engine = createEngine();
    for (let i = 0; i < 12_000; i++) engine.write(`src/a.ts(${i},7): error TS2322: Type 'a' is not 'b'.\n`);
    const result = engine.end();
    expect(result.diagnostics).toHaveLength(10_000);
    expect(result.notKept.diagnostics).toBe(1_999 + 1);
    expect(result.counts.error).toBe(12_000);
  });

  it("keeps a bounded amount of message text and counts the rest", () => {
    const engine = createEngine();
    for (let i = 0; i < 800; i++)
      engine.write(`src/a.ts(${i},7): error TS2322: ${`word${i} `.repeat(2_500)}\n`);
    const result = engine.end();
    expect(JSON.stringify(result.diagnostics).length).toBeLessThan(10_000_000);
    expect(result.diagnostics.length + result.notKept.diagnostics).toBe(800);
    expect(result.counts.error).toBe(800);
  });
});
