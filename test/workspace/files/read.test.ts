import { execFileSync } from "node:child_process";
import { appendFile, mkdir, mkdtemp, open, realpath, rename, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { PithError } from "../../../src/kernel/errors.ts";
import { createJail } from "../../../src/workspace/jail.ts";
import { type ReadOptions, readLines } from "../../../src/workspace/files/read.ts";

let root: string;
beforeAll(async () => {
  root = await realpath(await mkdtemp(join(tmpdir(), "pith-read-")));
});
afterAll(() => rm(root, { recursive: true, force: true }));

async function read(name: string, options: ReadOptions = {}) {
  return readLines(await createJail([root]).resolve(name, root), options);
}

async function readText(text: string | Buffer, options: ReadOptions = {}) {
  await writeFile(join(root, "sample"), text);
  return read("sample", options);
}

async function errorOf(action: Promise<unknown>): Promise<PithError> {
  const error = await action.then(
    () => new Error("did not throw"),
    (thrown: unknown) => thrown,
  );
  if (error instanceof PithError) return error;
  throw error;
}

const numbered = (count: number) => Array.from({ length: count }, (_, i) => `line ${i + 1}`).join("\n");

describe("reading a range of lines", () => {
  it("returns the whole file by default", async () => {
    expect(await readText("one\ntwo\n")).toEqual({
      path: "sample",
      startLine: 1,
      endLine: 2,
      requestedEndLine: 2,
      totalLines: 2,
      totalIsExact: true,
      sizeBytes: 8,
      lines: ["one", "two"],
      clipped: [],
      encoding: "utf-8",
      lineEnds: "lf",
      undecodable: 0,
      masked: [],
      changedWhileReading: false,
    });
  });

  it.each([
    [{ startLine: 3, endLine: 4 }, 3, ["line 3", "line 4"]],
    [{ startLine: 9 }, 9, ["line 9", "line 10"]],
    [{ endLine: 2 }, 1, ["line 1", "line 2"]],
    [{ startLine: 10, endLine: 99 }, 10, ["line 10"]],
    [{ aroundLine: 5, radius: 1 }, 4, ["line 4", "line 5", "line 6"]],
    [{ aroundLine: 1, radius: 1 }, 1, ["line 1", "line 2"]],
    [{ aroundLine: 10, radius: 0 }, 10, ["line 10"]],
  ])("returns the lines for %o", async (range, startLine, lines) => {
    const slice = await readText(numbered(10), range);
    expect(slice).toMatchObject({ startLine, lines, endLine: startLine + lines.length - 1, totalLines: 10 });
  });

  it("includes 20 lines on either side of around_line by default", async () => {
    expect(await readText(numbered(100), { aroundLine: 50 })).toMatchObject({ startLine: 30, endLine: 70 });
  });

  it("returns the same lines wherever the chunks of the reader end", async () => {
    const lines = Array.from({ length: 60_000 }, (_, i) => `${i} ${"é".repeat(i % 17)}`);
    const slice = await readText(lines.join("\r\n"), {
      startLine: 31_000,
      endLine: 59_000,
      maxCharacters: 1e7,
    });
    expect(slice.lines).toEqual(lines.slice(30_999, 59_000));
    expect(slice).toMatchObject({ lineEnds: "crlf", undecodable: 0, totalLines: 60_000 });
  });

  it("stops at the character limit and reports the requested end", async () => {
    const slice = await readText(numbered(1_000), { maxCharacters: 100 });
    expect(slice.lines.join("\n").length).toBeLessThan(120);
    expect(slice).toMatchObject({ requestedEndLine: 1_000, totalLines: 1_000, endLine: slice.lines.length });
  });

  it.each([
    [{ startLine: 11 }, "line 11 is beyond the end: sample has 10 lines"],
    [{ aroundLine: 12, radius: 5 }, "line 12 is beyond the end: sample has 10 lines"],
    [{ startLine: 5, endLine: 4 }, "the last line 4 is before the first line 5"],
    [{ startLine: 0 }, "there is no line 0: lines count from 1"],
    [{ aroundLine: 1.5 }, "there is no line 1.5: lines count from 1"],
    [{ aroundLine: 1, radius: -1 }, "radius is -1, it must be 0 or more"],
    [{ aroundLine: 1, endLine: 3 }, "lines around a line cannot be combined with a range of lines"],
    [{ radius: 3 }, "a radius needs a line to read around"],
  ])("refuses %o", async (range, message) => {
    const error = await errorOf(readText(numbered(10), range));
    expect([error.code, error.message]).toEqual(["invalid_input", message]);
  });

  it("reports all errors of a range at once", async () => {
    const error = await errorOf(readText("a", { startLine: -1, endLine: 0 }));
    expect(error.message).toBe(
      "there is no line -1: lines count from 1; there is no line 0: lines count from 1",
    );
  });
});

describe("reading text", () => {
  it("returns no lines for an empty file", async () => {
    expect(await readText("")).toMatchObject({ startLine: 0, endLine: 0, totalLines: 0, lines: [] });
    expect((await errorOf(readText("", { startLine: 2 }))).message).toContain("has 0 lines");
  });

  it("keeps blank lines and accepts a missing final line ending", async () => {
    expect((await readText("\n\na")).lines).toEqual(["", "", "a"]);
    expect((await readText("\n")).lines).toEqual([""]);
  });

  it("removes the carriage return of CRLF and reports the line ending", async () => {
    expect(await readText("a\r\nb\r\n")).toMatchObject({ lines: ["a", "b"], lineEnds: "crlf" });
    expect(await readText("a\r\nb\nc\r")).toMatchObject({ lines: ["a", "b", "c\r"], lineEnds: "mixed" });
  });

  it("replaces and counts invalid UTF-8, but not a genuine replacement character", async () => {
    const text = Buffer.concat([
      Buffer.from("ok \uFFFD\nbad "),
      Buffer.from([0xff, 0xc3]),
      Buffer.from("x\n"),
    ]);
    expect(await readText(text)).toMatchObject({ lines: ["ok \uFFFD", "bad \uFFFD\uFFFDx"], undecodable: 2 });
  });

  it.each([
    ["utf-16le", Buffer.from("\uFEFFaé\r\n😀\r\n", "utf16le")],
    ["utf-16be", Buffer.from("\uFEFFaé\r\n😀\r\n", "utf16le").swap16()],
    ["utf-8-bom", Buffer.from("\uFEFFaé\r\n😀\r\n")],
  ])("decodes %s by its byte order mark", async (encoding, bytes) => {
    expect(await readText(bytes)).toMatchObject({ encoding, lines: ["aé", "😀"], lineEnds: "crlf" });
  });

  it("truncates a line of 10 MB and counts the hidden characters", async () => {
    const slice = await readText(`first\n${"é".repeat(5_000_000)}\nlast\n`);
    expect(slice.lines).toEqual(["first", "é".repeat(2_000), "last"]);
    expect(slice.clipped).toEqual([{ line: 2, characters: 5_000_000 - 2_000 }]);
  });

  it("never splits a character", async () => {
    const slice = await readText(`x${"😀".repeat(1_500)}\n`);
    expect(slice.lines).toEqual([`x${"😀".repeat(1_500)}`]);
    const long = await readText(`x${"😀".repeat(2_500)}\n`);
    expect(long.lines).toEqual([`x${"😀".repeat(1_999)}`]);
    expect(long.clipped).toEqual([{ line: 1, characters: 501 }]);
  });

  it("counts a NUL later in the file as undecodable", async () => {
    expect(await readText(`${"a\n".repeat(5_000)}b\0c\n`, { startLine: 5_001 })).toMatchObject({
      lines: ["b\uFFFDc"],
      undecodable: 1,
    });
  });

  it("ignores text that is appended while reading", async () => {
    const name = join(root, "growing");
    await writeFile(name, "x\n".repeat(2_000_000));
    const enough = new AbortController();
    const writer = (async () => {
      while (!enough.signal.aborted) await appendFile(name, "y\n");
    })();
    const slice = await read("growing", { startLine: 1_999_999 });
    enough.abort();
    await writer;
    expect(slice.lines.slice(0, 2)).toEqual(["x", "x"]);
    expect(slice.totalLines).toBeGreaterThanOrEqual(2_000_000);
    expect(slice.totalLines).toBe(slice.sizeBytes / 2);
  });
});

it("reads a consistent version of a file that is constantly replaced", async () => {
  const name = join(root, "replaced");
  await writeFile(name, "0\n0\n");
  const enough = new AbortController();
  const writer = (async () => {
    for (let version = 1; !enough.signal.aborted; version++) {
      await writeFile(`${name}.tmp`, `${version}\n${version}\n`);
      await rename(`${name}.tmp`, name);
    }
  })();
  for (let i = 0; i < 50; i++) {
    const lines = await read("replaced").then(
      (slice) => slice.lines,
      (error: unknown) =>
        error instanceof PithError && error.code === "file_not_found" ? ["", ""] : [error],
    );
    expect(lines[0]).toBe(lines[1]);
  }
  enough.abort();
  await writer;
});

describe("reading something without lines", () => {
  it.each([
    ["PNG image", Buffer.from("\x89PNG\r\n\x1a\n....", "latin1")],
    ["PDF document", Buffer.from("%PDF-1.7\n")],
    ["binary data", Buffer.from("abc\0def")],
    ["UTF-16 text without a byte order mark, or binary data", Buffer.from("plain words", "utf16le")],
    ["UTF-32 text", Buffer.from([0xff, 0xfe, 0, 0, 65, 0, 0, 0])],
  ])("refuses %s", async (kind, bytes) => {
    const error = await errorOf(readText(bytes));
    expect([error.code, error.message]).toEqual(["not_text", `sample is ${kind}, ${bytes.length} bytes`]);
  });

  it("refuses a sparse file of 2 GB at once", async () => {
    const handle = await open(join(root, "sparse"), "w");
    await handle.truncate(2 ** 31);
    await handle.close();
    expect((await errorOf(read("sparse"))).message).toBe("sparse is binary data, 2147483648 bytes");
  });

  it.skipIf(process.platform === "win32")("refuses a pipe without waiting for a writer", async () => {
    execFileSync("mkfifo", [join(root, "pipe")]);
    const error = await errorOf(read("pipe"));
    expect([error.code, error.message]).toEqual(["not_text", "pipe is a named pipe"]);
  });

  it.skipIf(process.platform === "win32")("refuses a socket and a device", async () => {
    const server = createServer().listen(join(root, "socket"));
    await new Promise((done) => server.once("listening", done));
    expect((await errorOf(read("socket"))).message).toBe("socket is a socket");
    await new Promise((done) => server.close(done));
    const device = await createJail(["/dev"]).resolve("/dev/zero", root);
    expect((await errorOf(readLines(device))).message).toBe("/dev/zero is a device");
  });

  it("suggests grep for a folder", async () => {
    await mkdir(join(root, "folder"));
    const error = await errorOf(read("folder"));
    expect([error.code, error.message]).toEqual(["invalid_input", "folder is a folder"]);
    expect(error.suggestion).toContain('grep pattern="" path=folder output=files');
  });

  it("reports a missing file", async () => {
    expect((await errorOf(read("none.txt"))).code).toBe("file_not_found");
    expect((await errorOf(read("sample/child"))).code).toBe("file_not_found");
    expect((await errorOf(read("caf\uFFFD.txt"))).suggestion).toContain("not UTF-8");
  });

  it("suggests similar names for a misspelt path, or the call that finds the file", async () => {
    await mkdir(join(root, "meant"));
    await writeFile(join(root, "meant/settings.ts"), "");
    const adviceOn = async (path: string) => (await errorOf(read(path))).suggestion;
    expect(await adviceOn("meant/setings.ts")).toBe("Did you mean meant/settings.ts?");
    expect(await adviceOn("maent/settings.ts")).toBe("Did you mean meant/?");
    expect(await adviceOn("elsewhere/entirely.go")).toBe(
      'Find it: grep pattern="" glob=**/entirely.go output=files',
    );
  });
});

it.each(["with space.txt", "-e", "new\nline.txt", "ünï.txt", "'quote\".txt"])(
  "reads a file named %j",
  async (name) => {
    await writeFile(join(root, name), "here\n");
    expect(await read(name)).toMatchObject({ path: name, lines: ["here"] });
  },
);

it("stops when cancelled", async () => {
  await writeFile(join(root, "long"), "x\n".repeat(1_000_000));
  await expect(read("long", { signal: AbortSignal.abort() })).rejects.toMatchObject({ name: "AbortError" });
});
