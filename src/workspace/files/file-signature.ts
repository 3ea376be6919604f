import { closeSync, constants, fstatSync, lstatSync, openSync, readSync, type Stats } from "node:fs";
import { errnoOf } from "../../kernel/errors.ts";
import { isOpenedWithin } from "../../kernel/files/opened-path.ts";

/** Metadata that reveals whether a file has changed since it was read. Times are fractional milliseconds. */
export interface FileSignature {
  readonly size: number;
  readonly modified: number;
  /**
   * Change time of the inode. Programs cannot set it, so it also reveals that a file was replaced by a copy with an old
   * modification time.
   */
  readonly changed: number;
  readonly inode: number;
  /** Time at which the signature was taken, by which `isSettled` decides whether it can be trusted. */
  readonly taken: number;
}

/**
 * Time after a change during which the signature of a file is not trusted. Two writes within one tick of the file
 * system's clock have equal timestamps, so such a file is read again. Ticks take at most 10 ms on local disks; the rest
 * is a margin for coarser clocks.
 */
const SETTLE_MS = 100;

/**
 * A change time that is further in the future than this means that the clock was set back. Such a signature can be
 * trusted, because later writes get other times.
 */
const FUTURE_CHANGE_MS = 60_000;

/**
 * True if the signature was taken long enough after the file's last change to be trusted. A write sets the change time
 * and the modification time, but programs can later set the latter to any value.
 */
export function isSettled({ changed, modified, taken }: FileSignature): boolean {
  const written = changed > 0 ? changed : modified;
  return written + SETTLE_MS < taken || (taken > 0 && written > taken + FUTURE_CHANGE_MS);
}

/** Returns the signature of a regular file; undefined if it does not exist. */
export function signatureOf(path: string): FileSignature | undefined {
  const stats = statOf(path);
  return stats?.isFile() ? toSignature(stats) : undefined;
}

/** True if the file looks unchanged. A second write within one tick of the file system's clock is not noticed. */
export function isSameFile(path: string, known: FileSignature): boolean {
  const stats = statOf(path);
  return stats !== undefined && isSameAs(stats, known);
}

/** Compares the status of a file with a known signature. */
export function isSameAs(stats: Stats, known: FileSignature): boolean {
  return (
    stats.mtimeMs === known.modified &&
    stats.size === known.size &&
    stats.ctimeMs === known.changed &&
    stats.ino === known.inode
  );
}

/** The content of a file with the signature that belongs to exactly this content. */
export interface FileContent {
  readonly bytes: Buffer;
  readonly signature: FileSignature;
}

/**
 * Flags for opening a file that may have been replaced since it was checked: symbolic links are not followed, and
 * opening a pipe does not block. Windows supports neither flag.
 */
const OPEN_FLAGS = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

/**
 * Reads a file of at most `limit` bytes. For a larger file only its signature is returned; undefined for a missing or
 * special file and for one that is outside of the root, because a folder of its path became a symbolic link.
 */
export function readContent(
  root: string,
  name: string,
  limit: number,
): FileContent | { readonly tooLarge: FileSignature } | undefined {
  const path = `${root}/${name}`;
  let file: number;
  try {
    if (!lstatSync(path).isFile()) return undefined;
    file = openSync(path, OPEN_FLAGS);
  } catch (error) {
    if (isMissingFileError(error)) return undefined;
    throw error;
  }
  try {
    const isPlain = fstatSync(file).isFile() && isOpenedWithin(file, path, root);
    return isPlain ? readOpen(file, limit) : undefined;
  } finally {
    closeSync(file);
  }
}

/**
 * Reads an open file. Its content is accepted only if the signature of the file is the same before and after reading.
 */
function readOpen(file: number, limit: number): FileContent | { readonly tooLarge: FileSignature } {
  for (let attempt = 1; ; attempt++) {
    const before = toSignature(fstatSync(file));
    if (before.size > limit) return { tooLarge: before };
    const buffer = Buffer.allocUnsafe(before.size + 1);
    let length = 0;
    // The buffer has one extra byte, which is filled only if the file has grown in the meantime.
    for (let read = -1; read !== 0 && length !== before.size && length < buffer.length; length += read)
      read = readSync(file, buffer, length, buffer.length - length, length);
    const after = toSignature(fstatSync(file));
    const same =
      after.modified === before.modified && after.changed === before.changed && after.size === before.size;
    // After the last attempt, a file that keeps changing gets a signature without a time, so that the next scan reads
    // it again.
    if ((same && length === before.size) || attempt === 3)
      return { bytes: buffer.subarray(0, length), signature: same ? after : { ...before, taken: 0 } };
  }
}

export function statOf(path: string): Stats | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false });
  } catch (error) {
    if (isMissingFileError(error)) return undefined;
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

/** True for errors that make a file count as missing, which includes unreadable files, as in the index. */
function isMissingFileError(error: unknown): boolean {
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
