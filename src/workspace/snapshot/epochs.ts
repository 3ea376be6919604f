import { existsSync } from "node:fs";
import { mkdir, readdir, readFile, rename, rm, stat, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { errnoOf } from "../../kernel/errors.ts";
import { contentId, randomId } from "../../kernel/ids.ts";
import { compareText } from "../../kernel/nearest.ts";
import { makeRepository } from "./bare-repository.ts";
import type { ObjectFormat } from "./private-git.ts";

/**
 * One generation of a cache: a bare repository that only ever grows, a mark for each snapshot that is complete in it,
 * and a pin for each folder that reads from it. Nothing is removed from a generation; a new one takes over, and the
 * old one goes as a whole when nobody uses it. So no process can take an object away from another.
 */
export interface Epoch {
  readonly folder: string;
  readonly gitDir: string;
}

/** The generations of a cache, the newest first. */
export async function listEpochs(folder: string): Promise<Epoch[]> {
  const names = await namesIn(folder);
  return names
    .filter((name) => PATTERN.test(name))
    .sort((a, b) => compareText(b, a))
    .map((name) => epochAt(folder, name));
}

/** Makes the first generation; of several processes that try at once, one succeeds and all use its work. */
export async function startFirstEpoch(folder: string, format: ObjectFormat): Promise<void> {
  const draft = await draftEpoch(folder, format);
  try {
    await rename(draft.folder, join(folder, `epoch-${"0".repeat(9)}-${"0".repeat(6)}`));
  } catch (error) {
    await rm(draft.folder, { recursive: true, force: true });
    const errno = errnoOf(error);
    if (errno !== "ENOTEMPTY" && errno !== "EEXIST" && errno !== "EPERM") throw error;
  }
}

/**
 * Makes the generation that is used from now on. It is filled first and gets its name last; where `fill` says false,
 * nothing comes of it.
 */
export async function startEpoch(
  folder: string,
  format: ObjectFormat,
  fill: (draft: Epoch) => Promise<boolean> = async () => true,
): Promise<boolean> {
  const draft = await draftEpoch(folder, format);
  const fits = await fill(draft);
  const name = `epoch-${Date.now().toString(36).padStart(9, "0")}-${randomId(6)}`;
  if (fits) await rename(draft.folder, join(folder, name));
  else await rm(draft.folder, { recursive: true, force: true });
  return fits;
}

/** When the generation began; undefined when it is gone. */
export function begunAt(epoch: Epoch): Promise<number | undefined> {
  return modifiedAt(join(epoch.gitDir, "config"));
}

export function isMarked(epoch: Epoch, commit: string): boolean {
  return existsSync(markOf(epoch, commit));
}

/** Says that a snapshot is complete here, or that it was used. */
export async function mark(epoch: Epoch, commit: string): Promise<void> {
  await writeFile(markOf(epoch, commit), "");
}

/** The complete snapshots with the time of their last use, the latest first. */
export async function marks(epoch: Epoch): Promise<{ commit: string; usedAt: number }[]> {
  const found: { commit: string; usedAt: number }[] = [];
  for (const commit of await namesIn(join(epoch.folder, "have"))) {
    const usedAt = await modifiedAt(markOf(epoch, commit));
    if (usedAt !== undefined) found.push({ commit, usedAt });
  }
  return found.sort((a, b) => b.usedAt - a.usedAt || compareText(a.commit, b.commit));
}

/** Keeps a generation for as long as the folder exists. */
export async function pin(epoch: Epoch, folder: string): Promise<void> {
  await writeFile(pinOf(epoch, folder), folder);
}

export async function unpin(epoch: Epoch, folder: string): Promise<void> {
  await rm(pinOf(epoch, folder), { force: true });
}

/** Whether a folder reads from this generation, or somebody used it since the given time. */
export async function isInUse(epoch: Epoch, since: number): Promise<boolean> {
  const used = (await modifiedAt(join(epoch.folder, "used"))) ?? (await begunAt(epoch));
  if (used === undefined || used >= since) return true;
  for (const name of await namesIn(join(epoch.folder, "pins"))) {
    const folder = await readFile(join(epoch.folder, "pins", name), "utf8").catch(() => "");
    if (folder !== "" && existsSync(folder)) return true;
  }
  return false;
}

export async function touch(epoch: Epoch): Promise<void> {
  const file = join(epoch.folder, "used");
  const now = Date.now() / 1000;
  await utimes(file, now, now).catch(() => writeFile(file, ""));
}

const PATTERN = /^epoch-[0-9a-z]{9}-[0-9a-z]{6}$/;

async function draftEpoch(folder: string, format: ObjectFormat): Promise<Epoch> {
  const draft = epochAt(folder, `draft-${randomId(12)}`);
  await makeRepository(draft.gitDir, { format });
  await mkdir(join(draft.folder, "have"));
  await mkdir(join(draft.folder, "pins"));
  return draft;
}

function epochAt(folder: string, name: string): Epoch {
  return { folder: join(folder, name), gitDir: join(folder, name, "git") };
}

function markOf(epoch: Epoch, commit: string): string {
  return join(epoch.folder, "have", commit);
}

function pinOf(epoch: Epoch, folder: string): string {
  return join(epoch.folder, "pins", contentId(folder));
}

async function namesIn(folder: string): Promise<string[]> {
  try {
    return await readdir(folder);
  } catch (error) {
    if (errnoOf(error) === "ENOENT") return [];
    throw error;
  }
}

async function modifiedAt(file: string): Promise<number | undefined> {
  try {
    return (await stat(file)).mtimeMs;
  } catch (error) {
    if (errnoOf(error) === "ENOENT") return undefined;
    throw error;
  }
}
