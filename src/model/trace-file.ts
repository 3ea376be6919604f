/** A file of the project that occurs in the stack traces of a log. */
export interface TraceFile {
  readonly file: string;
  /** The line of the first frame in this file. */
  readonly line?: number;
  /** The number of stack traces that contain the file. */
  readonly traces: number;
  /** The number of the last log line at which it occurs. */
  readonly seenAt: number;
}
