import { open, type FileHandle } from "node:fs/promises";
import { errnoOf, PithError } from "../kernel/errors.ts";
import type { LogTotals, StreamName } from "../model/run.ts";
import { type BlockStart, countLineFeeds, decodeRecord, logPaths, RECORD_BYTES } from "./log-format.ts";

export type LogStream = StreamName | "both";

/** A line as it stands in the file, without its line end. */
export interface RawLine {
  /** 1-based: in the stream, or over both where both were asked for. */
  readonly number: number;
  readonly stream: StreamName;
  readonly bytes: Buffer;
  /** How many bytes of the line were left out, because it is longer than was asked for. */
  readonly clipped: number;
}

export interface StreamBytes {
  readonly stream: StreamName;
  readonly bytes: Buffer;
}

export interface LineRange {
  readonly stream: LogStream;
  /** 1-based. */
  readonly from: number;
  readonly count: number;
  readonly maxLineBytes?: number;
}

/** A log that can be read, wherever it is kept. */
export interface LogSource {
  totals(): Promise<LogTotals>;
  /** The lines of a range, in order. */
  lines(range: LineRange): Promise<RawLine[]>;
  /** All bytes from a line on, in the order of the lines. */
  bytes(stream: LogStream, from: number): AsyncGenerator<StreamBytes>;
  close(): Promise<void>;
}

/** Where a log begins that has no whole line yet. */
const EMPTY: BlockStart = {
  stream: "stdout",
  stdoutLines: 0,
  stderrLines: 0,
  stdoutBytes: 0,
  stderrBytes: 0,
};

const READ_BYTES = 64 * 1024;
const MAX_LINE_BYTES = 16 * 1024;

/** A stretch of one stream's file and the number of its first line. */
interface Stretch {
  readonly stream: StreamName;
  readonly start: number;
  readonly end: number;
  readonly firstLine: number;
}

/** Reads a log, finished or still being written, also one whose writer died. Takes memory for what it returns only. */
export class LogReader implements LogSource {
  readonly #files: Readonly<Record<StreamName | "index", FileHandle>>;

  private constructor(files: Readonly<Record<StreamName | "index", FileHandle>>) {
    this.#files = files;
  }

  /** Undefined where there is no such log. */
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
      throw new PithError("store_unavailable", `${base}: the log is damaged`, {
        suggestion: "Run the command again.",
      });
    }
    const [stdout, stderr, index] = opened;
    if (stdout === undefined || stderr === undefined || index === undefined) return undefined;
    return new LogReader({ stdout, stderr, index });
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

  /** The lines of a range, in order. */
  async lines(range: LineRange): Promise<RawLine[]> {
    const lines: RawLine[] = [];
    for await (const stretch of this.#stretches(range.stream, range.from)) {
      const wanted = range.count - lines.length;
      if (wanted <= 0) break;
      const reader = new StretchReader(this.#files[stretch.stream], stretch);
      lines.push(
        ...(await reader.read(Math.max(0, range.from - stretch.firstLine), wanted, range.maxLineBytes)),
      );
    }
    return lines;
  }

  /** All bytes from a line on, in the order of the lines. */
  async *bytes(stream: LogStream, from: number): AsyncGenerator<StreamBytes> {
    for await (const stretch of this.#stretches(stream, from)) {
      const file = this.#files[stretch.stream];
      let skip = Math.max(0, from - stretch.firstLine);
      let last = 10;
      for (let at = stretch.start; at < stretch.end;) {
        const chunk = await readAt(file, at, Math.min(READ_BYTES, stretch.end - at));
        if (chunk.length === 0) break;
        at += chunk.length;
        const cut = skipLines(chunk, skip);
        skip -= cut.skipped;
        if (cut.rest.length === 0) continue;
        last = cut.rest.at(-1) ?? 10;
        yield { stream: stretch.stream, bytes: cut.rest };
      }
      // Only a last line has no line feed; the other stream's may follow it.
      if (last !== 10) yield { stream: stretch.stream, bytes: Buffer.from("\n") };
    }
  }

  /** The stretches that hold the lines from a number on. */
  async *#stretches(stream: LogStream, from: number): AsyncGenerator<Stretch> {
    const end = await this.#end();
    const records = await this.#recordCount();
    let at = await this.#search(records, (start) => linesBefore(start, stream) < from);
    let block: BlockStart | undefined = records === 0 ? EMPTY : await this.#record(at);
    while (block !== undefined && block.stream !== "end") {
      const next = at + 1 < records ? await this.#record(at + 1) : undefined;
      yield* stretchesOf(block, next ?? end, stream);
      block = next;
      at++;
    }
  }

  /** The last record for which the test holds (it holds for the first ones and for none after). */
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
    return bytes.length === RECORD_BYTES ? decodeRecord(bytes) : undefined;
  }

  /** Where the log ends: as its writer noted, or as far as the files go while it is written or its writer died. */
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

  /** The lines after an offset, the unfinished last one counted. */
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

/** Reads lines out of one stretch, a piece of the file at a time. */
class StretchReader {
  readonly #file: FileHandle;
  readonly #stretch: Stretch;
  #lines: RawLine[] = [];
  #pieces: Buffer[] = [];
  #length = 0;
  #kept = 0;

  constructor(file: FileHandle, stretch: Stretch) {
    this.#file = file;
    this.#stretch = stretch;
  }

  async read(skip: number, count: number, maxLineBytes = MAX_LINE_BYTES): Promise<RawLine[]> {
    const { start, end, firstLine, stream } = this.#stretch;
    let number = firstLine;
    const finish = (): void => {
      if (number >= firstLine + skip) this.#lines.push(this.#line(number, stream));
      number++;
      this.#pieces = [];
      this.#length = 0;
      this.#kept = 0;
    };
    for (let at = start; at < end && this.#lines.length < count;) {
      const chunk = await readAt(this.#file, at, Math.min(READ_BYTES, end - at));
      if (chunk.length === 0) break;
      at += chunk.length;
      for (let from = 0; from < chunk.length && this.#lines.length < count;) {
        const lineFeed = chunk.indexOf(10, from);
        const piece = chunk.subarray(from, lineFeed < 0 ? chunk.length : lineFeed);
        if (number >= firstLine + skip) this.#keep(piece, maxLineBytes);
        else this.#length += piece.length;
        from += piece.length + 1;
        if (lineFeed >= 0) finish();
      }
    }
    if (this.#length > 0 && this.#lines.length < count) finish();
    return this.#lines;
  }

  #keep(piece: Buffer, maxLineBytes: number): void {
    const room = Math.max(0, maxLineBytes - this.#kept);
    this.#length += piece.length;
    this.#kept += Math.min(room, piece.length);
    if (room > 0) this.#pieces.push(piece.subarray(0, room));
  }

  #line(number: number, stream: StreamName): RawLine {
    const bytes = Buffer.concat(this.#pieces);
    const end = bytes.at(-1) === 13 ? bytes.length - 1 : bytes.length;
    return { number, stream, bytes: bytes.subarray(0, end), clipped: this.#length - bytes.length };
  }
}

/** The parts of a block that belong to what was asked for. Behind the last block the other stream may go on. */
function stretchesOf(block: BlockStart, next: BlockStart, stream: LogStream): Stretch[] {
  const other = block.stream === "stdout" ? "stderr" : "stdout";
  if (block.stream === "end") return [];
  const first = stretchOf(block.stream, { block, next, stream, before: 0 });
  const more = stretchOf(other, { block, next, stream, before: linesIn(block, next, block.stream) });
  return [first, more].filter((one) => one !== undefined);
}

function stretchOf(
  name: StreamName,
  at: { block: BlockStart; next: BlockStart; stream: LogStream; before: number },
): Stretch | undefined {
  const { block, next, stream } = at;
  const start = name === "stdout" ? block.stdoutBytes : block.stderrBytes;
  const end = name === "stdout" ? next.stdoutBytes : next.stderrBytes;
  if (end <= start || (stream !== "both" && stream !== name)) return undefined;
  const before = stream === "both" ? at.before : 0;
  return { stream: name, start, end, firstLine: linesBefore(block, stream) + before + 1 };
}

function linesIn(block: BlockStart, next: BlockStart, stream: StreamName): number {
  return linesBefore(next, stream) - linesBefore(block, stream);
}

function linesBefore(start: BlockStart, stream: LogStream): number {
  if (stream === "both") return start.stdoutLines + start.stderrLines;
  return stream === "stdout" ? start.stdoutLines : start.stderrLines;
}

/** A folder can be opened too, and only reading it fails. */
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

async function readAt(file: FileHandle, position: number, length: number): Promise<Buffer> {
  const buffer = Buffer.allocUnsafe(length);
  const { bytesRead } = await file.read(buffer, 0, length, position);
  return buffer.subarray(0, bytesRead);
}
