import { chmod, mkdir, open, readFile, rename, rm, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { errnoOf, PithError } from "../../kernel/errors.ts";
import { randomId } from "../../kernel/ids.ts";
import type { ObjectStore } from "./object-store.ts";

const PERMISSIONS = 0o7777;
const READ_AND_WRITE = 0o666;

/** Stores objects as files of a folder that all machines share, such as one on a network disk. */
export function createFolderStore(folder: string): ObjectStore {
  const place = pathToFileURL(folder).href;
  const attempt = async <T>(work: () => Promise<T>): Promise<T> => {
    try {
      return await work();
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      const suggestion =
        "Mount the folder of [store] objects on this machine, and let this user write there.";
      throw new PithError(
        "store_unavailable",
        `Object store ${place}: ${reason}`,
        { suggestion },
        { cause: error },
      );
    }
  };
  // A network disk that is not mounted has no objects, and what is written beside it nobody else can read.
  const modeOfFolder = async (): Promise<number> => {
    const found = await stat(folder);
    if (!found.isDirectory()) throw new Error("it is no folder");
    return found.mode & PERMISSIONS;
  };
  return {
    place,
    put: (key, bytes) =>
      attempt(async () => {
        const mode = await modeOfFolder();
        const path = join(folder, key);
        await makeFolders(folder, dirname(key), mode);
        // The file gets its name when it is complete and on disk, so nobody reads half of it.
        const unfinished = `${path}.${randomId(12)}.part`;
        try {
          const file = await open(unfinished, "wx");
          try {
            await file.writeFile(bytes);
            await file.chmod(mode & READ_AND_WRITE);
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
          await modeOfFolder();
          return undefined;
        }),
      ),
    remove: (key) =>
      attempt(async () => {
        await modeOfFolder();
        await rm(join(folder, key), { force: true });
      }),
  };
}

/**
 * Makes the folders below the store's own one, with its permissions: each machine writes as a user of its own, and what the
 * umask of one takes away would keep the others out.
 */
async function makeFolders(root: string, below: string, mode: number): Promise<void> {
  const first = await mkdir(join(root, below), { recursive: true });
  if (first === undefined) return;
  for (let made = join(root, below); made.length >= first.length; made = dirname(made))
    await chmod(made, mode);
}
