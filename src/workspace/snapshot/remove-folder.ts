import { chmod, readdir, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { errnoOf } from "../../kernel/errors.ts";
import { randomId } from "../../kernel/ids.ts";

/**
 * Removes a folder with its content. It is renamed first, so that no process sees it partly removed. Read-only folders,
 * such as those of module caches, are made writable so that they can be removed.
 */
export async function removeFolder(folder: string): Promise<void> {
  const renamed = `${folder}.gone-${randomId(8)}`;
  try {
    await rename(folder, renamed);
  } catch (error) {
    if (errnoOf(error) === "ENOENT") return;
    throw error;
  }
  try {
    await rm(renamed, REMOVE);
  } catch (error) {
    const errno = errnoOf(error);
    if (errno !== "EACCES" && errno !== "EPERM") throw error;
    await makeWritable(renamed);
    await rm(renamed, REMOVE);
  }
}

/** Options for removing a folder. Removal is retried, because processes that are ending may still write into it. */
const REMOVE = { recursive: true, force: true, maxRetries: 5, retryDelay: 50 } as const;

async function makeWritable(folder: string): Promise<void> {
  await chmod(folder, 0o700);
  for (const entry of await readdir(folder, { withFileTypes: true }))
    if (entry.isDirectory()) await makeWritable(join(folder, entry.name));
}
