import { existsSync } from "node:fs";
import { readdir, rename, rm, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { errnoOf, PithError } from "../../kernel/errors.ts";
import { readSmallText } from "../../kernel/files/small-file.ts";
import { randomId } from "../../kernel/ids.ts";
import { makePrivateFolder } from "../../kernel/make-folder.ts";
import { removeFolder } from "../../workspace/snapshot/remove-folder.ts";
import { tryLock } from "../process-lock.ts";

/** What is known of a finished layer. */
export interface LayerInfo {
  /** How long it took to make. */
  readonly ms: number;
  readonly bytes: number;
  /** The paths that were made, relative to the tree, without those inside another one. */
  readonly entries: readonly string[];
  /** The folder in which the commands ran. */
  readonly madeIn: string;
  /** What is installed, as far as the key does not say it; absent if that is not known. */
  readonly installed?: string;
  /** Files that contain the path of that folder. */
  readonly relocated: readonly string[];
  /**
   * Present if nothing could be made from the files that decide, with the time. For a while nobody tries again, because
   * each try may take minutes.
   */
  readonly failed?: { readonly at: number; readonly detail: string };
}

/** How long a layer that could not be made is not tried again. */
export const RETRY_MS = 30 * 60_000;

/** What a package manager has installed, kept for all jobs with the same key. No job ever writes to it. */
export interface Layer {
  readonly key: string;
  readonly folder: string;
  readonly tree: string;
  readonly info: LayerInfo;
}

interface Obtained {
  readonly layer: Layer;
  readonly isNew: boolean;
  /** How long another process was making it. */
  readonly waitedMs: number;
}

interface MakeOptions {
  readonly signal: AbortSignal;
  /** How long another process may take to make the same layer. */
  readonly timeoutMs: number;
}

const INFO = "layer.json";
const TREE = "tree";
const MAKING = "making-";
const LOCKS = "locks";
/** How often a process looks whether another one has made the layer. */
const POLL_MS = 100;

/** The layers of one machine. All workers of a data folder share them. */
export class Layers {
  readonly #folder: string;
  readonly #startedAt = Date.now();

  constructor(folder: string) {
    this.#folder = folder;
  }

  find(key: string): Layer | undefined {
    const layer = readLayer(join(this.#folder, key), key);
    const failed = layer?.info.failed;
    // Who starts a worker again may just have repaired the cause, such as the address of a registry.
    const isOver = failed !== undefined && !(failed.at >= Math.max(this.#startedAt, Date.now() - RETRY_MS));
    return isOver ? undefined : layer;
  }

  /** Lists all finished layers. */
  async list(): Promise<Layer[]> {
    const names = await namesIn(this.#folder);
    return names
      .filter((name) => name !== LOCKS && !name.startsWith(MAKING))
      .flatMap((name) => this.find(name) ?? []);
  }

  /**
   * Returns the layer of a key, which is made if there is none. Only one process makes it, and the others wait; if that
   * process is killed, the next one begins again.
   */
  async obtain(
    key: string,
    make: (folder: string, tree: string) => Promise<LayerInfo>,
    { signal, timeoutMs }: MakeOptions,
  ): Promise<Obtained> {
    await makePrivateFolder(join(this.#folder, LOCKS));
    const lock = join(this.#folder, LOCKS, key);
    const startedAt = Date.now();
    let waitedMs = 0;
    for (;;) {
      const layer = this.find(key);
      if (layer !== undefined) return { layer, isNew: false, waitedMs };
      if (await tryLock(lock)) break;
      signal.throwIfAborted();
      if (waitedMs > timeoutMs)
        throw new PithError(
          "timed_out",
          `Another process on this machine has been preparing ${key} for too long`,
        );
      await delay(POLL_MS);
      waitedMs = Date.now() - startedAt;
    }
    try {
      const present = this.find(key);
      if (present !== undefined) return { layer: present, isNew: false, waitedMs };
      return { layer: await this.#make(key, make), isNew: true, waitedMs };
    } finally {
      await rm(lock, { force: true });
    }
  }

  /** Notes that a layer is in use, so that it is kept longer than others. */
  async touch({ folder }: Layer): Promise<void> {
    const now = new Date();
    // A layer that was removed meanwhile needs no note.
    await utimes(join(folder, INFO), now, now).catch(() => undefined);
  }

  async remove({ folder }: Layer): Promise<void> {
    await removeFolder(folder);
  }

  async #make(key: string, make: (folder: string, tree: string) => Promise<LayerInfo>): Promise<Layer> {
    await this.#removeUnfinished(key);
    const folder = join(this.#folder, `${MAKING}${key}-${randomId(6)}`);
    const tree = join(folder, TREE);
    await makePrivateFolder(tree);
    try {
      const info = await make(folder, tree);
      await writeFile(join(folder, INFO), JSON.stringify(info), { mode: 0o600 });
      // What is there is only the note of a failure, whose time is over.
      await removeFolder(join(this.#folder, key));
      // The layer appears under its key in one step, so that no job ever sees a part of it.
      await rename(folder, join(this.#folder, key));
    } catch (error) {
      await removeFolder(folder);
      throw error;
    }
    const layer = this.find(key);
    if (layer === undefined) throw new PithError("internal_error", `The layer ${key} is gone`);
    return layer;
  }

  /** Removes what killed processes have left of layers that nobody may ask for again. */
  async removeAbandoned(): Promise<void> {
    const names = await namesIn(this.#folder);
    for (const name of names.filter((one) => one.startsWith(MAKING))) {
      const key = name.slice(MAKING.length, name.lastIndexOf("-"));
      const lock = join(this.#folder, LOCKS, key);
      if (!(await tryLock(lock))) continue;
      try {
        await this.#removeUnfinished(key);
      } finally {
        await rm(lock, { force: true });
      }
    }
  }

  /** Removes what a killed process has left of a layer. The caller holds the lock of the key. */
  async #removeUnfinished(key: string): Promise<void> {
    for (const name of await readdir(this.#folder))
      if (name.startsWith(`${MAKING}${key}-`)) await removeFolder(join(this.#folder, name));
  }
}

/** Lists a folder; nothing if no layer was ever made in it. */
async function namesIn(folder: string): Promise<string[]> {
  try {
    return await readdir(folder);
  } catch (error) {
    if (errnoOf(error) === "ENOENT") return [];
    throw error;
  }
}

function readLayer(folder: string, key: string): Layer | undefined {
  const text = existsSync(folder) ? readSmallText(join(folder, INFO)) : undefined;
  if (text === undefined) return undefined;
  // The cast is safe, because the file appears only whole and under its version's key.
  return { key, folder, tree: join(folder, TREE), info: JSON.parse(text) as LayerInfo };
}
