import { constants } from "node:fs";
import { lstat, open, type FileHandle } from "node:fs/promises";
import type { Stats } from "node:fs";
import { MAX_CHARACTERS } from "../../kernel/budget.ts";
import { errnoOf, PithError } from "../../kernel/errors.ts";
import type { FileSlice, TextEncodingName } from "../../model/file-slice.ts";
import type { MaskedSecret } from "../../model/masked.ts";
import { isSameFile, type JailedPath } from "../jail.ts";
import { missingFile } from "./missing-file.ts";
import { type CollectedLines, LineCollector } from "./line-collector.ts";
import { MaskingStream } from "./masking-stream.ts";
import { sniff, SNIFF_BYTES } from "./text-encoding.ts";

/** The lines to read: from one line to another, or around one line; by default all lines. */
export interface ReadRange {
  readonly startLine?: number | undefined;
  readonly endLine?: number | undefined;
  readonly aroundLine?: number | undefined;
  readonly radius?: number | undefined;
  /** Column at which reading starts in the first line; without an end line, only the rest of that line is read. */
  readonly column?: number | undefined;
}

export interface ReadOptions extends ReadRange {
  /** Maximum number of characters to read; reading stops after the line that exceeds it. */
  readonly maxCharacters?: number;
  /** True if secrets must be masked. */
  readonly mask?: boolean;
  readonly signal?: AbortSignal;
}

const DEFAULT_RADIUS = 20;
/** Maximum number of characters of a line. Longer lines are generated, and a single one could fill a whole reply. */
const MAX_LINE_CHARACTERS = 2_000;
/**
 * Default number of characters after which reading stops; neither a reply nor the code that shortens it can use more
 * text.
 */
const DEFAULT_MAX_CHARACTERS = 512 * 1024;
const CHUNK_BYTES = 256 * 1024;
/**
 * Size of a file up to which reading continues after the requested lines, only to count the remaining lines; this takes
 * about 30 ms.
 */
const MAX_COUNTED_BYTES = 64 * 1024 * 1024;
/** Maximum number of bytes that are read of files such as those in /proc, which report a size of zero. */
const MAX_UNSIZED_BYTES = 16 * 1024 * 1024;

/** Reads lines of a text file, and no more of the file than needed. Throws `not_text` for binary and special files. */
export async function readLines(file: JailedPath, options: ReadOptions = {}): Promise<FileSlice> {
  const range = rangeOf(options);
  refuseSpecial(file, await statOf(file));
  const handle = await openPlain(file);
  try {
    return await readSlice(handle, { file, range, options });
  } finally {
    await handle.close();
  }
}

export interface Range {
  readonly start: number;
  readonly end: number;
  readonly column: number;
  /** The line that must exist in the file. */
  readonly anchor: number;
}

export function rangeOf({ startLine, endLine, aroundLine, radius, column }: ReadRange): Range {
  const isPlace = (number: number | undefined): boolean =>
    number === undefined || (Number.isSafeInteger(number) && number >= 1);
  const wrong = [startLine, endLine, aroundLine]
    .filter((line) => !isPlace(line))
    .map((line) => `there is no line ${line}: lines count from 1`);
  if (!isPlace(column)) wrong.push(`there is no column ${column}: characters count from 1`);
  if (column !== undefined && startLine === undefined) wrong.push("a column needs the line that it is in");
  if (radius !== undefined && !(Number.isSafeInteger(radius) && radius >= 0))
    wrong.push(`radius is ${radius}, it must be 0 or more`);
  if (aroundLine !== undefined && (startLine ?? endLine) !== undefined)
    wrong.push("lines around a line cannot be combined with a range of lines");
  if (radius !== undefined && aroundLine === undefined) wrong.push("a radius needs a line to read around");
  if (startLine !== undefined && endLine !== undefined && endLine < startLine)
    wrong.push(`the last line ${endLine} is before the first line ${startLine}`);
  if (wrong.length > 0) throw new PithError("invalid_input", wrong.join("; "));
  if (aroundLine === undefined)
    return {
      start: startLine ?? 1,
      end: endLine ?? (column === undefined ? Number.MAX_SAFE_INTEGER : (startLine ?? 1)),
      column: column ?? 1,
      anchor: startLine ?? 1,
    };
  const reach = radius ?? DEFAULT_RADIUS;
  return {
    start: Math.max(1, aroundLine - reach),
    end: aroundLine + reach,
    column: 1,
    anchor: aroundLine,
  };
}

async function statOf(file: JailedPath): Promise<Stats> {
  try {
    return await lstat(file.absolute);
  } catch (error) {
    const code = errnoOf(error);
    if (code !== "ENOENT" && code !== "ENOTDIR") throw error;
    throw await missingFile(file, error);
  }
}

function refuseSpecial(file: JailedPath, stats: Stats): void {
  if (stats.isFile()) return;
  if (stats.isDirectory())
    throw new PithError("invalid_input", `${file.shown} is a folder`, {
      suggestion: [
        {
          text: "List its files: CALL",
          call: { tool: "grep", args: { pattern: "", path: file.shown, output: "files" } },
        },
        { text: "Name a file in it." },
      ],
    });
  throw notText(file, specialKind(stats));
}

function specialKind(stats: Stats): string {
  if (stats.isFIFO()) return "a named pipe";
  if (stats.isSocket()) return "a socket";
  if (stats.isCharacterDevice() || stats.isBlockDevice()) return "a device";
  return "not a regular file";
}

function notText(file: JailedPath, kind: string): PithError {
  return new PithError("not_text", `${file.shown} is ${kind}`);
}

/**
 * Number of attempts to open a file, which may be replaced between opening and checking it, for example by an editor.
 */
const MAX_OPEN_ATTEMPTS = 3;

/**
 * Opens a regular file. It does not block on a pipe and does not follow a symbolic link that was created after the path
 * was checked.
 */
async function openPlain(file: JailedPath): Promise<FileHandle> {
  // Windows supports neither of these flags.
  const safeFlags = (constants.O_NONBLOCK ?? 0) | (constants.O_NOFOLLOW ?? 0);
  for (let attempt = 1; ; attempt++) {
    const handle = await open(file.absolute, constants.O_RDONLY | safeFlags);
    try {
      refuseSpecial(file, await handle.stat());
      if (await isSameFile(handle, file)) return handle;
    } catch (error) {
      await handle.close();
      throw error;
    }
    await handle.close();
    if (attempt === MAX_OPEN_ATTEMPTS)
      throw new PithError("file_not_found", `${file.shown} is being replaced repeatedly`, {
        suggestion: "Call again when it has settled.",
      });
  }
}

interface Reading {
  readonly file: JailedPath;
  readonly range: Range;
  readonly options: ReadOptions;
}

async function readSlice(handle: FileHandle, { file, range, options }: Reading): Promise<FileSlice> {
  const before = await handle.stat();
  const buffer = Buffer.allocUnsafe(CHUNK_BYTES);
  const first = await readFully(handle, buffer.subarray(0, SNIFF_BYTES));
  const kind = sniff(first);
  if (!kind.text) throw notText(file, `${kind.kind}, ${before.size} bytes`);
  const collector = new LineCollector({
    start: range.start,
    end: range.end,
    maxCharacters: options.maxCharacters ?? DEFAULT_MAX_CHARACTERS,
    // A line that is requested alone may be as long as a whole reply.
    maxLineCharacters: range.start === range.end || range.column > 1 ? MAX_CHARACTERS : MAX_LINE_CHARACTERS,
    column: range.column,
  });
  const masking =
    options.mask === true ? new MaskingStream(collector, range.start, file.absolute) : undefined;
  const feed = feedFor(masking ?? collector, kind.encoding);
  feed.take(first.subarray(kind.bomBytes));
  // Bytes that are appended during reading are ignored; otherwise a fast writer could keep this reader busy forever.
  const limit = before.size > 0 ? before.size : MAX_UNSIZED_BYTES;
  const read = await feedRest(handle, {
    buffer,
    collector,
    take: feed.take,
    from: first.length,
    limit,
    options,
  });
  feed.end();
  masking?.end();
  const collected = collector.finish();
  const after = await handle.stat();
  return toSlice(collected, {
    file,
    range,
    encoding: kind.encoding,
    stats: before,
    masked: masking?.secrets ?? [],
    reachedEnd: read.reachedEnd,
    changed:
      after.size !== before.size ||
      after.mtimeMs !== before.mtimeMs ||
      (read.bytes < before.size && read.reachedEnd),
  });
}

interface Rest {
  readonly buffer: Buffer;
  readonly collector: LineCollector;
  readonly take: (chunk: Buffer) => void;
  readonly from: number;
  readonly limit: number;
  readonly options: ReadOptions;
}

async function feedRest(handle: FileHandle, rest: Rest): Promise<{ bytes: number; reachedEnd: boolean }> {
  let bytes = rest.from;
  while (bytes < rest.limit) {
    rest.options.signal?.throwIfAborted();
    if (rest.collector.satisfied && bytes >= MAX_COUNTED_BYTES) return { bytes, reachedEnd: false };
    const wanted = Math.min(rest.buffer.length, rest.limit - bytes);
    const { bytesRead } = await handle.read(rest.buffer, 0, wanted, bytes);
    if (bytesRead === 0) break;
    rest.take(rest.buffer.subarray(0, bytesRead));
    bytes += bytesRead;
  }
  return { bytes, reachedEnd: true };
}

async function readFully(handle: FileHandle, buffer: Buffer): Promise<Buffer> {
  let filled = 0;
  while (filled < buffer.length) {
    const { bytesRead } = await handle.read(buffer, filled, buffer.length - filled, filled);
    if (bytesRead === 0) break;
    filled += bytesRead;
  }
  return buffer.subarray(0, filled);
}

interface Feed {
  readonly take: (chunk: Buffer) => void;
  readonly end: () => void;
}

/**
 * Returns a function that passes bytes to the collector and converts UTF-16 to UTF-8, so that the collector handles
 * only one encoding.
 */
function feedFor(collector: Pick<LineCollector, "feed">, encoding: TextEncodingName): Feed {
  if (encoding === "utf-8" || encoding === "utf-8-bom")
    return { take: (chunk) => collector.feed(chunk), end: () => {} };
  const decoder = new TextDecoder(encoding);
  return {
    take: (chunk) => collector.feed(Buffer.from(decoder.decode(chunk, { stream: true }))),
    end: () => collector.feed(Buffer.from(decoder.decode())),
  };
}

interface SliceFacts {
  readonly file: JailedPath;
  readonly range: Range;
  readonly encoding: TextEncodingName;
  readonly stats: Stats;
  readonly masked: readonly MaskedSecret[];
  readonly reachedEnd: boolean;
  readonly changed: boolean;
}

function toSlice(collected: CollectedLines, facts: SliceFacts): FileSlice {
  const { file, range, stats } = facts;
  const total = collected.lineCount;
  const { anchor } = range;
  if (anchor > Math.max(1, total))
    throw new PithError(
      "invalid_input",
      `line ${anchor} is beyond the end: ${file.shown} has ${total} lines`,
      {
        suggestion: `Use lines 1 to ${total}.`,
        totalLines: total,
      },
    );
  const shown = collected.lines.length;
  if (range.column > 1 && collected.lines[0] === "")
    throw new PithError("invalid_input", `column ${range.column} is beyond the end of line ${range.start}`);
  return {
    path: file.shown,
    startLine: shown === 0 ? 0 : range.start,
    endLine: shown === 0 ? 0 : range.start + shown - 1,
    requestedEndLine: Math.min(range.end, total),
    totalLines: total,
    totalIsExact: facts.reachedEnd,
    sizeBytes: stats.size,
    lines: collected.lines,
    ...(range.column > 1 ? { column: range.column } : {}),
    clipped: collected.clipped,
    encoding: facts.encoding,
    lineEnds: collected.crlf === 0 ? "lf" : collected.lf === 0 ? "crlf" : "mixed",
    undecodable: collected.undecodable,
    masked: facts.masked.flatMap((secret) => clipSecret(secret, range.start, range.start + shown - 1)),
    changedWhileReading: facts.changed,
  };
}

/** Returns the part of a masked secret that lies within the given lines, if there is one. */
function clipSecret({ line, lastLine }: MaskedSecret, first: number, last: number): MaskedSecret[] {
  if (lastLine < first || line > last) return [];
  return [{ line: Math.max(line, first), lastLine: Math.min(lastLine, last) }];
}
