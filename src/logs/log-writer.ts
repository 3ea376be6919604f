import type { LogTotals, StreamName } from "../model/run.ts";
import { AppendFile } from "./append-file.ts";
import { reserveDiskSpace } from "./reserve-disk-space.ts";
import {
  BLOCK_BYTES,
  type BlockStart,
  countLineFeeds,
  encodeRecord,
  type LogPaths,
  logPaths,
} from "./log-format.ts";
import type { Masked } from "../model/masked.ts";
import { MaskedLog } from "./masked-log.ts";
import { Redactor } from "../security/redactor.ts";

/** The running command is paused while more bytes than this wait to be written to its log. */
const MAX_QUEUED_BYTES = 512 * 1024;
/** An unfinished line, such as a prompt, is written after this long without further output. */
const IDLE_MS = 200;

interface LogWriterOptions {
  /** Receives the bytes that are stored in the log, in the same order and chunks. */
  readonly onStored?: (stream: StreamName, bytes: Buffer) => void;
}

/** Writes both streams of a command to disk as they come, in bounded memory. */
export class LogWriter {
  readonly #paths: LogPaths;
  readonly #files: Readonly<Record<StreamName | "index", AppendFile>>;
  readonly #options: LogWriterOptions;
  readonly #redactors = { stdout: new Redactor(), stderr: new Redactor() };
  readonly #lines = { stdout: 0, stderr: 0 };
  /**
   * The number of bytes in complete lines, per stream; `#partial` counts the bytes of the unfinished line after them.
   */
  readonly #whole = { stdout: 0, stderr: 0 };
  readonly #partial = { stdout: 0, stderr: 0 };
  readonly #masked = new MaskedLog();
  #block: StreamName | undefined;
  #blockBytes = 0;
  #idle: NodeJS.Timeout | undefined;

  private constructor(
    paths: LogPaths,
    files: Readonly<Record<StreamName | "index", AppendFile>>,
    options: LogWriterOptions,
  ) {
    this.#paths = paths;
    this.#files = files;
    this.#options = options;
  }

  /** Creates the three files of a log; `base` is their path without the suffix. */
  static async create(base: string, options: LogWriterOptions = {}): Promise<LogWriter> {
    const paths = logPaths(base);
    const opened: AppendFile[] = [];
    const create = async (path: string): Promise<AppendFile> => {
      const file = await AppendFile.create(path);
      opened.push(file);
      return file;
    };
    try {
      const stdout = await create(paths.stdout);
      const stderr = await create(paths.stderr);
      return new LogWriter(paths, { stdout, stderr, index: await create(paths.index) }, options);
    } catch (error) {
      await Promise.all(opened.map((file) => file.close()));
      throw error;
    }
  }

  get totals(): LogTotals {
    const { stdout: stdoutLines, stderr: stderrLines } = this.#lines;
    const bytes = this.#whole.stdout + this.#whole.stderr + this.#partial.stdout + this.#partial.stderr;
    return { lines: stdoutLines + stderrLines, stdoutLines, stderrLines, bytes };
  }

  /** The lines of both streams in which secrets were masked. */
  get masked(): Masked | undefined {
    return this.#masked.summary();
  }

  /** The masked secrets themselves, which are kept only in memory. */
  get secrets(): readonly string[] {
    return [...this.#redactors.stdout.secrets, ...this.#redactors.stderr.secrets];
  }

  /** The write error that left the log incomplete, if any. */
  get failure(): Error | undefined {
    return this.#files.stdout.failure ?? this.#files.stderr.failure ?? this.#files.index.failure;
  }

  /** Stores a chunk; the caller must wait for a returned promise before the next write. */
  write(stream: StreamName, chunk: Buffer): Promise<void> | undefined {
    this.#store(stream, this.#redactors[stream].push(chunk));
    this.#idle ??= setTimeout(() => this.#storeUnfinished(), IDLE_MS);
    return this.#pending() > MAX_QUEUED_BYTES ? this.flushed() : undefined;
  }

  /** Resolves when all lines that are complete so far can be read from the files. */
  async flushed(): Promise<void> {
    await Promise.all([
      this.#files.stdout.flushed(),
      this.#files.stderr.flushed(),
      this.#files.index.flushed(),
    ]);
  }

  /** Writes the remaining output after the command has ended, and closes the files. */
  async end(): Promise<LogTotals> {
    clearTimeout(this.#idle);
    for (const stream of ["stdout", "stderr"] as const) {
      this.#store(stream, this.#redactors[stream].end());
      // A last line without a line feed counts as a line.
      if (this.#partial[stream] > 0) this.#completeLines(stream, 1, this.#partial[stream]);
    }
    this.#files.index.append(encodeRecord(this.#blockStart("end")));
    await Promise.all([this.#files.stdout.close(), this.#files.stderr.close(), this.#files.index.close()]);
    // If no disk space can be freed, this is no error yet: the later write of the run's record reports it.
    if (this.failure !== undefined) await reserveDiskSpace(this.#paths).catch(() => undefined);
    return this.totals;
  }

  #storeUnfinished(): void {
    this.#idle = undefined;
    for (const stream of ["stdout", "stderr"] as const) this.#store(stream, this.#redactors[stream].flush());
  }

  #store(stream: StreamName, bytes: Buffer): void {
    if (bytes.length === 0) return;
    this.#files[stream].append(bytes);
    for (const { offset, isFirst } of this.#redactors[stream].masked) {
      const line = this.#lines[stream] + countLineFeeds(bytes.subarray(0, offset)) + 1;
      this.#masked.add({ stream, line, isFirst });
    }
    const begun = this.#partial[stream];
    this.#partial[stream] += bytes.length;
    const wholeBytes = bytes.lastIndexOf(10) + 1;
    // A very long line ends its block (the unit that the log's index can find), so that a reader of later lines can
    // skip the line.
    const firstBytes = begun >= BLOCK_BYTES ? bytes.indexOf(10) + 1 : 0;
    if (firstBytes > 0) this.#completeLines(stream, 1, begun + firstBytes);
    if (wholeBytes > firstBytes) {
      const completed = this.#partial[stream] - (bytes.length - wholeBytes);
      this.#completeLines(stream, countLineFeeds(bytes.subarray(firstBytes)), completed);
    }
    this.#options.onStored?.(stream, bytes);
  }

  #completeLines(stream: StreamName, lines: number, bytes: number): void {
    if (this.#block !== stream || this.#blockBytes >= BLOCK_BYTES) {
      this.#files.index.append(encodeRecord(this.#blockStart(stream)));
      this.#block = stream;
      this.#blockBytes = 0;
    }
    this.#blockBytes += bytes;
    this.#masked.complete(stream, this.#lines, lines);
    this.#lines[stream] += lines;
    this.#whole[stream] += bytes;
    this.#partial[stream] -= bytes;
  }

  #blockStart(stream: BlockStart["stream"]): BlockStart {
    return {
      stream,
      stdoutLines: this.#lines.stdout,
      stderrLines: this.#lines.stderr,
      stdoutBytes: this.#whole.stdout,
      stderrBytes: this.#whole.stderr,
    };
  }

  #pending(): number {
    const { stdout, stderr, index } = this.#files;
    return stdout.pendingBytes + stderr.pendingBytes + index.pendingBytes;
  }
}
