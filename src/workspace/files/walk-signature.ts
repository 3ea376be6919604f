import { closeSync, constants, fstatSync, lstatSync, openSync, readSync, type Stats } from "node:fs";
import { errnoOf } from "../../kernel/errors.ts";

/** What tells that a file is still the one that was read. Times are in milliseconds with their fraction. */
export interface FileSignature {
  readonly size: number;
  readonly modified: number;
  /** The inode's change time: no program can set it back, so it also tells copies that keep their old dates. */
  readonly changed: number;
  readonly inode: number;
  /** When the signature was taken; see `isSettled`. */
  readonly taken: number;
}

/**
 * Two writes within one tick of the file system's clock leave the same times. A signature taken this soon after the
 * change may hide a later write, so such a file is read again. Ticks are at most 10 ms on local disks; the rest is room
 * for coarse ones.
 */
const SETTLE_MS = 100;

/** A change this far ahead was made before the clock was set back; no later write can have its time for long. */
const CLOCK_SET_BACK_MS = 60_000;

/**
 * Whether the signature was taken long enough after the file's last change to be believed. A write sets both times, but
 * only the time of modification can be set to any other one later.
 */
export function isSettled({ changed, modified, taken }: FileSignature): boolean {
  const written = changed > 0 ? changed : modified;
  return written + SETTLE_MS < taken || (taken > 0 && written > taken + CLOCK_SET_BACK_MS);
}

/** The signature of a regular file; undefined where there is none (any more). */
export function signatureOf(path: string): FileSignature | undefined {
  const stats = statOf(path);
  return stats?.isFile() ? toSignature(stats) : undefined;
}

/** Whether the file looks the same; a second write within a tick of the clock goes unseen. */
export function isSameFile(path: string, known: FileSignature): boolean {
  const stats = statOf(path);
  return stats !== undefined && isSameAs(stats, known);
}

/** The same of a file that was looked at already. */
export function isSameAs(stats: Stats, known: FileSignature): boolean {
  return (
    stats.mtimeMs === known.modified &&
    stats.size === known.size &&
    stats.ctimeMs === known.changed &&
    stats.ino === known.inode
  );
}

/** A file's bytes with the signature that belongs to exactly these bytes. */
export interface FileContent {
  readonly bytes: Buffer;
  readonly signature: FileSignature;
}

/**
 * Something else may lie there since the look before: a link is not followed, and a pipe without a writer would be waited
 * for. Windows has neither flag.
 */
const OPEN = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

/** Reads a whole file of at most `limit` bytes. Too large: only the signature. Gone or no regular file: undefined. */
export function readContent(
  path: string,
  limit: number,
): FileContent | { readonly tooLarge: FileSignature } | undefined {
  let file: number;
  try {
    if (!lstatSync(path).isFile()) return undefined;
    file = openSync(path, OPEN);
  } catch (error) {
    if (isAbsence(error)) return undefined;
    throw error;
  }
  try {
    return fstatSync(file).isFile() ? readOpen(file, limit) : undefined;
  } finally {
    closeSync(file);
  }
}

/** A writer may be at work: the bytes count only if the file's signature is the same before and after. */
function readOpen(file: number, limit: number): FileContent | { readonly tooLarge: FileSignature } {
  for (let attempt = 1; ; attempt++) {
    const before = toSignature(fstatSync(file));
    if (before.size > limit) return { tooLarge: before };
    const buffer = Buffer.allocUnsafe(before.size + 1);
    let length = 0;
    // Fewer bytes than asked for are the last ones; only a file that grew or shrank meanwhile gives others than expected.
    for (let read = -1; read !== 0 && length !== before.size && length < buffer.length; length += read)
      read = readSync(file, buffer, length, buffer.length - length, length);
    const after = toSignature(fstatSync(file));
    const same =
      after.modified === before.modified && after.changed === before.changed && after.size === before.size;
    // A file that never rests keeps the older time, so the next sweep reads it again.
    if ((same && length === before.size) || attempt === 3)
      return { bytes: buffer.subarray(0, length), signature: same ? after : { ...before, taken: 0 } };
  }
}

export function statOf(path: string): Stats | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false });
  } catch (error) {
    if (isAbsence(error)) return undefined;
    throw error;
  }
}

function toSignature(stats: Stats): FileSignature {
  return {
    size: stats.size,
    modified: stats.mtimeMs,
    changed: stats.ctimeMs,
    inode: stats.ino,
    taken: Date.now(),
  };
}

/** For the index a file that cannot be read is not there. */
function isAbsence(error: unknown): boolean {
  const errno = errnoOf(error);
  return errno !== undefined && ABSENT.has(errno);
}

const ABSENT: ReadonlySet<string> = new Set([
  "ENOENT",
  "ENOTDIR",
  "EACCES",
  "EPERM",
  "ELOOP",
  "ENAMETOOLONG",
]);
