import { readdir, rm, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { modifiedAt, listNames } from "./if-exists.ts";
import { removeFolder } from "./remove-folder.ts";

/** Records that a private repository is in use, so that it is not removed. */
export async function markUsed(gitDir: string): Promise<void> {
  const now = Date.now() / 1000;
  await utimes(join(gitDir, "HEAD"), now, now);
}

/**
 * Removes, once a day, private repositories that have not been used for two weeks, and objects of the others that no
 * recent snapshot contains. Every snapshot refreshes the modification time of its objects.
 */
export async function removeUnusedObjects(folder: string, now = Date.now()): Promise<void> {
  const stampFile = join(folder, "cleaned");
  const last = await modifiedAt(stampFile);
  if (last !== undefined && now - last < DAY_MS) return;
  await writeFile(stampFile, "");
  await utimes(stampFile, now / 1000, now / 1000);
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    if (!entry.isDirectory()) continue;
    const gitDir = join(folder, entry.name);
    const used = await modifiedAt(join(gitDir, "HEAD"));
    if (used === undefined ? await isOld(gitDir, now) : now - used > RETENTION_MS) await removeFolder(gitDir);
    else await removeOldObjects(join(gitDir, "objects"), now);
  }
}

const DAY_MS = 24 * 3600_000;
/** Time for which objects are kept after their last use: two weeks. */
const RETENTION_MS = 14 * DAY_MS;

async function removeOldObjects(objects: string, now: number): Promise<void> {
  for (const name of await listNames(objects)) {
    if (name.startsWith("tmp_obj_") && (await isOld(join(objects, name), now)))
      await rm(join(objects, name), { force: true });
    if (!/^[0-9a-f]{2}$/.test(name)) continue;
    for (const file of await listNames(join(objects, name)))
      if (await isOld(join(objects, name, file), now)) await rm(join(objects, name, file), { force: true });
  }
}

async function isOld(path: string, now: number): Promise<boolean> {
  const changed = await modifiedAt(path);
  return changed !== undefined && now - changed > RETENTION_MS;
}
