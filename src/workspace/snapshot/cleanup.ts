import { readdir, rm, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { modifiedAt, namesIn } from "./look.ts";
import { removeFolder } from "./remove-folder.ts";

/** Says that a private repository is in use, so that cleaning spares it. */
export async function markUsed(gitDir: string): Promise<void> {
  const now = Date.now() / 1000;
  await utimes(join(gitDir, "HEAD"), now, now);
}

/**
 * Once a day, removes private repositories that were not used for long, and objects of the others that no recent
 * snapshot holds. Every snapshot makes the objects it holds young again.
 */
export async function springClean(folder: string, now = Date.now()): Promise<void> {
  const stone = join(folder, "cleaned");
  const last = await modifiedAt(stone);
  if (last !== undefined && now - last < DAY_MS) return;
  await writeFile(stone, "");
  await utimes(stone, now / 1000, now / 1000);
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    if (!entry.isDirectory()) continue;
    const gitDir = join(folder, entry.name);
    const used = await modifiedAt(join(gitDir, "HEAD"));
    if (used === undefined ? await isOld(gitDir, now) : now - used > KEPT_MS) await removeFolder(gitDir);
    else await cleanObjects(join(gitDir, "objects"), now);
  }
}

const DAY_MS = 24 * 3600_000;
/** A fortnight: longer than any holiday between a snapshot and the next edit matters for. */
const KEPT_MS = 14 * DAY_MS;

async function cleanObjects(objects: string, now: number): Promise<void> {
  for (const name of await namesIn(objects)) {
    if (name.startsWith("tmp_obj_") && (await isOld(join(objects, name), now)))
      await rm(join(objects, name), { force: true });
    if (!/^[0-9a-f]{2}$/.test(name)) continue;
    for (const file of await namesIn(join(objects, name)))
      if (await isOld(join(objects, name, file), now)) await rm(join(objects, name, file), { force: true });
  }
}

async function isOld(path: string, now: number): Promise<boolean> {
  const changed = await modifiedAt(path);
  return changed !== undefined && now - changed > KEPT_MS;
}
