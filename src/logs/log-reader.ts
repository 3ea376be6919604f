import { open, type FileHandle } from "node:fs/promises";
import { errnoOf, PithError } from "../kernel/errors.ts";
import type { LogTotals, StreamName } from "../model/run.ts";
import { type BlockStart, countLineFeeds, decodeRecord, logPaths, RECORD_BYTES } from "./log-format.ts";
import type { LineRange, LogSource, LogStream, RawLine, StreamBytes } from "./log-source.ts";
import { linesBefore, READ_BYTES, readAt, type FileRange, blockRanges, RangeReader } from "./file-range.ts";

/** The first block of a log, which begins before any line is complete. */
const EMPTY: BlockStart = {
  stream: "stdout",
  stdoutLines: 0,
  stderrLines: 0,
  stdoutBytes: 0,
  stderrBytes: 0,
};

/** Reads a log, whether it is finished, being written, or left by a writer that died. Needs memory only for its results. */
export class LogReader implements LogSource {
  readonly #files: Readonly<Record<StreamName | "index", FileHandle>>;

  readonly #base: string;

  private constructor(base: string, files: Readonly<Record<StreamName | "index", FileHandle>>) {
    this.#base = base;
    this.#files = files;
  }

  /** Opens a log; undefined if it does not exist. */
  static async open(base: string): Promise<LogReader | undefined> {
    const paths = logPaths(base);
    const opened: FileHandle[] = [];
    try {
      for (const path of [paths.stdout, paths.stderr, paths.index]) opened.push(await open(path, "r"));
    } catch (error) {
      await Promise.all(opened.map((file) => file.close()));
      if (errnoOf(error) === "ENOENT") return undefined;
      throw error;
    }
    if (!(await areFiles(opened))) {
      await Promise.all(opened.map((file) => file.close()));
      throw damagedError(base);
    }
    const [stdout, stderr, index] = opened;
    if (stdout === undefined || stderr === undefined || index === undefined) return undefined;
    return new LogReader(base, { stdout, stderr, index });
  }

  async close(): Promise<void> {
    await Promise.all([this.#files.stdout.close(), this.#files.stderr.close(), this.#files.index.close()]);
  }

  async totals(): Promise<LogTotals> {
    const end = await this.#end();
    return {
      lines: end.stdoutLines + end.stderrLines,
      stdoutLines: end.stdoutLines,
      stderrLines: end.stderrLines,
      bytes: end.stdoutBytes + end.stderrBytes,
    };
  }

  /** Returns the lines of a range, in order. */
  async lines({ stream, from, count, maxLineBytes }: LineRange): Promise<RawLine[]> {
    const lines: RawLine[] = [];
    for await (const range of this.#ranges(stream, from)) {
      const wanted = count - lines.length;
      if (wanted <= 0) break;
      if ((await this.#files[range.stream].stat()).size < range.end) throw damagedError(this.#base);
      const reader = new RangeReader(this.#files[range.stream], range);
      lines.push(...(await reader.read(Math.max(0, from - range.firstLine), wanted, maxLineBytes)));
    }
    return lines;
  }

  /** Yields all bytes from a line on, in the order of the lines. */
  async *bytes(stream: LogStream, from: number): AsyncGenerator<StreamBytes> {
    for await (const range of this.#ranges(stream, from)) {
      const file = this.#files[range.stream];
      let skip = Math.max(0, from - range.firstLine);
      let last = 10;
      for (let at = range.start; at < range.end;) {
        const chunk = await readAt(file, at, Math.min(READ_BYTES, range.end - at));
        // The index says that the file is longer, so a part of it is lost.
        if (chunk.length === 0) throw damagedError(this.#base);
        at += chunk.length;
        const cut = skipLines(chunk, skip);
        skip -= cut.skipped;
        if (cut.rest.length === 0) continue;
        last = cut.rest.at(-1) ?? 10;
        yield { stream: range.stream, bytes: cut.rest };
      }
      // A line feed is added to the last line of a stream if it lacks one, because lines of the other stream may follow
      // it.
      if (last !== 10) yield { stream: range.stream, bytes: Buffer.from("\n") };
    }
  }

  /** Yields the file ranges that hold the lines from a number on. */
  async *#ranges(stream: LogStream, from: number): AsyncGenerator<FileRange> {
    const end = await this.#end();
    const records = await this.#recordCount();
    let at = await this.#search(records, (start) => linesBefore(start, stream) < from);
    let block: BlockStart | undefined = records === 0 ? EMPTY : await this.#record(at);
    while (block !== undefined && block.stream !== "end") {
      const next = at + 1 < records ? await this.#record(at + 1) : undefined;
      yield* blockRanges(block, next ?? end, stream);
      block = next;
      at++;
    }
  }

  /**
   * Returns the number of the last index record that passes a test, by binary search. If a record passes, all records
   * before it do too.
   */
  async #search(records: number, holds: (start: BlockStart) => boolean): Promise<number> {
    let low = 0;
    let high = records - 1;
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      const start = await this.#record(middle);
      if (start !== undefined && holds(start)) low = middle;
      else high = middle - 1;
    }
    return low;
  }

  async #recordCount(): Promise<number> {
    return Math.floor((await this.#files.index.stat()).size / RECORD_BYTES);
  }

  async #record(number: number): Promise<BlockStart | undefined> {
    const bytes = await readAt(this.#files.index, number * RECORD_BYTES, RECORD_BYTES);
    if (bytes.length < RECORD_BYTES) return undefined;
    const record = decodeRecord(bytes);
    if (record === undefined) throw damagedError(this.#base);
    return record;
  }

  /**
   * Returns the position at the end of the log: from the last index record, or from the file sizes if the log is
   * unfinished.
   */
  async #end(): Promise<BlockStart> {
    const records = await this.#recordCount();
    const last = records === 0 ? undefined : await this.#record(records - 1);
    if (last?.stream === "end") return last;
    const start = last ?? EMPTY;
    const stdout = await this.#tail("stdout", start.stdoutBytes);
    const stderr = await this.#tail("stderr", start.stderrBytes);
    return {
      stream: "end",
      stdoutLines: start.stdoutLines + stdout.lines,
      stderrLines: start.stderrLines + stderr.lines,
      stdoutBytes: start.stdoutBytes + stdout.bytes,
      stderrBytes: start.stderrBytes + stderr.bytes,
    };
  }

  /** Counts the lines and bytes after an offset, including an unfinished last line. */
  async #tail(stream: StreamName, from: number): Promise<{ readonly lines: number; readonly bytes: number }> {
    let bytes = 0;
    let lines = 0;
    let last = 10;
    for (;;) {
      const chunk = await readAt(this.#files[stream], from + bytes, READ_BYTES);
      if (chunk.length === 0) return { lines: last === 10 ? lines : lines + 1, bytes };
      bytes += chunk.length;
      lines += countLineFeeds(chunk);
      last = chunk.at(-1) ?? 10;
    }
  }
}

function damagedError(base: string): PithError {
  const { stdout, stderr } = logPaths(base);
  return new PithError("store_unavailable", `${base}: the log is damaged`, {
    suggestion: `Run the command again; what is left of its output is in ${stdout} and ${stderr}.`,
  });
}

/** Returns whether all open handles are regular files. A folder can be opened too, and only reading it would fail. */
async function areFiles(opened: readonly FileHandle[]): Promise<boolean> {
  return (await Promise.all(opened.map((file) => file.stat()))).every((found) => found.isFile());
}

function skipLines(chunk: Buffer, lines: number): { readonly rest: Buffer; readonly skipped: number } {
  let at = 0;
  let skipped = 0;
  while (skipped < lines) {
    const lineFeed = chunk.indexOf(10, at);
    if (lineFeed < 0) return { rest: chunk.subarray(chunk.length), skipped };
    at = lineFeed + 1;
    skipped++;
  }
  return { rest: chunk.subarray(at), skipped };
}
