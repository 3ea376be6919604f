import { countLineFeeds } from "../logs/log-format.ts";
import type { LogChunk } from "../model/job.ts";
import type { LogTotals, StreamName } from "../model/run.ts";

/** The target size of a chunk of output; a long line can make a chunk up to twice as large. */
const CHUNK_BYTES = 128 * 1024;
/** The start of a line longer than this is sent before the line is complete. */
const MAX_UNSENT_LINE_BYTES = 64 * 1024;
const LINE_FEED = 10;

interface Draft {
  readonly stream: StreamName;
  readonly parts: Buffer[];
  size: number;
  lines: number;
  readonly stdoutBefore: number;
  readonly stderrBefore: number;
  readonly bytesBefore: number;
  readonly firstLineIn: number;
}

/**
 * Splits the output of a command into chunks for the database: whole lines in the order in which they were completed,
 * as in the log files on disk.
 */
export class ChunkWriter {
  readonly #held: Record<StreamName, Buffer[]> = { stdout: [], stderr: [] };
  readonly #heldBytes = { stdout: 0, stderr: 0 };
  /** For each stream, the number of the chunk in which its unfinished line began. */
  readonly #begunIn: Record<StreamName, number | undefined> = { stdout: undefined, stderr: undefined };
  readonly #lines = { stdout: 0, stderr: 0 };
  #bytes = 0;
  #seq = 0;
  #draft: Draft | undefined;
  #ready: LogChunk[] = [];
  #readyBytes = 0;

  /** The number of bytes that are ready to be sent. */
  get pendingBytes(): number {
    return this.#readyBytes + (this.#draft?.size ?? 0);
  }

  get totals(): LogTotals {
    const { stdout: stdoutLines, stderr: stderrLines } = this.#lines;
    return { lines: stdoutLines + stderrLines, stdoutLines, stderrLines, bytes: this.#bytes };
  }

  write(stream: StreamName, bytes: Buffer): void {
    const lineEnd = bytes.lastIndexOf(LINE_FEED) + 1;
    if (lineEnd > 0) {
      const whole = bytes.subarray(0, lineEnd);
      this.#put(stream, [...this.#takeHeld(stream), whole], countLineFeeds(whole));
    }
    const rest = bytes.subarray(lineEnd);
    if (rest.length === 0) return;
    this.#held[stream].push(rest);
    this.#heldBytes[stream] += rest.length;
    if (this.#heldBytes[stream] > MAX_UNSENT_LINE_BYTES) this.#put(stream, this.#takeHeld(stream), 0);
  }

  /** Ends the output; a last line without a line feed also counts as a line. */
  end(): void {
    for (const stream of ["stdout", "stderr"] as const) {
      const held = this.#takeHeld(stream);
      if (held.length > 0 || this.#begunIn[stream] !== undefined) this.#put(stream, held, 1);
    }
  }

  /**
   * Removes and returns all finished chunks; they hold whole lines only, except where a line is longer than a chunk.
   */
  take(): LogChunk[] {
    this.#close();
    const ready = this.#ready;
    this.#ready = [];
    this.#readyBytes = 0;
    return ready;
  }

  #takeHeld(stream: StreamName): Buffer[] {
    const held = this.#held[stream];
    this.#held[stream] = [];
    this.#heldBytes[stream] = 0;
    return held;
  }

  #put(stream: StreamName, parts: readonly Buffer[], lines: number): void {
    const draft = this.#draftFor(stream);
    for (const part of parts) {
      draft.parts.push(part);
      draft.size += part.length;
      this.#bytes += part.length;
    }
    draft.lines += lines;
    this.#lines[stream] += lines;
    // If the last line of a chunk is unfinished, the chunk is closed, because nothing else may follow it there.
    if (lines === 0) this.#begunIn[stream] ??= this.#seq;
    else this.#begunIn[stream] = undefined;
    if (lines === 0 || draft.size >= CHUNK_BYTES) this.#close();
  }

  #draftFor(stream: StreamName): Draft {
    if (this.#draft !== undefined && this.#draft.stream !== stream) this.#close();
    this.#draft ??= {
      stream,
      parts: [],
      size: 0,
      lines: 0,
      stdoutBefore: this.#lines.stdout,
      stderrBefore: this.#lines.stderr,
      bytesBefore: this.#bytes,
      firstLineIn: Math.min(this.#begunIn.stdout ?? this.#seq, this.#begunIn.stderr ?? this.#seq),
    };
    return this.#draft;
  }

  #close(): void {
    const draft = this.#draft;
    if (draft === undefined) return;
    this.#draft = undefined;
    const { parts, size, ...facts } = draft;
    this.#ready.push({ seq: this.#seq++, bytes: Buffer.concat(parts), ...facts });
    this.#readyBytes += size;
  }
}
