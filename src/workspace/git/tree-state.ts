import { lstat, readlink } from "node:fs/promises";
import { join } from "node:path";
import { errnoOf } from "../../kernel/errors.ts";
import { readSmallFile } from "../../kernel/files/small-file.ts";
import type { TreeFile, TreeState } from "../../model/run.ts";
import { blobHash } from "./git-objects.ts";
import { git } from "./git-repository.ts";

interface GitOptions {
  readonly signal: AbortSignal;
}

/** Upper bound on the files of a state, because it is stored with each run. */
const MAX_FILES = 300;
const MAX_STATUS_BYTES = 4 * 1024 * 1024;
/** Larger contents are identified by size and time, which takes no time to read. */
const MAX_HASHED_BYTES = 4 * 1024 * 1024;

/** Finds the top folder of the working tree around a folder; undefined outside of one. */
export async function findTopFolder(folder: string, options: GitOptions): Promise<string | undefined> {
  const found = await git(folder, ["rev-parse", "--show-toplevel"], options);
  const top = found.stdout.toString("utf8").replace(/\n$/, "");
  return found.exitCode === 0 && top !== "" ? top : undefined;
}

/**
 * Reads the state of the working tree around a folder; undefined outside of a repository, before its first commit, or if
 * very many tracked files differ from the commit.
 */
export async function readTreeState(folder: string, options: GitOptions): Promise<TreeState | undefined> {
  const [places, settings] = await Promise.all([
    git(folder, ["rev-parse", "--show-toplevel", "--show-prefix"], options),
    withoutFilters(folder, options),
  ]);
  if (places.exitCode !== 0 || settings === undefined) return undefined;
  const [top = "", prefix = ""] = places.stdout.toString("utf8").split("\n");
  const status = await git(folder, [...settings, ...STATUS], { ...options, maxBytes: MAX_STATUS_BYTES });
  if (status.exitCode !== 0) return undefined;
  const { commit, tracked, untracked } = readStatus(status.stdout.toString("utf8"));
  if (commit === undefined || tracked.length > MAX_FILES) return undefined;
  const isOpen = tracked.length + untracked.length > MAX_FILES;
  const format = commit.length === 64 ? "sha256" : "sha1";
  const files: TreeFile[] = [];
  for (const { path, committed, isNew } of isOpen ? tracked : [...tracked, ...untracked]) {
    const blob = await contentIdOf(join(top, path), format);
    // A file whose mode alone differs from the commit has the same content.
    if (blob !== committed)
      files.push({ path, ...(blob !== undefined && { blob }), ...(isNew && { isNew }) });
  }
  return { commit, prefix, files, ...(isOpen && { untracked: untracked.length }) };
}

const STATUS =
  "status --porcelain=v2 --branch -z --no-renames --untracked-files=all --ignore-submodules=dirty".split(" ");

/**
 * Settings that switch off the filters of a repository, which are programs that its configuration names. Git would start
 * them to compare files. Undefined if one has a name that cannot be written as a setting.
 */
export async function withoutFilters(
  folder: string,
  options: GitOptions,
): Promise<readonly string[] | undefined> {
  const found = await git(
    folder,
    ["config", "-z", "--name-only", "--get-regexp", String.raw`^filter\..*\.(clean|process|required)$`],
    options,
  );
  const names = new Set(found.stdout.toString("utf8").split("\0").filter(Boolean));
  if ([...names].some((name) => name.includes("="))) return undefined;
  return [...names].flatMap((name) => ["-c", name.endsWith(".required") ? `${name}=false` : `${name}=`]);
}

/** A file that differs from the commit, with its content in the commit. */
interface StatusEntry {
  readonly path: string;
  readonly committed?: string;
  readonly isNew?: true;
}

const TRACKED = /^1 \S+ \S+ \S+ \S+ \S+ (?<committed>\S+) \S+ (?<path>.+)$/s;
const UNMERGED = /^u (?:\S+ ){9}(?<path>.+)$/s;
const NO_BLOB = /^0+$/;

interface Status {
  readonly commit: string | undefined;
  readonly tracked: readonly StatusEntry[];
  readonly untracked: readonly StatusEntry[];
}

function readStatus(status: string): Status {
  let commit: string | undefined;
  const tracked: StatusEntry[] = [];
  const untracked: StatusEntry[] = [];
  for (const record of status.split("\0")) {
    const oid = /^# branch\.oid ([0-9a-f]{40,64})$/.exec(record)?.[1];
    if (oid !== undefined) commit = oid;
    if (record.startsWith("? ")) untracked.push({ path: record.slice(2), isNew: true });
    const { path, committed = "" } = (TRACKED.exec(record) ?? UNMERGED.exec(record))?.groups ?? {};
    if (path === undefined) continue;
    if (NO_BLOB.test(committed)) tracked.push({ path, isNew: true });
    else tracked.push({ path, ...(committed !== "" && { committed }) });
  }
  return { commit, tracked, untracked };
}

/** Identifies the content of a file as git does; undefined if there is none. */
export async function contentIdOf(path: string, format: "sha1" | "sha256"): Promise<string | undefined> {
  try {
    const { size, mtimeMs, ...stats } = await lstatOf(path);
    if (stats.isLink) return blobHash(Buffer.from(await readlink(path)), format);
    // A folder is a repository of its own, which git reports as one path.
    if (!stats.isFile) return "a folder";
    if (size > MAX_HASHED_BYTES) return `${size} bytes of ${mtimeMs}`;
    const read = readSmallFile(path, { maxBytes: MAX_HASHED_BYTES });
    return "bytes" in read ? blobHash(read.bytes, format) : undefined;
  } catch (error) {
    const errno = errnoOf(error);
    if (errno === "ENOENT" || errno === "ENOTDIR") return undefined;
    throw error;
  }
}

async function lstatOf(path: string) {
  const stats = await lstat(path);
  return {
    size: stats.size,
    mtimeMs: stats.mtimeMs,
    isLink: stats.isSymbolicLink(),
    isFile: stats.isFile(),
  };
}
