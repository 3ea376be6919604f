import { createHash } from "node:crypto";
import type { BigIntStats } from "node:fs";
import { setImmediate as nextTurn } from "node:timers/promises";
import { errnoOf, PithError } from "../../kernel/errors.ts";
import { folderOf, placeOf, readablePath, type BytePath } from "./byte-path.ts";
import { lfsPointer, MAX_POINTER } from "./lfs.ts";
import type { ListedPath } from "./listing.ts";
import type { Remembered } from "./memory.ts";
import type { ObjectFormat } from "./private-git.ts";
import { digestRegular, lookAt, readLink, readRegular, stampOf, type Content } from "./read-content.ts";
import type { TreeEntry } from "./trees.ts";

/** Something of the working tree that the snapshot does not hold in full. */
export interface Omission {
  readonly path: string;
  /**
   * `too_large`: an untracked file over the limit. `unreadable`: the system refuses it. `special`: a device, pipe or
   * socket. `repository`: another repository inside the tree. `submodule`, `lfs`: it travels as a pointer.
   */
  readonly reason: "too_large" | "unreadable" | "special" | "repository" | "submodule" | "lfs";
  readonly bytes?: number;
}

export interface TakeFiles {
  readonly root: string;
  readonly listed: readonly ListedPath[];
  readonly remembered: ReadonlyMap<BytePath, Remembered>;
  readonly lfs: ReadonlySet<BytePath>;
  /** The user's settings for file systems without them. */
  readonly trustsModes: boolean;
  readonly trustsLinks: boolean;
  readonly maxFileBytes: number;
  readonly maxNewBytes: number;
  readonly store: BlobStore;
  /** The commit that a submodule is at; undefined when it is not checked out. */
  readonly submoduleHead: (path: BytePath) => Promise<string | undefined>;
  readonly signal?: AbortSignal;
}

/** Where the blobs of a snapshot go. */
export interface BlobStore {
  readonly format: ObjectFormat;
  /** Whether the object is in the base commit or was written before. */
  has(id: string): boolean;
  write(content: Buffer): Promise<string>;
}

export interface TakenFiles {
  readonly entries: readonly TreeEntry[];
  readonly files: ReadonlyMap<BytePath, Remembered>;
  readonly omitted: readonly Omission[];
  /** How many files had to be read. */
  readonly read: number;
}

/** Looks at every listed path and stores what changed since the last snapshot. */
export async function takeFiles(take: TakeFiles): Promise<TakenFiles> {
  const entries: TreeEntry[] = [];
  const files = new Map<BytePath, Remembered>();
  const omitted: Omission[] = [];
  const isRealFolder = realFolders(take.root);
  let [read, newBytes, seen] = [0, 0, 0];
  for (const listed of take.listed) {
    // Thousands of looks in a row would keep the server from answering.
    if (++seen % LOOKS_A_TURN === 0) await nextTurn();
    throwIfAborted(take.signal);
    const { path } = listed;
    const stats = isRealFolder(folderOf(path)) ? lookAt(placeOf(take.root, path)) : undefined;
    if (stats === undefined) continue;
    if (stats.isDirectory()) {
      if (listed.submodule === undefined) continue;
      const head = await take.submoduleHead(path);
      entries.push({ path, mode: "160000", id: head ?? listed.submodule });
      if (head !== undefined) omitted.push({ path: readablePath(path), reason: "submodule" });
      continue;
    }
    const one = await takeFile(listed, stats, take);
    if (one === undefined) continue;
    if ("reason" in one) {
      omitted.push(one);
      continue;
    }
    newBytes += one.newBytes;
    if (newBytes > take.maxNewBytes) throw tooMuch(path, take.maxNewBytes);
    if (one.read) read++;
    // A pointer on the disk travels as it is; only a file in its place is left behind.
    if (one.file.lfs && stats.size >= MAX_POINTER)
      omitted.push({ path: readablePath(path), reason: "lfs", bytes: Number(stats.size) });
    entries.push({ path, mode: one.mode, id: one.file.id });
    files.set(path, one.file);
  }
  return { entries, files, omitted, read };
}

const LOOKS_A_TURN = 2_000;

interface TakenFile {
  readonly file: Remembered;
  readonly mode: string;
  readonly read: boolean;
  readonly newBytes: number;
}

async function takeFile(
  listed: ListedPath,
  stats: BigIntStats,
  take: TakeFiles,
): Promise<TakenFile | Omission | undefined> {
  const { path } = listed;
  if (!stats.isFile() && !stats.isSymbolicLink()) return { path: readablePath(path), reason: "special" };
  const lfs = stats.isFile() && take.lfs.has(path);
  const mode = modeOf(listed, stats, take);
  const known = take.remembered.get(path);
  if (known?.stamp === stampOf(stats) && known.lfs === lfs && take.store.has(known.id))
    return { file: known, mode, read: false, newBytes: 0 };
  if (!lfs && Number(stats.size) > take.maxFileBytes) {
    const file = knownHuge(listed, stats, take);
    return file === undefined || "reason" in file ? file : { file, mode, read: true, newBytes: 0 };
  }
  const content = readPath(placeOf(take.root, path), stats, lfs);
  if (content === "unreadable") return { path: readablePath(path), reason: "unreadable" };
  if (content === undefined) return undefined;
  const { id, isNew } = await put(content.bytes, take.store);
  return {
    file: { id, lfs, stamp: content.stamp },
    mode,
    read: true,
    newBytes: isNew ? content.bytes.length : 0,
  };
}

/** A file over the limit can stay if the base commit has its content; only new content must travel. */
function knownHuge(
  { path, indexMode }: ListedPath,
  stats: BigIntStats,
  { root, store, maxFileBytes }: TakeFiles,
): Remembered | Omission | undefined {
  const bytes = Number(stats.size);
  if (indexMode === undefined) return { path: readablePath(path), reason: "too_large", bytes };
  const content = digestRegular(placeOf(root, path), () => {
    const hash = createHash(store.format).update(`blob ${bytes}\0`);
    return { update: (chunk) => void hash.update(chunk), finish: () => hash.digest() };
  });
  if (content === undefined) return undefined;
  const id = content.bytes.toString("hex");
  if (store.has(id)) return { id, lfs: false, stamp: content.stamp };
  throw new PithError(
    "invalid_input",
    `${readablePath(path)} has ${bytes} changed bytes; a snapshot takes files of up to ${maxFileBytes}`,
    { path: readablePath(path), bytes, suggestion: "Keep it out of git, or run this command locally." },
  );
}

async function put(content: Buffer, store: BlobStore): Promise<{ id: string; isNew: boolean }> {
  const id = createHash(store.format).update(`blob ${content.length}\0`).update(content).digest("hex");
  if (store.has(id)) return { id, isNew: false };
  return { id: await store.write(content), isNew: true };
}

function readPath(
  place: string | Buffer,
  stats: BigIntStats,
  lfs: boolean,
): Content | "unreadable" | undefined {
  try {
    if (stats.isSymbolicLink()) return readLink(place, stats);
    return lfs ? digestRegular(place, lfsPointer) : readRegular(place);
  } catch (error) {
    const errno = errnoOf(error);
    if (errno === "EACCES" || errno === "EPERM" || errno === "EIO") return "unreadable";
    throw error;
  }
}

/** Where the file system has no such bits, the user's index is the only one to know. */
function modeOf(
  { indexMode }: ListedPath,
  stats: BigIntStats,
  { trustsModes, trustsLinks }: TakeFiles,
): string {
  if (stats.isSymbolicLink()) return LINK;
  if (!trustsLinks && indexMode === LINK) return LINK;
  if (!trustsModes) return indexMode === EXECUTABLE ? EXECUTABLE : REGULAR;
  return (stats.mode & 0o100n) === 0n ? REGULAR : EXECUTABLE;
}

const LINK = "120000";
const EXECUTABLE = "100755";
const REGULAR = "100644";

/** Whether a folder is reached without a symbolic link: what lies behind a link is not part of the tree. */
function realFolders(root: string): (folder: BytePath) => boolean {
  const known = new Map<BytePath, boolean>([["", true]]);
  const isReal = (folder: BytePath): boolean => {
    const before = known.get(folder);
    if (before !== undefined) return before;
    const real = isReal(folderOf(folder)) && lookAt(placeOf(root, folder))?.isDirectory() === true;
    known.set(folder, real);
    return real;
  };
  return isReal;
}

function tooMuch(path: BytePath, limit: number): PithError {
  return new PithError(
    "invalid_input",
    `The working tree holds more than ${limit} bytes that are in no commit (at ${readablePath(path)})`,
    { suggestion: "Add what need not travel to .gitignore, or run this command locally." },
  );
}

function throwIfAborted(signal: AbortSignal | undefined): void {
  if (signal?.aborted === true) throw new PithError("cancelled", "The snapshot was cancelled");
}
