import { lstat } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";

/** Finds the root of the repository that contains a folder; without a repository it is the folder itself. */
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
    // A missing or unreadable `.git` is not a usable repository.
    () => false,
  );
}
