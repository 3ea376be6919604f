import { mkdir, open, readFile, rename, rm, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { errnoOf, PithError } from "../../kernel/errors.ts";
import { randomId } from "../../kernel/ids.ts";
import type { ObjectStore } from "./object-store.ts";

/** Stores objects as files of a folder that all machines share, such as one on a network disk. */
export function createFolderStore(folder: string): ObjectStore {
  const place = pathToFileURL(folder).href;
  const attempt = async <T>(work: () => Promise<T>): Promise<T> => {
    try {
      return await work();
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      throw new PithError("store_unavailable", `Object store ${place}: ${reason}`, {}, { cause: error });
    }
  };
  // A network disk that is not mounted has no objects, and what is written beside it nobody else can read.
  const isThere = async (): Promise<void> => {
    if (!(await stat(folder)).isDirectory()) throw new Error("it is no folder");
  };
  return {
    place,
    put: (key, bytes) =>
      attempt(async () => {
        await isThere();
        const path = join(folder, key);
        await mkdir(dirname(path), { recursive: true });
        // The file gets its name when it is complete and on disk, so nobody reads half of it.
        const unfinished = `${path}.${randomId(12)}.part`;
        try {
          const file = await open(unfinished, "wx");
          try {
            await file.writeFile(bytes);
            await file.sync();
          } finally {
            await file.close();
          }
          await rename(unfinished, path);
        } catch (error) {
          await rm(unfinished, { force: true });
          throw error;
        }
      }),
    get: (key) =>
      attempt(() =>
        readFile(join(folder, key)).catch(async (error: unknown) => {
          if (errnoOf(error) !== "ENOENT") throw error;
          await isThere();
          return undefined;
        }),
      ),
    remove: (key) =>
      attempt(async () => {
        await isThere();
        await rm(join(folder, key), { force: true });
      }),
  };
}
