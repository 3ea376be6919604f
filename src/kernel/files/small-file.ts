import { closeSync, constants, fstatSync, openSync, readSync, statSync } from "node:fs";
import { errnoOf } from "../errors.ts";
import { isOpenedWithin } from "./opened-path.ts";

/** Why a file was not read. */
export type FileRefusal = "missing" | "unreadable" | "special" | "too large" | "outside";

export type SmallFile = { readonly bytes: Buffer } | { readonly refused: FileRefusal };

export interface SmallFileOptions {
  /** Maximum size in bytes; a larger file is refused. */
  readonly maxBytes?: number;
  /** True if a larger file is truncated instead of refused. */
  readonly truncate?: boolean;
  /** The folder that the file must be in when all symbolic links are followed. */
  readonly within?: string;
}

/** Default limit, above the size of any real configuration, manifest or ignore file. */
export const MAX_SMALL_FILE_BYTES = 4 * 1024 * 1024;

/** Opening a named pipe without O_NONBLOCK would wait for a writer. Windows does not support the flag. */
const OPEN_FLAGS = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0);

/**
 * Reads a file for its meaning: a configuration, a manifest, ignore rules. A repository can put anything in its place,
 * so only a regular file of limited size is read. This neither blocks nor fills the memory.
 */
export function readSmallFile(path: string | Buffer, options: SmallFileOptions = {}): SmallFile {
  const { maxBytes = MAX_SMALL_FILE_BYTES, truncate = false, within } = options;
  return withRegularFile(path, within, (file, size) => {
    if (truncate && size > maxBytes) return { bytes: readStart(file, maxBytes) };
    return size > maxBytes ? { refused: "too large" } : readWhole(file, size, maxBytes);
  });
}

/** Reads the first bytes of a regular file of any size, for a look at what it is. */
export function readFileStart(path: string, length: number): Buffer | undefined {
  const found = readSmallFile(path, { maxBytes: length, truncate: true });
  return "bytes" in found ? found.bytes : undefined;
}

/** Reads a file as UTF-8; undefined for every file that `readSmallFile` refuses. */
export function readSmallText(path: string | Buffer, options: SmallFileOptions = {}): string | undefined {
  const found = readSmallFile(path, options);
  return "bytes" in found ? found.bytes.toString("utf8") : undefined;
}

/** Says what is wrong with a refused file, as the end of a sentence that begins with its path. */
export function describeRefusal(refused: FileRefusal, maxBytes = MAX_SMALL_FILE_BYTES): string {
  return {
    missing: "does not exist",
    unreadable: "cannot be read",
    special: "is not a regular file",
    "too large": `is larger than ${maxBytes} bytes`,
    outside: "is a link to a file outside the workspace",
  }[refused];
}

function withRegularFile(
  path: string | Buffer,
  within: string | undefined,
  read: (file: number, size: number) => SmallFile,
): SmallFile {
  let file: number;
  try {
    // Opening a device can have effects, so the file is looked at before it is opened, and again afterwards.
    if (!statSync(path).isFile()) return { refused: "special" };
    file = openSync(path, OPEN_FLAGS);
  } catch (error) {
    return { refused: refusalOf(error) };
  }
  try {
    const stats = fstatSync(file);
    if (!stats.isFile()) return { refused: "special" };
    if (within !== undefined && !isOpenedWithin(file, path, within)) return { refused: "outside" };
    return read(file, stats.size);
  } catch (error) {
    return { refused: refusalOf(error) };
  } finally {
    closeSync(file);
  }
}

function readStart(file: number, length: number): Buffer {
  const bytes = Buffer.alloc(length);
  return bytes.subarray(0, readSync(file, bytes, 0, length, 0));
}

function readWhole(file: number, size: number, maxBytes: number): SmallFile {
  // One byte more than expected is read, to notice that the file has grown.
  let bytes = Buffer.allocUnsafe(size + 1);
  let length = 0;
  for (;;) {
    const got = readSync(file, bytes, length, bytes.length - length, null);
    if (got === 0) return { bytes: bytes.subarray(0, length) };
    length += got;
    if (length > maxBytes) return { refused: "too large" };
    if (length === bytes.length) bytes = Buffer.concat([bytes], bytes.length * 2);
  }
}

const MISSING: ReadonlySet<string> = new Set(["ENOENT", "ENOTDIR", "ELOOP", "ENAMETOOLONG"]);

/** Errors that say nothing about the file: this process has no descriptors or memory left. */
const EXHAUSTED: ReadonlySet<string> = new Set(["EMFILE", "ENFILE", "ENOMEM"]);

function refusalOf(error: unknown): FileRefusal {
  const errno = errnoOf(error);
  if (errno === undefined || EXHAUSTED.has(errno)) throw error;
  return MISSING.has(errno) ? "missing" : "unreadable";
}
