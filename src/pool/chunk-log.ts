import { LineBuffer } from "../logs/line-buffer.ts";
import type { LineRange, LogSource, LogStream, RawLine, StreamBytes } from "../logs/log-source.ts";
import type { LogChunk } from "../model/job.ts";
import type { JobQueue } from "./queue.ts";

const MAX_LINE_BYTES = 16 * 1024;
/** Upper bound on the bytes kept of one line while a log is searched; a longer line spans many chunks. */
const MAX_SEARCHED_LINE_BYTES = 4 * 1024 * 1024;
const LINE_FEED = 10;
const NO_TOTALS = { token: 0, lines: 0, stdoutLines: 0, stderrLines: 0, bytes: 0 };

/** Opens the log of a job in the pool: that of its newest attempt, or of the attempt with the given token. */
export function openChunkLog(
  queue: Pick<JobQueue, "totals" | "chunks">,
  id: string,
  attempt?: number,
): LogSource {
  const chunksFrom = async function* (stream: LogStream, fromLine: number): AsyncGenerator<LogChunk> {
    const token = attempt ?? (await queue.totals(id))?.token;
    if (token !== undefined) yield* queue.chunks({ id, token, stream, fromLine });
  };
  return {
    async totals() {
      const { token: _token, ...totals } = (await queue.totals(id, attempt)) ?? NO_TOTALS;
      return totals;
    },
    lines: (range) => readLines(chunksFrom(range.stream, range.from), range),
    bytes: (stream, from) => readBytes(chunksFrom(stream, from), stream, from),
    close: () => Promise.resolve(),
  };
}

async function readLines(chunks: AsyncGenerator<LogChunk>, range: LineRange): Promise<RawLine[]> {
  const { stream: asked, from, count, maxLineBytes = MAX_LINE_BYTES } = range;
  const lines: RawLine[] = [];
  const unfinished = { stdout: new LineBuffer(maxLineBytes), stderr: new LineBuffer(maxLineBytes) };
  if (count <= 0) return lines;
  for await (const chunk of chunks)
    for (const { number, line } of readLinesOf(chunk, asked, unfinished[chunk.stream])) {
      if (number >= from) lines.push({ number, stream: chunk.stream, ...line });
      if (lines.length >= count) return lines;
    }
  return lines;
}

async function* readBytes(
  chunks: AsyncGenerator<LogChunk>,
  asked: LogStream,
  from: number,
): AsyncGenerator<StreamBytes> {
  const lineFeed = Buffer.of(LINE_FEED);
  const unfinished = {
    stdout: new SearchedLine(MAX_SEARCHED_LINE_BYTES),
    stderr: new SearchedLine(MAX_SEARCHED_LINE_BYTES),
  };
  for await (const chunk of chunks) {
    const { stream } = chunk;
    const partial = unfinished[stream];
    // Most chunks hold whole lines only, so their bytes need not be split into lines and joined again.
    const bytes =
      partial.isEmpty && chunk.bytes.at(-1) === LINE_FEED
        ? dropLines(chunk.bytes, from - 1 - linesBefore(chunk, asked))
        : Buffer.concat(
            [...readLinesOf(chunk, asked, partial)]
              .filter(({ number }) => number >= from)
              .flatMap(({ line }) => [...line, lineFeed]),
          );
    if (bytes.length > 0) yield { stream, bytes };
  }
}

/** Collects the parts of a line that spans several chunks until the line is complete. */
interface LineCollector<T> {
  add(piece: Buffer): void;
  take(): T;
}

/** Yields the lines that end in a chunk; the rest of the chunk begins the next line of its stream. */
function* readLinesOf<T>(
  chunk: LogChunk,
  asked: LogStream,
  partial: LineCollector<T>,
): Generator<{ readonly number: number; readonly line: T }> {
  const { bytes } = chunk;
  let number = linesBefore(chunk, asked);
  const end = number + chunk.lines;
  let at = 0;
  for (let feed = bytes.indexOf(LINE_FEED); feed >= 0; feed = bytes.indexOf(LINE_FEED, at)) {
    partial.add(bytes.subarray(at, feed));
    at = feed + 1;
    yield { number: ++number, line: partial.take() };
  }
  partial.add(bytes.subarray(at));
  // The last line of a stream may lack a line feed, so it is yielded here.
  if (number < end) yield { number: ++number, line: partial.take() };
}

function linesBefore({ stdoutBefore, stderrBefore }: LogChunk, asked: LogStream): number {
  return asked === "both" ? stdoutBefore + stderrBefore : asked === "stdout" ? stdoutBefore : stderrBefore;
}

function dropLines(bytes: Buffer, count: number): Buffer {
  let at = 0;
  for (let skipped = 0; skipped < count && at < bytes.length; skipped++)
    at = bytes.indexOf(LINE_FEED, at) + 1;
  return bytes.subarray(at);
}

/** Collects the bytes of a line unchanged, up to a limit. */
class SearchedLine implements LineCollector<readonly Buffer[]> {
  readonly #limit: number;
  #pieces: Buffer[] = [];
  #kept = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  get isEmpty(): boolean {
    return this.#kept === 0;
  }

  add(piece: Buffer): void {
    const room = this.#limit - this.#kept;
    if (piece.length === 0 || room <= 0) return;
    const kept = piece.subarray(0, room);
    this.#pieces.push(kept);
    this.#kept += kept.length;
  }

  take(): readonly Buffer[] {
    const taken = this.#pieces;
    this.#pieces = [];
    this.#kept = 0;
    return taken;
  }
}
