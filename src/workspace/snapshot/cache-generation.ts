import { existsSync } from "node:fs";
import { mkdir, readFile, rename, rm, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { errnoOf } from "../../kernel/errors.ts";
import { contentId, randomId } from "../../kernel/ids.ts";
import { compareText } from "../../kernel/nearest.ts";
import { makeRepository } from "./private-repository.ts";
import { modifiedAt, listNames } from "./if-exists.ts";
import type { ObjectFormat } from "./private-git.ts";

/**
 * One generation of a cache of snapshots: a bare repository that only grows, a marker file for each complete snapshot,
 * and a pin file for each folder that reads from the repository. Nothing is removed from a generation: a new one
 * replaces it, and the old one is deleted as a whole when it is no longer in use. So no process can remove an object
 * that another one needs.
 */
export interface Generation {
  readonly folder: string;
  readonly gitDir: string;
}

/** Lists the generations of a cache (see Generation), newest first. */
export async function listGenerations(folder: string): Promise<Generation[]> {
  const names = await listNames(folder);
  return names
    .filter((name) => PATTERN.test(name))
    .sort((a, b) => compareText(b, a))
    .map((name) => generationAt(folder, name));
}

/** Creates the first generation of a cache. If several processes try at once, one succeeds and all use its result. */
export async function startFirstGeneration(folder: string, format: ObjectFormat): Promise<void> {
  const draft = await draftGeneration(folder, format);
  try {
    await rename(draft.folder, join(folder, `epoch-${"0".repeat(9)}-${"0".repeat(6)}`));
  } catch (error) {
    await rm(draft.folder, { recursive: true, force: true });
    const errno = errnoOf(error);
    if (errno !== "ENOTEMPTY" && errno !== "EEXIST" && errno !== "EPERM") throw error;
  }
}

/**
 * Creates a generation of the cache, which becomes the newest one. It is filled before it gets its name; if `fill`
 * returns false, it is discarded.
 */
export async function startGeneration(
  folder: string,
  format: ObjectFormat,
  fill: (draft: Generation) => Promise<boolean> = async () => true,
): Promise<boolean> {
  const draft = await draftGeneration(folder, format);
  const fits = await fill(draft);
  const name = `epoch-${Date.now().toString(36).padStart(9, "0")}-${randomId(6)}`;
  if (fits) await rename(draft.folder, join(folder, name));
  else await rm(draft.folder, { recursive: true, force: true });
  return fits;
}

/** Returns the time at which a generation of the cache was created; undefined if it was removed. */
export function startedAt(generation: Generation): Promise<number | undefined> {
  return modifiedAt(join(generation.gitDir, "config"));
}

export function isComplete(generation: Generation, commit: string): boolean {
  return existsSync(markFileOf(generation, commit));
}

/**
 * Records that all objects of a snapshot are in a generation. The family of a snapshot is the id of the first snapshot
 * in the chain of packs through which it was received.
 */
export async function markComplete(
  generation: Generation,
  commit: string,
  as: { family: string; usedAt?: number },
): Promise<void> {
  await writeFile(markFileOf(generation, commit), as.family);
  // The time is set explicitly, because the clock of the file system is too coarse to order the uses of snapshots.
  const usedAt = (as.usedAt ?? Date.now()) / 1000;
  await utimes(markFileOf(generation, commit), usedAt, usedAt);
}

/** Returns the family of a complete snapshot, by which snapshots of the same project are recognised. */
export async function familyOf(generation: Generation, commit: string): Promise<string> {
  const family = await readFile(markFileOf(generation, commit), "utf8");
  return family === "" ? commit : family;
}

export interface CompleteSnapshot {
  readonly commit: string;
  readonly usedAt: number;
}

/** Lists the complete snapshots of a generation with the time of their last use, most recent first. */
export async function completeSnapshots(generation: Generation): Promise<CompleteSnapshot[]> {
  const found: CompleteSnapshot[] = [];
  for (const commit of await listNames(join(generation.folder, "have"))) {
    const usedAt = await modifiedAt(markFileOf(generation, commit));
    if (usedAt !== undefined) found.push({ commit, usedAt });
  }
  return found.sort((a, b) => b.usedAt - a.usedAt || compareText(a.commit, b.commit));
}

/** A record that a folder reads objects from a generation of the cache. */
export interface Pin {
  readonly folder: string;
  readonly commit: string;
  readonly family: string;
}

/** Protects a generation of the cache from removal as long as the given folder exists. */
export async function pin(generation: Generation, { folder, commit, family }: Pin): Promise<void> {
  await writeFile(pinFileOf(generation, folder), JSON.stringify({ folder, commit, family }));
}

/** Returns the record that a folder reads from this generation, if there is one. */
export function readPin(generation: Generation, folder: string): Promise<Pin | undefined> {
  return parsePin(pinFileOf(generation, folder));
}

/** Returns the path of the saved copy of the git index of a folder that reads from this generation. */
export function pinnedIndex(generation: Generation, folder: string): string {
  return `${pinFileOf(generation, folder)}.index`;
}

export async function unpin(generation: Generation, folder: string): Promise<void> {
  await rm(pinnedIndex(generation, folder), { force: true });
  await rm(pinFileOf(generation, folder), { force: true });
}

/** True if a folder still reads from this generation of the cache, or if it was used since the given time. */
export async function isInUse(generation: Generation, since: number): Promise<boolean> {
  const used = (await modifiedAt(join(generation.folder, "used"))) ?? (await startedAt(generation));
  return used === undefined || used >= since || (await countPins(generation)) > 0;
}

/** Counts the records of folders that exist and still read from a generation, and removes the other records. */
async function countPins(generation: Generation): Promise<number> {
  let count = 0;
  for (const name of await listNames(join(generation.folder, "pins"))) {
    if (name.endsWith(".index")) continue;
    const path = (await parsePin(join(generation.folder, "pins", name)))?.folder;
    if (path === undefined) continue;
    if (existsSync(path)) count++;
    else await unpin(generation, path);
  }
  return count;
}

export async function touch(generation: Generation): Promise<void> {
  const file = join(generation.folder, "used");
  const now = Date.now() / 1000;
  await utimes(file, now, now).catch(() => writeFile(file, ""));
}

const PATTERN = /^epoch-[0-9a-z]{9}-[0-9a-z]{6}$/;

async function draftGeneration(folder: string, format: ObjectFormat): Promise<Generation> {
  const draft = generationAt(folder, `draft-${randomId(12)}`);
  await makeRepository(draft.gitDir, { format });
  await mkdir(join(draft.folder, "have"));
  await mkdir(join(draft.folder, "pins"));
  return draft;
}

function generationAt(folder: string, name: string): Generation {
  return { folder: join(folder, name), gitDir: join(folder, name, "git") };
}

function markFileOf(generation: Generation, commit: string): string {
  return join(generation.folder, "have", commit);
}

function pinFileOf(generation: Generation, folder: string): string {
  return join(generation.folder, "pins", contentId(folder));
}

async function parsePin(file: string): Promise<Pin | undefined> {
  try {
    // The cast is safe, because only `pin` writes this file; a file that is incomplete after a kill is not valid JSON.
    return JSON.parse(await readFile(file, "utf8")) as Pin;
  } catch (error) {
    if (errnoOf(error) === "ENOENT" || error instanceof SyntaxError) return undefined;
    throw error;
  }
}
