import { createHash } from "node:crypto";
import type { BigIntStats } from "node:fs";
import { setImmediate as nextTurn } from "node:timers/promises";
import { errnoOf, PithError } from "../../kernel/errors.ts";
import { folderOf, diskPath, readablePath, type BytePath } from "./byte-path.ts";
import { lfsPointer, MAX_POINTER_BYTES } from "./lfs.ts";
import type { ListedPath } from "./list-paths.ts";
import type { KnownFile } from "./last-snapshot.ts";
import type { ObjectFormat } from "./private-git.ts";
import {
  digestRegular,
  lstatIfExists,
  readLink,
  readRegular,
  stampOf,
  type Content,
} from "./read-content.ts";
import type { TreeEntry } from "./write-trees.ts";

/** A file or folder of the working tree that the snapshot does not contain in full. */
export interface Omission {
  readonly path: string;
  /**
   * Why the path is not contained in full. `too_large`: an untracked file above the limit. `unreadable`: access was
   * denied. `special`: a device, pipe or socket. `repository`: another repository inside the tree. `submodule` and
   * `lfs`: only a pointer is included.
   */
  readonly reason: "too_large" | "unreadable" | "special" | "repository" | "submodule" | "lfs";
  readonly bytes?: number;
}

export interface CollectOptions {
  readonly root: string;
  readonly listed: readonly ListedPath[];
  readonly knownFiles: ReadonlyMap<BytePath, KnownFile>;
  readonly lfs: ReadonlySet<BytePath>;
  /**
   * Whether the file system supports executable bits (`trustsModes`) and symbolic links (`trustsLinks`); if not, the
   * git index decides.
   */
  readonly trustsModes: boolean;
  readonly trustsLinks: boolean;
  readonly maxFileBytes: number;
  readonly maxNewBytes: number;
  readonly store: BlobStore;
  /** Returns the commit that is checked out in a submodule; undefined if there is none. */
  readonly submoduleHead: (path: BytePath) => Promise<string | undefined>;
  readonly signal?: AbortSignal;
}

/** Stores the file contents of a snapshot as git blobs. */
export interface BlobStore {
  readonly format: ObjectFormat;
  /** True if the base commit contains the object or if it has already been written. */
  has(id: string): boolean;
  write(content: Buffer): Promise<string>;
}

export interface CollectedFiles {
  readonly entries: readonly TreeEntry[];
  readonly files: ReadonlyMap<BytePath, KnownFile>;
  readonly omitted: readonly Omission[];
  /** Number of files that were read, because they may have changed since the last snapshot. */
  readonly read: number;
}

/** Checks every listed path and stores the files that changed since the last snapshot. */
export async function collectFiles(take: CollectOptions): Promise<CollectedFiles> {
  const entries: TreeEntry[] = [];
  const files = new Map<BytePath, KnownFile>();
  const omitted: Omission[] = [];
  const isRealFolder = realFolders(take.root);
  let [read, newBytes, seen] = [0, 0, 0];
  for (const listed of take.listed) {
    // The event loop gets a turn from time to time, because thousands of synchronous file checks in a row would block
    // the server.
    if (++seen % FILES_PER_TURN === 0) await nextTurn();
    throwIfAborted(take.signal);
    const { path } = listed;
    const stats = isRealFolder(folderOf(path)) ? lstatIfExists(diskPath(take.root, path)) : undefined;
    if (stats === undefined) continue;
    if (stats.isDirectory()) {
      if (listed.submodule === undefined) continue;
      const head = await take.submoduleHead(path);
      entries.push({ path, mode: "160000", id: head ?? listed.submodule });
      if (head !== undefined) omitted.push({ path: readablePath(path), reason: "submodule" });
      continue;
    }
    const one = await collectFile(listed, stats, take);
    if (one === undefined) continue;
    if ("reason" in one) {
      omitted.push(one);
      continue;
    }
    newBytes += one.newBytes;
    if (newBytes > take.maxNewBytes) throw tooMuchContent(path, take.maxNewBytes);
    if (one.read) read++;
    // If Git LFS manages a file, only its pointer is included. The file counts as omitted unless the file on disk is
    // itself a pointer.
    if (one.file.lfs && stats.size >= MAX_POINTER_BYTES)
      omitted.push({ path: readablePath(path), reason: "lfs", bytes: Number(stats.size) });
    entries.push({ path, mode: one.mode, id: one.file.id });
    files.set(path, one.file);
  }
  return { entries, files, omitted, read };
}

const FILES_PER_TURN = 2_000;

interface CollectedFile {
  readonly file: KnownFile;
  readonly mode: string;
  readonly read: boolean;
  readonly newBytes: number;
}

async function collectFile(
  listed: ListedPath,
  stats: BigIntStats,
  take: CollectOptions,
): Promise<CollectedFile | Omission | undefined> {
  const { path } = listed;
  if (!stats.isFile() && !stats.isSymbolicLink()) return { path: readablePath(path), reason: "special" };
  const lfs = stats.isFile() && take.lfs.has(path);
  const mode = modeOf(listed, stats, take);
  const known = take.knownFiles.get(path);
  if (known?.stamp === stampOf(stats) && known.lfs === lfs && take.store.has(known.id))
    return { file: known, mode, read: false, newBytes: 0 };
  if (!lfs && Number(stats.size) > take.maxFileBytes) {
    const file = hashLargeFile(listed, stats, take);
    return file === undefined || "reason" in file ? file : { file, mode, read: true, newBytes: 0 };
  }
  const content = readPath(path, stats, { root: take.root, lfs });
  if (content === "unreadable") return { path: readablePath(path), reason: "unreadable" };
  if (content === undefined) return undefined;
  const { id, isNew } = await storeBlob(content.bytes, take.store);
  return {
    file: { id, lfs, stamp: content.stamp },
    mode,
    read: true,
    newBytes: isNew ? content.bytes.length : 0,
  };
}

/**
 * Accepts a file above the size limit if the base commit contains the same content, because only new content has to be
 * sent.
 */
function hashLargeFile(
  { path, indexMode }: ListedPath,
  stats: BigIntStats,
  { root, store, maxFileBytes }: CollectOptions,
): KnownFile | Omission | undefined {
  const bytes = Number(stats.size);
  if (indexMode === undefined) return { path: readablePath(path), reason: "too_large", bytes };
  const content = digestRegular(diskPath(root, path), root, () => {
    const hash = createHash(store.format).update(`blob ${bytes}\0`);
    return { update: (chunk) => void hash.update(chunk), finish: () => hash.digest() };
  });
  if (content === undefined) return undefined;
  const id = content.bytes.toString("hex");
  if (store.has(id)) return { id, lfs: false, stamp: content.stamp };
  throw new PithError(
    "invalid_input",
    `${readablePath(path)} has ${bytes} changed bytes; snapshots allow up to ${maxFileBytes}`,
    { path: readablePath(path), bytes, suggestion: "Keep it out of git, or run this command locally." },
  );
}

async function storeBlob(content: Buffer, store: BlobStore): Promise<{ id: string; isNew: boolean }> {
  const id = createHash(store.format).update(`blob ${content.length}\0`).update(content).digest("hex");
  if (store.has(id)) return { id, isNew: false };
  return { id: await store.write(content), isNew: true };
}

function readPath(
  path: BytePath,
  stats: BigIntStats,
  { root, lfs }: { readonly root: string; readonly lfs: boolean },
): Content | "unreadable" | undefined {
  const place = diskPath(root, path);
  try {
    if (stats.isSymbolicLink()) return readLink(place, stats);
    return lfs ? digestRegular(place, root, lfsPointer) : readRegular(place, root);
  } catch (error) {
    const errno = errnoOf(error);
    if (errno === "EACCES" || errno === "EPERM" || errno === "EIO") return "unreadable";
    throw error;
  }
}

/**
 * Returns the git mode of a file: that of the file on disk, or that of the git index if the file system does not
 * support modes or links.
 */
function modeOf(
  { indexMode }: ListedPath,
  stats: BigIntStats,
  { trustsModes, trustsLinks }: CollectOptions,
): string {
  if (stats.isSymbolicLink()) return LINK;
  if (!trustsLinks && indexMode === LINK) return LINK;
  if (!trustsModes) return indexMode === EXECUTABLE ? EXECUTABLE : REGULAR;
  return (stats.mode & 0o100n) === 0n ? REGULAR : EXECUTABLE;
}

const LINK = "120000";
const EXECUTABLE = "100755";
const REGULAR = "100644";

/**
 * Returns a test whether the path to a folder contains no symbolic link; files behind a link are not part of the tree.
 */
function realFolders(root: string): (folder: BytePath) => boolean {
  const known = new Map<BytePath, boolean>([["", true]]);
  const isReal = (folder: BytePath): boolean => {
    const before = known.get(folder);
    if (before !== undefined) return before;
    const real = isReal(folderOf(folder)) && lstatIfExists(diskPath(root, folder))?.isDirectory() === true;
    known.set(folder, real);
    return real;
  };
  return isReal;
}

function tooMuchContent(path: BytePath, limit: number): PithError {
  return new PithError(
    "invalid_input",
    `The working tree has more than ${limit} bytes that are in no commit (at ${readablePath(path)})`,
    { suggestion: "Add unneeded files to .gitignore, or run this command locally." },
  );
}

function throwIfAborted(signal: AbortSignal | undefined): void {
  if (signal?.aborted === true) throw new PithError("cancelled", "The snapshot was cancelled");
}
