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

/** What a path holds: the bytes that git would store for it. */
export interface Content {
  readonly bytes: Buffer;
  /** What the file looked like when it was read; undefined when its times could not tell a change since. */
  readonly stamp: string | undefined;
}

/** The state of a path without following a symbolic link; undefined when it is not there. */
export function lookAt(place: string | Buffer): BigIntStats | undefined {
  return whenThere(() => lstatSync(place, { bigint: true, throwIfNoEntry: false }));
}

/**
 * Two equal stamps mean an unchanged file. The change time is part of it, because a program can set the modification
 * time back but not this one.
 */
export function stampOf(stats: BigIntStats): string {
  return [stats.mtimeNs, stats.ctimeNs, stats.size, stats.ino, stats.mode].join(" ");
}

/** Reads a symbolic link's text. */
export function readLink(place: string | Buffer, stats: BigIntStats): Content | undefined {
  const began = Date.now();
  const bytes = whenThere(() => readlinkSync(place, { encoding: "buffer" }));
  return bytes === undefined ? undefined : { bytes, stamp: settledStamp(stats, began) };
}

/** Reads a regular file; undefined when it went away or became something else. */
export function readRegular(place: string | Buffer): Content | undefined {
  return readWhole(place, (file, size) => {
    const bytes = readAll(file, size);
    return { bytes, length: bytes.length };
  });
}

/** The same for a file of any size of which only a short text made from its bytes is wanted. */
export function digestRegular(place: string | Buffer, digest: () => Digest): Content | undefined {
  return readWhole(place, (file) => {
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

/** Takes a file piece by piece. */
export interface Digest {
  update(chunk: Buffer): void;
  finish(length: number): Buffer;
}

/** A file that is written to all the time is taken as it was at the last look. */
const ATTEMPTS = 3;
/** Two writes within one tick of the file system's clock leave the same times: 10 ms on Linux, 2 s on FAT. */
const FINE_TICK_MS = 20;
const CHUNK_BYTES = 1024 * 1024;
const COARSE_TICK_MS = 2_000;
const NOT_FOLLOWED = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);
/** Reading should leave no trace; only the owner may ask for that. */
const NO_TRACE = NOT_FOLLOWED | (constants.O_NOATIME ?? 0);

type ReadFile = (file: number, size: number) => { readonly bytes: Buffer; readonly length: number };

function readWhole(place: string | Buffer, read: ReadFile): Content | undefined {
  for (let attempt = 1; ; attempt++) {
    const content = readOnce(place, read);
    if (content === undefined || !content.torn || attempt === ATTEMPTS) return content;
  }
}

function readOnce(
  place: string | Buffer,
  read: ReadFile,
): (Content & { readonly torn: boolean }) | undefined {
  const began = Date.now();
  const file = whenThere(() => open(place));
  if (file === undefined) return undefined;
  try {
    const before = fstatSync(file, { bigint: true });
    if (!before.isFile()) return undefined;
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
    return openSync(place, NO_TRACE);
  } catch (error) {
    if (errnoOf(error) !== "EPERM") throw error;
    return openSync(place, NOT_FOLLOWED);
  }
}

function readAll(file: number, expected: number): Buffer {
  // One byte more, to see a file that grew.
  let bytes = Buffer.allocUnsafe(expected + 1);
  let length = 0;
  for (;;) {
    const got = readSync(file, bytes, length, bytes.length - length, null);
    if (got === 0) return bytes.subarray(0, length);
    length += got;
    if (length === bytes.length) bytes = Buffer.concat([bytes], bytes.length * 2);
  }
}

/** No stamp for a file that could change again without its times telling. */
function settledStamp(stats: BigIntStats, readAt: number): string | undefined {
  const changed = stats.mtimeNs > stats.ctimeNs ? stats.mtimeNs : stats.ctimeNs;
  const tick = stats.ctimeNs % 1_000_000_000n === 0n ? COARSE_TICK_MS : FINE_TICK_MS;
  return Number(changed / 1_000_000n) + tick < readAt ? stampOf(stats) : undefined;
}

/** Runs a look at a path that may be gone, or never have been where the list says. */
function whenThere<T>(look: () => T): T | undefined {
  try {
    return look();
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
