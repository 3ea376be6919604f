import { constants } from "node:fs";
import { chmod, copyFile, lstat, mkdir, readlink, rename, rm, symlink, utimes } from "node:fs/promises";
import { dirname, join, posix } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { randomId } from "../../kernel/ids.ts";
import { removeFolder } from "../../workspace/snapshot/remove-folder.ts";
import { type FileStates, readStates } from "./file-states.ts";
import { copyLayer, relocateCopy } from "./layer-files.ts";
import type { Layer } from "./layers.ts";

/** A copy of a layer, in the folder of a job or between two jobs. */
export interface LayerCopy {
  readonly layer: Layer;
  readonly folder: string;
  /** The copied paths, relative to the folder. */
  readonly entries: readonly string[];
  /** What the copy looked like before a job could change it. */
  readonly states: FileStates;
  /** What the tools keep for themselves in the copy; no part of the states. */
  readonly ownCache?: RegExp | undefined;
  /** The folder of the last job that used the copy. */
  readonly usedIn?: string;
}

/**
 * The copies of layers that the jobs of one worker use. A copy goes from job to job: moving it takes no time, while
 * copying thousands of files takes seconds. In between, everything that a job changed is replaced from the layer.
 */
export class LayerCopies {
  /** The folder for idle copies, on the file system of the jobs' folders. */
  readonly #folder: string;
  readonly #maxIdle: number;
  #idle: LayerCopy[] = [];

  constructor(folder: string, maxIdle: number) {
    this.#folder = folder;
    this.#maxIdle = maxIdle;
  }

  /** Puts a copy of a layer into a job's folder, except where the job's own files are. */
  async place(layer: Layer, folder: string, ownCache?: RegExp): Promise<LayerCopy> {
    const entries = await missingEntries(layer, folder);
    const states = (await this.#moveIdle(layer, folder, entries)) ?? (await copyNew(layer, folder, entries));
    await relocateCopy(layer, folder);
    return { layer, folder, entries, states, ownCache };
  }

  /** Takes a copy back after its job. It is kept for the next job if it can be restored. */
  async takeBack(copy: LayerCopy): Promise<void> {
    if (copy.entries.length === 0) return;
    const folder = join(this.#folder, randomId(8));
    try {
      await moveEntries(copy.entries, copy.folder, folder);
      this.#idle.push({ ...copy, folder, usedIn: copy.folder, states: await restore(copy, folder) });
    } catch {
      // The job or a limit of the layers has removed a part of it. Nothing is lost: the next job gets a new copy.
      await removeFolder(folder);
    }
    const [oldest] = this.#idle;
    if (oldest === undefined || this.#idle.length <= this.#maxIdle) return;
    this.#idle.shift();
    await removeFolder(oldest.folder);
  }

  async #moveIdle(layer: Layer, folder: string, entries: readonly string[]): Promise<FileStates | undefined> {
    const fitting = this.#idle.filter((one) => isCopyOf(one, layer, entries));
    // Compilers use what they have kept only in the folder where they have kept it.
    const idle = fitting.findLast(({ usedIn }) => usedIn === folder) ?? fitting.at(-1);
    if (idle === undefined) return undefined;
    this.#idle = this.#idle.filter((one) => one !== idle);
    await moveEntries(entries, idle.folder, folder);
    await removeFolder(idle.folder);
    return idle.states;
  }
}

/** A layer that was removed and made again has the same key, but was made in another folder. */
function isCopyOf(copy: LayerCopy, { key, info }: Layer, entries: readonly string[]): boolean {
  const isSameLayer = copy.layer.key === key && copy.layer.info.madeIn === info.madeIn;
  return isSameLayer && copy.entries.join("\0") === entries.join("\0");
}

/** The system's clock for files moves on in steps, so a change within this time after a look could go unseen. */
const CLOCK_STEP_MS = 20;

async function copyNew(layer: Layer, folder: string, entries: readonly string[]): Promise<FileStates> {
  await copyLayer(layer, folder, entries);
  const states = await readStates(folder, entries);
  await delay(CLOCK_STEP_MS);
  return states;
}

async function missingEntries({ info }: Layer, folder: string): Promise<string[]> {
  const missing: string[] = [];
  for (const entry of info.entries)
    if ((await lstat(join(folder, entry)).catch(() => undefined)) === undefined) missing.push(entry);
  return missing;
}

async function moveEntries(entries: readonly string[], from: string, to: string): Promise<void> {
  for (const entry of entries) {
    await mkdir(dirname(join(to, entry)), { recursive: true });
    await rename(join(from, entry), join(to, entry));
  }
}

/** Replaces everything that a job changed by what the layer has; returns the new states. */
async function restore({ layer, entries, states, ownCache }: LayerCopy, folder: string): Promise<FileStates> {
  const now = await readStates(folder, entries);
  const kept = keptPaths([...now.keys()], ownCache);
  for (const path of now.keys())
    if (!states.has(path) && !kept.has(path)) await rm(join(folder, path), { recursive: true, force: true });
  const changed = [...states].filter(([path, state]) => now.get(path) !== state).map(([path]) => path);
  if (changed.length === 0) return states;
  for (const path of changed) await restorePath(join(layer.tree, path), join(folder, path));
  const restored = await readStates(folder, entries);
  await delay(CLOCK_STEP_MS);
  return new Map([...restored].filter(([path]) => states.has(path)));
}

/** The paths of what tools keep for themselves, and the folders above them. */
function keptPaths(paths: readonly string[], ownCache: RegExp | undefined): ReadonlySet<string> {
  const kept = new Set<string>();
  for (const path of paths)
    if (ownCache?.test(path) === true)
      for (let at = path; at !== "." && !kept.has(at); at = posix.dirname(at)) kept.add(at);
  return kept;
}

async function restorePath(from: string, to: string): Promise<void> {
  const [info, present] = [await lstat(from), await lstat(to).catch(() => undefined)];
  const isFolder = info.isDirectory();
  if (present !== undefined && !(isFolder && present.isDirectory()))
    await rm(to, { recursive: true, force: true });
  if (info.isSymbolicLink()) return symlink(await readlink(from), to);
  if (isFolder) {
    await mkdir(to, { recursive: true });
    return chmod(to, info.mode & 0o7777);
  }
  await copyFile(from, to, constants.COPYFILE_FICLONE);
  await utimes(to, info.atime, info.mtime);
}
