import { lstat } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";

/**
 * Finds the root of the repository that contains a folder. For a folder outside of any repository, it is the folder
 * itself.
 */
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
    // A `.git` that is missing or unreadable does not count as a repository.
    () => false,
  );
}
