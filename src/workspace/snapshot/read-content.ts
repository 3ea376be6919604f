import {
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
  readlinkSync,
  readSync,
  type BigIntStats,
} from "node:fs";
import { errnoOf } from "../../kernel/errors.ts";
import { isOpenedWithin } from "../../kernel/files/opened-path.ts";

/** The content of a path as git would store it. */
export interface Content {
  readonly bytes: Buffer;
  /** Identifies the state of the file on disk; undefined if a later change might not show in its timestamps. */
  readonly stamp: string | undefined;
}

/** Returns the status of a path without following symbolic links; undefined if it does not exist. */
export function lstatIfExists(place: string | Buffer): BigIntStats | undefined {
  return ifExists(() => lstatSync(place, { bigint: true, throwIfNoEntry: false }));
}

/**
 * Returns a text that identifies the state of a file; if it is equal, the file is unchanged. It contains the change
 * time, because a program can reset the modification time but not the change time.
 */
export function stampOf(stats: BigIntStats): string {
  return [stats.mtimeNs, stats.ctimeNs, stats.size, stats.ino, stats.mode].join(" ");
}

/** Reads the target of a symbolic link, which git stores as its content. */
export function readLink(place: string | Buffer, stats: BigIntStats): Content | undefined {
  const began = Date.now();
  const bytes = ifExists(() => readlinkSync(place, { encoding: "buffer" }));
  return bytes === undefined ? undefined : { bytes, stamp: settledStamp(stats, began) };
}

/** Reads a regular file; undefined if it was removed, or replaced by something that is not a regular file below the root. */
export function readRegular(place: string | Buffer, root: string): Content | undefined {
  return readWhole(place, root, (file, size) => {
    const bytes = readAll(file, size);
    return { bytes, length: bytes.length };
  });
}

/** Reads a regular file of any size in chunks and returns only the digest that is computed from them. */
export function digestRegular(
  place: string | Buffer,
  root: string,
  digest: () => Digest,
): Content | undefined {
  return readWhole(place, root, (file) => {
    const sink = digest();
    const chunk = Buffer.allocUnsafe(CHUNK_BYTES);
    let length = 0;
    for (let got = readSync(file, chunk); got > 0; got = readSync(file, chunk)) {
      sink.update(chunk.subarray(0, got));
      length += got;
    }
    return { bytes: sink.finish(length), length };
  });
}

/** Computes a short result, such as a hash, from the chunks of a file. */
export interface Digest {
  update(chunk: Buffer): void;
  finish(length: number): Buffer;
}

/** Number of attempts to read a file that keeps changing; the last result is accepted. */
const MAX_ATTEMPTS = 3;
/**
 * Time after a change during which a file on a file system with fine timestamps may change again unnoticed. Two writes
 * within one tick of the clock have equal timestamps; a tick takes 10 ms on Linux and 2 s on FAT.
 */
const FINE_TICK_MS = 20;
const CHUNK_BYTES = 1024 * 1024;
const COARSE_TICK_MS = 2_000;
const NOT_FOLLOWED = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);
/** Flags for opening a file. O_NOATIME keeps the access time unchanged, but only the owner of a file may use it. */
const KEEP_ACCESS_TIME = NOT_FOLLOWED | (constants.O_NOATIME ?? 0);

type ReadFile = (file: number, size: number) => { readonly bytes: Buffer; readonly length: number };

function readWhole(place: string | Buffer, root: string, read: ReadFile): Content | undefined {
  for (let attempt = 1; ; attempt++) {
    const content = readOnce(place, root, read);
    if (content === undefined || !content.torn || attempt === MAX_ATTEMPTS) return content;
  }
}

function readOnce(
  place: string | Buffer,
  root: string,
  read: ReadFile,
): (Content & { readonly torn: boolean }) | undefined {
  const began = Date.now();
  const file = ifExists(() => open(place));
  if (file === undefined) return undefined;
  try {
    const before = fstatSync(file, { bigint: true });
    if (!before.isFile() || !isOpenedWithin(file, place, root)) return undefined;
    const { bytes, length } = read(file, Number(before.size));
    const after = fstatSync(file, { bigint: true });
    const torn = stampOf(before) !== stampOf(after) || BigInt(length) !== before.size;
    return { bytes, torn, stamp: torn ? undefined : settledStamp(before, began) };
  } finally {
    closeSync(file);
  }
}

function open(place: string | Buffer): number {
  try {
    return openSync(place, KEEP_ACCESS_TIME);
  } catch (error) {
    if (errnoOf(error) !== "EPERM") throw error;
    return openSync(place, NOT_FOLLOWED);
  }
}

function readAll(file: number, expected: number): Buffer {
  // The buffer has one extra byte, which is filled only if the file has grown.
  let bytes = Buffer.allocUnsafe(expected + 1);
  let length = 0;
  for (;;) {
    const got = readSync(file, bytes, length, bytes.length - length, null);
    if (got === 0) return bytes.subarray(0, length);
    length += got;
    if (length === bytes.length) bytes = Buffer.concat([bytes], bytes.length * 2);
  }
}

/**
 * Returns the stamp of a file, or undefined if the file changed so recently that another change might not alter its
 * timestamps.
 */
function settledStamp(stats: BigIntStats, readAt: number): string | undefined {
  const changed = stats.mtimeNs > stats.ctimeNs ? stats.mtimeNs : stats.ctimeNs;
  const tick = stats.ctimeNs % 1_000_000_000n === 0n ? COARSE_TICK_MS : FINE_TICK_MS;
  return Number(changed / 1_000_000n) + tick < readAt ? stampOf(stats) : undefined;
}

/** Runs a file operation and returns undefined if the path does not exist or is not of the expected kind. */
function ifExists<T>(operation: () => T): T | undefined {
  try {
    return operation();
  } catch (error) {
    const errno = errnoOf(error);
    if (
      errno === "ENOENT" ||
      errno === "ENOTDIR" ||
      errno === "ELOOP" ||
      errno === "EINVAL" ||
      errno === "ENXIO"
    )
      return undefined;
    throw error;
  }
}
