import type { FileHandle } from "node:fs/promises";
import type { StreamName } from "../model/run.ts";
import { LineBuffer } from "./line-buffer.ts";
import type { BlockStart } from "./log-format.ts";
import type { LogStream, RawLine } from "./log-source.ts";

/** Log files are read in chunks of this many bytes. */
export const READ_BYTES = 64 * 1024;
const MAX_LINE_BYTES = 16 * 1024;

/** A byte range in the file of one output stream, with the number of its first line. */
export interface FileRange {
  readonly stream: StreamName;
  readonly start: number;
  readonly end: number;
  readonly firstLine: number;
  /** The number of lines in the range, including an unfinished last line. */
  readonly lines: number;
}

/**
 * Upper bound on the bytes that are read beyond the shown part of a line, only to count the characters that are not
 * shown.
 */
const MAX_COUNTED_BYTES = 1024 * 1024;

/** Reads the lines of one range of a log file, one chunk of the file at a time. */
export class RangeReader {
  readonly #file: FileHandle;
  readonly #range: FileRange;

  constructor(file: FileHandle, range: FileRange) {
    this.#file = file;
    this.#range = range;
  }

  async read(skip: number, count: number, maxLineBytes = MAX_LINE_BYTES): Promise<RawLine[]> {
    const { start, end, firstLine, lines, stream } = this.#range;
    const found: RawLine[] = [];
    const first = firstLine + skip;
    const last = firstLine + lines - 1;
    const line = new LineBuffer(maxLineBytes);
    let number = firstLine;
    let isUnfinished = false;
    const finish = (): void => {
      if (number >= first) found.push({ number, stream, ...line.take() });
      number++;
    };
    for (let at = start; at < end && found.length < count;) {
      if (number === last && line.isFull && end - at > MAX_COUNTED_BYTES) {
        line.skip(await this.#restOfLastLine(at));
        break;
      }
      const chunk = await readAt(this.#file, at, Math.min(READ_BYTES, end - at));
      if (chunk.length === 0) break;
      at += chunk.length;
      for (let from = 0; from < chunk.length && found.length < count;) {
        const lineFeed = chunk.indexOf(10, from);
        const piece = chunk.subarray(from, lineFeed < 0 ? chunk.length : lineFeed);
        if (number >= first) line.add(piece);
        from += piece.length + 1;
        isUnfinished = lineFeed < 0;
        if (!isUnfinished) finish();
      }
    }
    if (isUnfinished && found.length < count) finish();
    return found;
  }

  async #restOfLastLine(at: number): Promise<number> {
    const { end } = this.#range;
    const [lastByte] = await readAt(this.#file, end - 1, 1);
    return end - at - (lastByte === 10 ? 1 : 0);
  }
}

/**
 * Returns the file ranges of a block (consecutive lines of one stream) that belong to the requested streams. In the
 * last block, both streams may have text after the last whole line.
 */
export function blockRanges(block: BlockStart, next: BlockStart, stream: LogStream): FileRange[] {
  const other = block.stream === "stdout" ? "stderr" : "stdout";
  if (block.stream === "end") return [];
  const first = blockRange(block.stream, { block, next, stream, before: 0 });
  const more = blockRange(other, { block, next, stream, before: countLines(block, next, block.stream) });
  return [first, more].filter((one) => one !== undefined);
}

function blockRange(
  name: StreamName,
  at: { block: BlockStart; next: BlockStart; stream: LogStream; before: number },
): FileRange | undefined {
  const { block, next, stream } = at;
  const start = name === "stdout" ? block.stdoutBytes : block.stderrBytes;
  const end = name === "stdout" ? next.stdoutBytes : next.stderrBytes;
  if (end <= start || (stream !== "both" && stream !== name)) return undefined;
  const before = stream === "both" ? at.before : 0;
  const firstLine = linesBefore(block, stream) + before + 1;
  return { stream: name, start, end, firstLine, lines: countLines(block, next, name) };
}

function countLines(block: BlockStart, next: BlockStart, stream: StreamName): number {
  return linesBefore(next, stream) - linesBefore(block, stream);
}

export function linesBefore(start: BlockStart, stream: LogStream): number {
  if (stream === "both") return start.stdoutLines + start.stderrLines;
  return stream === "stdout" ? start.stdoutLines : start.stderrLines;
}

/** Reads bytes at a position of a file; fewer if the file ends before. */
export async function readAt(file: FileHandle, position: number, length: number): Promise<Buffer> {
  const buffer = Buffer.allocUnsafe(length);
  const { bytesRead } = await file.read(buffer, 0, length, position);
  return buffer.subarray(0, bytesRead);
}
