import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { LogReader } from "../../src/logs/log-reader.ts";
import type { LogSource, LogStream } from "../../src/logs/log-source.ts";
import { LogWriter } from "../../src/logs/log-writer.ts";
import type { LogChunk } from "../../src/model/job.ts";
import type { StreamName } from "../../src/model/run.ts";
import { openChunkLog } from "../../src/pool/chunk-log.ts";
import { ChunkWriter } from "../../src/pool/chunk-writer.ts";
import type { ChunkQuery } from "../../src/pool/queue.ts";
import { makeFolder } from "../support/folder.ts";

type Piece = readonly [StreamName, string];

/** Stores chunks in memory, and reads them from the one that holds a given line, as the store does. */
function chunkLog(pieces: readonly Piece[], takeEvery: number): { log: LogSource; chunks: LogChunk[] } {
  const writer = new ChunkWriter();
  const chunks: LogChunk[] = [];
  for (const [i, [stream, text]] of pieces.entries()) {
    writer.write(stream, Buffer.from(text));
    if (i % takeEvery === 0) chunks.push(...writer.take());
  }
  writer.end();
  chunks.push(...writer.take());
  const before = (chunk: LogChunk, stream: LogStream): number =>
    (stream === "stderr" ? 0 : chunk.stdoutBefore) + (stream === "stdout" ? 0 : chunk.stderrBefore);
  const log = openChunkLog(
    {
      totals: () => Promise.resolve({ ...writer.totals, token: 1 }),
      async *chunks({ stream, fromLine }: ChunkQuery) {
        const own = chunks.filter((chunk) => stream === "both" || chunk.stream === stream);
        const start = own.findLast((chunk) => before(chunk, stream) < fromLine)?.firstLineIn ?? 0;
        yield* own.filter((chunk) => chunk.seq >= start);
      },
    },
    "r1",
  );
  return { log, chunks };
}

/** Writes the same output to log files, and reads it as for local runs. */
async function fileLog(pieces: readonly Piece[]): Promise<LogSource> {
  const base = join(makeFolder(), "log");
  const writer = await LogWriter.create(base);
  for (const [stream, text] of pieces) void writer.write(stream, Buffer.from(text));
  await writer.end();
  const reader = await LogReader.open(base);
  if (reader === undefined) throw new Error("no log");
  return reader;
}

async function contents(log: LogSource, stream: LogStream, from: number) {
  const lines = await log.lines({ stream, from, count: 5, maxLineBytes: 100 });
  const bytes: string[] = [];
  for await (const piece of log.bytes(stream, from)) bytes.push(piece.bytes.toString());
  return {
    totals: await log.totals(),
    lines: lines.map((line) => ({ ...line, bytes: line.bytes.toString() })),
    bytes: bytes.join("").replaceAll(/x{100,}/g, (run) => `(${run.length} x)`),
  };
}

const LONG = "x".repeat(200_000);
const OUTPUTS: Readonly<Record<string, readonly Piece[]>> = {
  "whole lines of both streams": [
    ["stdout", "one\ntwo\n"],
    ["stderr", "err\n"],
    ["stdout", "three\n"],
    ["stderr", "more\nand more\n"],
  ],
  "lines that come in pieces, with the other stream between": [
    ["stdout", "be"],
    ["stderr", "first\n"],
    ["stdout", "gin"],
    ["stdout", "ning\nnext"],
    ["stderr", "sec"],
    ["stdout", " line\r\nlast without an end"],
    ["stderr", "ond"],
  ],
  "lines that are longer than a piece": [
    ["stdout", "short\n"],
    ["stdout", LONG],
    ["stderr", "between\n"],
    ["stdout", `${LONG}\nafter\n`],
    ["stderr", LONG],
  ],
  "empty lines": [
    ["stdout", "\n\n"],
    ["stderr", "\n"],
    ["stdout", "\n"],
  ],
  nothing: [],
};

describe.each(Object.entries(OUTPUTS))("%s", (_name, pieces) => {
  it.each([1, 2, 100])(
    "is read from chunks as from a file when sent after every %i writes",
    async (takeEvery) => {
      const { log } = chunkLog(pieces, takeEvery);
      const file = await fileLog(pieces);
      for (const stream of ["both", "stdout", "stderr"] as const)
        for (const from of [1, 2, 3, 4])
          expect(await contents(log, stream, from)).toEqual(await contents(file, stream, from));
      await file.close();
    },
  );
});

it("numbers chunks without gaps and keeps them small", () => {
  const pieces: Piece[] = Array.from({ length: 3_000 }, (_, i) => [
    i % 7 === 0 ? "stderr" : "stdout",
    `${"line ".repeat(100)}${i}\n`,
  ]);
  const { chunks } = chunkLog(pieces, 1_000_000);
  expect(chunks.map((chunk) => chunk.seq)).toEqual(chunks.map((_, i) => i));
  expect(Math.max(...chunks.map((chunk) => chunk.bytes.length))).toBeLessThan(300_000);
});
