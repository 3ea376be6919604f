import { readdirSync } from "node:fs";
import { join } from "node:path";
import { errnoOf } from "../../kernel/errors.ts";
import { compareText } from "../../kernel/nearest.ts";
import { forEachYielding } from "../../kernel/for-each-yielding.ts";
import { createIgnoreRules, IGNORE_FILES, isAlwaysSkipped, type IgnoreRules } from "./ignore-rules.ts";

/** The regular files and the searched folders of a tree, with paths relative to its root; `""` is the root itself. */
export interface FolderListing {
  readonly files: readonly string[];
  readonly folders: readonly string[];
}

/** Lists a folder without git, obeying its ignore files. Symbolic links are not followed, so there are no endless loops. */
export async function walkFolder(root: string): Promise<FolderListing> {
  const files: string[] = [];
  const folders: string[] = [];
  const pending: { folder: string; rules: IgnoreRules }[] = [{ folder: "", rules: createIgnoreRules(root) }];
  await forEachYielding(popAll(pending), ({ folder, rules: above }) => {
    const entries = readFolder(join(root, folder));
    if (entries === undefined) return;
    folders.push(folder);
    const names = new Set(entries.map((entry) => entry.name));
    const rules = above.below(
      folder,
      IGNORE_FILES.filter((name) => names.has(name)),
    );
    for (const entry of entries) {
      const path = folder === "" ? entry.name : `${folder}/${entry.name}`;
      if (entry.isFile() && !rules.ignores(path)) files.push(path);
      if (entry.isDirectory() && !isAlwaysSkipped(entry.name) && !rules.ignores(`${path}/`))
        pending.push({ folder: path, rules });
    }
  });
  files.sort(compareText);
  return { files, folders };
}

/** Yields the last entry of a list and removes it, until the list is empty; entries may be added in the meantime. */
function* popAll<T>(list: T[]): Generator<T> {
  for (let next = list.pop(); next !== undefined; next = list.pop()) yield next;
}

function readFolder(path: string) {
  try {
    return readdirSync(path, { withFileTypes: true });
  } catch (error) {
    const errno = errnoOf(error);
    // The folder was removed or is not readable, so its files are skipped.
    if (errno === "ENOENT" || errno === "ENOTDIR" || errno === "EACCES" || errno === "EPERM")
      return undefined;
    throw error;
  }
}
