import { chmod, readdir, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { errnoOf } from "../../kernel/errors.ts";
import { randomId } from "../../kernel/ids.ts";

/**
 * Removes a folder with all in it. It loses its name first, so nobody finds it half removed. Programs leave read-only
 * folders behind (module caches are made so): those are opened and removed too.
 */
export async function removeFolder(folder: string): Promise<void> {
  const doomed = `${folder}.gone-${randomId(8)}`;
  try {
    await rename(folder, doomed);
  } catch (error) {
    if (errnoOf(error) === "ENOENT") return;
    throw error;
  }
  try {
    await rm(doomed, REMOVE);
  } catch (error) {
    const errno = errnoOf(error);
    if (errno !== "EACCES" && errno !== "EPERM") throw error;
    await openFolders(doomed);
    await rm(doomed, REMOVE);
  }
}

/** A process that is ending may still write; a few more tries see its end. */
const REMOVE = { recursive: true, force: true, maxRetries: 5, retryDelay: 50 } as const;

async function openFolders(folder: string): Promise<void> {
  await chmod(folder, 0o700);
  for (const entry of await readdir(folder, { withFileTypes: true }))
    if (entry.isDirectory()) await openFolders(join(folder, entry.name));
}
