import type { LogTotals, StreamName } from "../model/run.ts";
import type { BufferedLine } from "./line-buffer.ts";

export type LogStream = StreamName | "both";

/** The start of a log line, up to the requested length, including terminal escape sequences. */
export interface RawLine extends BufferedLine {
  /** The 1-based line number in the stream, or in both streams together if both were requested. */
  readonly number: number;
  readonly stream: StreamName;
}

export interface StreamBytes {
  readonly stream: StreamName;
  readonly bytes: Buffer;
}

export interface LineRange {
  readonly stream: LogStream;
  /** The number of the first line to read, counted from 1. */
  readonly from: number;
  readonly count: number;
  readonly maxLineBytes?: number;
}

/** A readable log, independent of where it is stored. */
export interface LogSource {
  totals(): Promise<LogTotals>;
  /** Returns the lines of a range, in order. */
  lines(range: LineRange): Promise<RawLine[]>;
  /** Yields all bytes from a line on, in the order of the lines. */
  bytes(stream: LogStream, from: number): AsyncGenerator<StreamBytes>;
  close(): Promise<void>;
}

/** A log without lines, for a run that has started but has not created its log files yet. */
export const EMPTY_LOG: LogSource = {
  totals: () => Promise.resolve({ lines: 0, stdoutLines: 0, stderrLines: 0, bytes: 0 }),
  lines: () => Promise.resolve([]),
  async *bytes() {
    // An empty log yields no bytes.
  },
  close: () => Promise.resolve(),
};
