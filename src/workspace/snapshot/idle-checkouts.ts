import { constants } from "node:fs";
import { copyFile, rename, rm, stat, utimes } from "node:fs/promises";
import { join } from "node:path";
import { errnoOf } from "../../kernel/errors.ts";
import { randomId } from "../../kernel/ids.ts";
import { makePrivateFolder } from "../../kernel/make-folder.ts";
import { compareText } from "../../kernel/nearest.ts";
import { makeRepository } from "./private-repository.ts";
import { bytePath, folderOf, diskPath } from "./byte-path.ts";
import { pin, type Generation } from "./cache-generation.ts";
import { listNames } from "./if-exists.ts";
import { privateGitOk, type GitCall, type ObjectFormat, type Variables } from "./private-git.ts";
import { lstatIfExists } from "./read-content.ts";
import { removeFolder } from "./remove-folder.ts";

/**
 * Moves an idle checkout of the same project to the target folder; returns false if there is none. An idle checkout is
 * the folder of an earlier job, reset to its snapshot. Switching it to another snapshot writes only the files that
 * differ, whereas a new checkout of a large repository takes seconds.
 */
export async function claimIdleCheckout(cache: string, family: string, target: string): Promise<boolean> {
  const names = await listIdle(cache);
  const fitting = names.filter((name) => name.startsWith(`${family}-`)).sort((a, b) => compareText(b, a));
  for (const name of fitting) {
    try {
      await rename(join(cache, IDLE, name), target);
      return true;
    } catch (error) {
      // The idle checkout is gone, because another job has taken it.
      if (errnoOf(error) !== "ENOENT") throw error;
    }
  }
  return false;
}

/** Saves the git index of a new checkout, which later shows which files the job changed. */
export async function saveIndex(folder: string, place: string): Promise<void> {
  await copyWithTimes(join(folder, ".git", "index"), place);
}

export interface IdleCheckout {
  readonly cache: string;
  readonly family: string;
  readonly commit: string;
  readonly generation: Generation;
  /** Path of the git index that saveIndex has saved. */
  readonly index: string;
  readonly format: ObjectFormat;
  readonly variables: Variables;
  readonly maxIdleCheckouts: number;
}

/**
 * Resets the folder of a finished job to its snapshot and keeps it for later jobs. Returns false if it could not be
 * kept.
 */
export async function keepIdle(folder: string, checkout: IdleCheckout): Promise<boolean> {
  const { cache, family, generation } = checkout;
  if ((await listIdle(cache)).length >= checkout.maxIdleCheckouts) return false;
  await makePrivateFolder(join(cache, IDLE));
  await makePrivateFolder(join(cache, CLEANING));
  const id = `${family}-${Date.now().toString(36)}-${randomId(6)}`;
  const cleaning = join(cache, CLEANING, id);
  try {
    await rename(folder, cleaning);
  } catch (error) {
    // The folder cannot be kept, because it is on another file system or no longer exists.
    if (errnoOf(error) === "EXDEV" || errnoOf(error) === "ENOENT") return false;
    throw error;
  }
  const same = await restore(cleaning, checkout).catch(() => false);
  if (!same) {
    await removeFolder(cleaning);
    return false;
  }
  const idle = join(cache, IDLE, id);
  await rename(cleaning, idle);
  await pin(generation, { folder: idle, commit: checkout.commit, family });
  return true;
}

/**
 * Removes checkouts that have been idle for longer than the given time, and those that a killed process was resetting.
 */
export async function removeIdleCheckouts(cache: string, olderThanMs: number): Promise<void> {
  for (const kind of [IDLE, CLEANING]) {
    for (const name of await listNames(join(cache, kind))) {
      const folder = join(cache, kind, name);
      const since = await stat(folder).catch(() => undefined);
      if (since !== undefined && Date.now() - since.ctimeMs >= olderThanMs) await removeFolder(folder);
    }
  }
}

const IDLE = "spares";
const CLEANING = "cleaning";

/** Lists the idle checkouts, except those that are being removed, whose names have a suffix. */
async function listIdle(cache: string): Promise<string[]> {
  return (await listNames(join(cache, IDLE))).filter((name) => !name.includes("."));
}

/**
 * Resets the folder of a job to its snapshot. The job may have changed anything, so the repository is created again,
 * files whose timestamps differ from the saved index are rewritten, and files that the index does not list are removed.
 */
async function restore(
  folder: string,
  { commit, generation, index, format, variables }: IdleCheckout,
): Promise<boolean> {
  const gitDir = join(folder, ".git");
  await rm(gitDir, { recursive: true, force: true });
  await makeRepository(gitDir, {
    format,
    head: commit,
    bare: false,
    alternates: [join(generation.gitDir, "objects")],
  });
  await copyWithTimes(index, join(gitDir, "index"));
  const call: GitCall = { gitDir, workTree: folder, variables };
  await privateGitOk(["clean", "-ffdxq"], call);
  await privateGitOk(["checkout-index", "--all", "--force", "--index", "--quiet"], call);
  const left = await privateGitOk(
    ["status", "--porcelain", "-z", "--ignored", "--untracked-files=all"],
    call,
  );
  return left.length === 0 && (await hasDefaultModes(folder, call));
}

/** Compares the permissions of folders, which git ignores, with those of a newly created folder. */
async function hasDefaultModes(folder: string, call: GitCall): Promise<boolean> {
  const expected = lstatIfExists(join(call.gitDir, "refs"))?.mode;
  const files = bytePath(
    await privateGitOk(["ls-files", "-z"], { ...call, maxBytes: MAX_LISTING_BYTES }),
  ).split("\0");
  const folders = new Set<string>();
  for (const file of files) {
    for (let at = folderOf(file); at !== "" && !folders.has(at); at = folderOf(at)) folders.add(at);
  }
  for (const at of folders) if (lstatIfExists(diskPath(folder, at))?.mode !== expected) return false;
  return ((lstatIfExists(folder)?.mode ?? 0n) & 0o7777n) === 0o700n;
}

const MAX_LISTING_BYTES = 512 * 1024 * 1024;

/**
 * Copies a git index with its timestamps. Git distrusts files that are as new as the index, so the copy must not look
 * newer than the original.
 */
async function copyWithTimes(from: string, to: string): Promise<void> {
  const { atime, mtime } = await stat(from);
  await copyFile(from, to, constants.COPYFILE_FICLONE);
  await utimes(to, atime, mtime);
}
