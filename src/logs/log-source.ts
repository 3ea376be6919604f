import type { LogTotals, StreamName } from "../model/run.ts";
import type { BufferedLine } from "./line-buffer.ts";

export type LogStream = StreamName | "both";

/** A line of the log, as far as it was asked for; escapes are still in it. */
export interface RawLine extends BufferedLine {
  /** 1-based: in the stream, or over both where both were asked for. */
  readonly number: number;
  readonly stream: StreamName;
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

/** The log of a run that has begun and has not come to writing one. */
export const EMPTY_LOG: LogSource = {
  totals: () => Promise.resolve({ lines: 0, stdoutLines: 0, stderrLines: 0, bytes: 0 }),
  lines: () => Promise.resolve([]),
  async *bytes() {
    // There is nothing to give.
  },
  close: () => Promise.resolve(),
};
