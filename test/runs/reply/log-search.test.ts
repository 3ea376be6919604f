import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { LogReader } from "../../../src/logs/log-reader.ts";
import { LogWriter } from "../../../src/logs/log-writer.ts";
import { searchLog } from "../../../src/runs/reply/log-search.ts";

let folder = "";
let reader: LogReader;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "pith-search-"));
  const writer = await LogWriter.create(join(folder, "log"));
  for (let i = 1; i <= 100; i++)
    await writer.write(
      i % 10 === 0 ? "stderr" : "stdout",
      Buffer.from(`line ${i} \u001B[31mred\u001B[0m-dish\n`),
    );
  await writer.write("stdout", Buffer.from([0, 255, 10]));
  await writer.write("stdout", Buffer.from("-v looks like an option\r\n\nlast"));
  await writer.end();
  const opened = await LogReader.open(join(folder, "log"));
  if (opened === undefined) throw new Error("no log");
  reader = opened;
});
afterAll(async () => {
  await reader.close();
  await rm(folder, { recursive: true });
});

const ALL = { stream: "both", from: 1, skip: 0, count: 1_000 } as const;

describe("searchLog", () => {
  it("fails if the log cannot be read to its end, instead of reporting what was found so far", async () => {
    const broken = {
      totals: () => reader.totals(),
      lines: reader.lines.bind(reader),
      close: () => Promise.resolve(),
      async *bytes() {
        yield { stream: "stdout", bytes: Buffer.from("line 1\n") } as const;
        throw await Promise.resolve(new Error("the store is gone"));
      },
    };
    await expect(searchLog(broken, { ...ALL, pattern: "line" })).rejects.toThrow("the store is gone");
  });

  it("returns line numbers, counted over both streams or in one", async () => {
    expect(await searchLog(reader, { ...ALL, pattern: "line .*0 red" })).toEqual({
      numbers: [10, 20, 30, 40, 50, 60, 70, 80, 90, 100],
      total: 10,
    });
    expect((await searchLog(reader, { ...ALL, stream: "stderr", pattern: "line" })).numbers).toHaveLength(10);
  });

  it("skips, stops and starts as requested", async () => {
    const some = await searchLog(reader, { ...ALL, pattern: "^line", from: 41, skip: 2, count: 3 });
    expect(some).toEqual({ numbers: [43, 44, 45], total: 60 });
    const early = await searchLog(reader, { ...ALL, pattern: "^line", count: 1, stopEarly: true });
    expect(early.numbers).toEqual([1]);
  });

  it("ignores escapes, and accepts patterns with a dash, binary data and line ends", async () => {
    expect((await searchLog(reader, { ...ALL, pattern: "7 red-dish$" })).total).toBe(10);
    expect((await searchLog(reader, { ...ALL, pattern: "-v looks like an option$" })).numbers).toEqual([102]);
    expect((await searchLog(reader, { ...ALL, pattern: "^$" })).numbers).toEqual([103]);
    expect((await searchLog(reader, { ...ALL, pattern: "^last$" })).numbers).toEqual([104]);
  });

  it("explains an invalid pattern", async () => {
    await expect(searchLog(reader, { ...ALL, pattern: "(" })).rejects.toMatchObject({
      code: "invalid_input",
    });
  });
});
