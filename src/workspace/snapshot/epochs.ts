import { existsSync } from "node:fs";
import { mkdir, readFile, rename, rm, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { errnoOf } from "../../kernel/errors.ts";
import { contentId, randomId } from "../../kernel/ids.ts";
import { compareText } from "../../kernel/nearest.ts";
import { makeRepository } from "./bare-repository.ts";
import { modifiedAt, namesIn } from "./look.ts";
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

/** Says that a snapshot is complete here. The family is the first snapshot of the chain it came by. */
export async function mark(
  epoch: Epoch,
  commit: string,
  as: { family: string; usedAt?: number },
): Promise<void> {
  await writeFile(markOf(epoch, commit), as.family);
  // The file system's own clock is coarser, and would lag behind the times that are set.
  const usedAt = (as.usedAt ?? Date.now()) / 1000;
  await utimes(markOf(epoch, commit), usedAt, usedAt);
}

/** The family of a complete snapshot. */
export async function familyOf(epoch: Epoch, commit: string): Promise<string> {
  const family = await readFile(markOf(epoch, commit), "utf8");
  return family === "" ? commit : family;
}

export interface Mark {
  readonly commit: string;
  readonly usedAt: number;
}

/** The complete snapshots with the time of their last use, the latest first. */
export async function marks(epoch: Epoch): Promise<Mark[]> {
  const found: Mark[] = [];
  for (const commit of await namesIn(join(epoch.folder, "have"))) {
    const usedAt = await modifiedAt(markOf(epoch, commit));
    if (usedAt !== undefined) found.push({ commit, usedAt });
  }
  return found.sort((a, b) => b.usedAt - a.usedAt || compareText(a.commit, b.commit));
}

/** A folder that reads from a generation. */
export interface Pin {
  readonly folder: string;
  readonly commit: string;
  readonly family: string;
}

/** Keeps a generation for as long as the folder exists. */
export async function pin(epoch: Epoch, { folder, commit, family }: Pin): Promise<void> {
  await writeFile(pinOf(epoch, folder), JSON.stringify({ folder, commit, family }));
}

/** What is known of a pinned folder. */
export function readPin(epoch: Epoch, folder: string): Promise<Pin | undefined> {
  return pinIn(pinOf(epoch, folder));
}

/** Where git's record of a pinned folder's files is kept. */
export function pinnedIndex(epoch: Epoch, folder: string): string {
  return `${pinOf(epoch, folder)}.index`;
}

export async function unpin(epoch: Epoch, folder: string): Promise<void> {
  await rm(pinnedIndex(epoch, folder), { force: true });
  await rm(pinOf(epoch, folder), { force: true });
}

/** Whether a folder reads from this generation, or somebody used it since the given time. */
export async function isInUse(epoch: Epoch, since: number): Promise<boolean> {
  const used = (await modifiedAt(join(epoch.folder, "used"))) ?? (await begunAt(epoch));
  return used === undefined || used >= since || (await livingPins(epoch)) > 0;
}

/** Removes the pins of folders that are gone, and counts the others. */
async function livingPins(epoch: Epoch): Promise<number> {
  let living = 0;
  for (const name of await namesIn(join(epoch.folder, "pins"))) {
    if (name.endsWith(".index")) continue;
    const path = (await pinIn(join(epoch.folder, "pins", name)))?.folder;
    if (path === undefined) continue;
    if (existsSync(path)) living++;
    else await unpin(epoch, path);
  }
  return living;
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

async function pinIn(file: string): Promise<Pin | undefined> {
  try {
    // Written by `pin` alone; half of one, after a kill, is no JSON.
    return JSON.parse(await readFile(file, "utf8")) as Pin;
  } catch (error) {
    if (errnoOf(error) === "ENOENT" || error instanceof SyntaxError) return undefined;
    throw error;
  }
}
