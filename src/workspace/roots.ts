import { lstat } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";

/** The repository a folder belongs to: the nearest folder at or above it with a `.git`; else the folder itself. */
export async function workspaceRootOf(folder: string): Promise<string> {
  const start = resolve(folder);
  for (let current = start; ; current = dirname(current)) {
    if (await exists(join(current, ".git"))) return current;
    if (dirname(current) === current) return start;
  }
}

async function exists(path: string): Promise<boolean> {
  return lstat(path).then(
    () => true,
    // Missing or closed to us: either way it is no repository we can use.
    () => false,
  );
}
