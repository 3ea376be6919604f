import { constants } from "node:fs";
import { copyFile, rename, rm, stat, utimes } from "node:fs/promises";
import { join } from "node:path";
import { errnoOf } from "../../kernel/errors.ts";
import { randomId } from "../../kernel/ids.ts";
import { makePrivateFolder } from "../../kernel/make-folder.ts";
import { compareText } from "../../kernel/nearest.ts";
import { makeRepository } from "./bare-repository.ts";
import { bytePath, folderOf, placeOf } from "./byte-path.ts";
import { pin, type Epoch } from "./epochs.ts";
import { namesIn } from "./look.ts";
import { privateGitOk, type GitCall, type ObjectFormat, type Variables } from "./private-git.ts";
import { lookAt } from "./read-content.ts";
import { removeFolder } from "./remove-folder.ts";

/**
 * Folders that a job has left and that were put back to the snapshot they had. To bring one to another snapshot of the
 * same project costs as much as the two differ; to write all files of a large repository anew costs seconds.
 */
export async function takeSpare(cache: string, family: string, target: string): Promise<boolean> {
  const names = await readyNames(cache);
  const fitting = names.filter((name) => name.startsWith(`${family}-`)).sort((a, b) => compareText(b, a));
  for (const name of fitting) {
    try {
      await rename(join(cache, READY, name), target);
      return true;
    } catch (error) {
      // Another job was faster.
      if (errnoOf(error) !== "ENOENT") throw error;
    }
  }
  return false;
}

/** Keeps git's own record of the files that were written, for the day the job is over: only it tells what changed. */
export async function keepIndex(folder: string, place: string): Promise<void> {
  await copyWithTimes(join(folder, ".git", "index"), place);
}

export interface Parking {
  readonly cache: string;
  readonly family: string;
  readonly commit: string;
  readonly epoch: Epoch;
  /** Where keepIndex put the record. */
  readonly index: string;
  readonly format: ObjectFormat;
  readonly variables: Variables;
  readonly maxSpares: number;
}

/** Puts a left folder back to its snapshot and keeps it. False: it could not be proved to be the same, and is gone. */
export async function parkSpare(folder: string, parking: Parking): Promise<boolean> {
  const { cache, family, epoch } = parking;
  if ((await readyNames(cache)).length >= parking.maxSpares) return false;
  await makePrivateFolder(join(cache, READY));
  await makePrivateFolder(join(cache, CLEANING));
  const id = `${family}-${Date.now().toString(36)}-${randomId(6)}`;
  const cleaning = join(cache, CLEANING, id);
  try {
    await rename(folder, cleaning);
  } catch (error) {
    // On another disk, or gone.
    if (errnoOf(error) === "EXDEV" || errnoOf(error) === "ENOENT") return false;
    throw error;
  }
  const same = await restore(cleaning, parking).catch(() => false);
  if (!same) {
    await removeFolder(cleaning);
    return false;
  }
  const ready = join(cache, READY, id);
  await rename(cleaning, ready);
  await pin(epoch, { folder: ready, commit: parking.commit, family });
  return true;
}

/** Removes spares that wait for longer, and what a killed process left half cleaned. */
export async function dropSpares(cache: string, olderThanMs: number): Promise<void> {
  for (const kind of [READY, CLEANING]) {
    for (const name of await namesIn(join(cache, kind))) {
      const folder = join(cache, kind, name);
      const since = await stat(folder).catch(() => undefined);
      if (since !== undefined && Date.now() - since.ctimeMs >= olderThanMs) await removeFolder(folder);
    }
  }
}

const READY = "spares";
const CLEANING = "cleaning";

/** Not those that are being removed: they have an ending. */
async function readyNames(cache: string): Promise<string[]> {
  return (await namesIn(join(cache, READY))).filter((name) => !name.includes("."));
}

/**
 * The job may have changed anything, the repository around the files included: that is made anew. A file whose times
 * are not those of the record is written anew, whatever it holds; what the record does not name is removed.
 */
async function restore(
  folder: string,
  { commit, epoch, index, format, variables }: Parking,
): Promise<boolean> {
  const gitDir = join(folder, ".git");
  await rm(gitDir, { recursive: true, force: true });
  await makeRepository(gitDir, {
    format,
    head: commit,
    bare: false,
    alternates: [join(epoch.gitDir, "objects")],
  });
  await copyWithTimes(index, join(gitDir, "index"));
  const call: GitCall = { gitDir, workTree: folder, variables };
  await privateGitOk(["clean", "-ffdxq"], call);
  await privateGitOk(["checkout-index", "--all", "--force", "--index", "--quiet"], call);
  const left = await privateGitOk(
    ["status", "--porcelain", "-z", "--ignored", "--untracked-files=all"],
    call,
  );
  return left.length === 0 && (await hasUsualModes(folder, call));
}

/** Git does not look at the modes of folders. Ours, just made, shows what they should be. */
async function hasUsualModes(folder: string, call: GitCall): Promise<boolean> {
  const usual = lookAt(join(call.gitDir, "refs"))?.mode;
  const files = bytePath(await privateGitOk(["ls-files", "-z"], { ...call, maxBytes: MAX_LISTING })).split(
    "\0",
  );
  const folders = new Set<string>();
  for (const file of files) {
    for (let at = folderOf(file); at !== "" && !folders.has(at); at = folderOf(at)) folders.add(at);
  }
  for (const at of folders) if (lookAt(placeOf(folder, at))?.mode !== usual) return false;
  return ((lookAt(folder)?.mode ?? 0n) & 0o7777n) === 0o700n;
}

const MAX_LISTING = 512 * 1024 * 1024;

/** Git takes a file as old as its record for possibly changed since: the record must not look younger than it is. */
async function copyWithTimes(from: string, to: string): Promise<void> {
  const { atime, mtime } = await stat(from);
  await copyFile(from, to, constants.COPYFILE_FICLONE);
  await utimes(to, atime, mtime);
}
