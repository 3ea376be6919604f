import { readdirSync } from "node:fs";
import { join } from "node:path";
import { errnoOf } from "../../kernel/errors.ts";
import { compareText } from "../../kernel/nearest.ts";
import { forEachYielding } from "../../kernel/for-each-yielding.ts";
import { createIgnoreRules, IGNORE_FILES, isNeverWalked, type IgnoreRules } from "./ignore-rules.ts";

/** What a walk found: regular files, and the folders it looked into, relative to the root; `""` is the root. */
export interface FolderListing {
  readonly files: readonly string[];
  readonly folders: readonly string[];
}

/** Lists a plain folder by its own ignore files. Symbolic links are not followed, so a walk always ends. */
export async function walkFolder(root: string): Promise<FolderListing> {
  const files: string[] = [];
  const folders: string[] = [];
  const pending: { folder: string; rules: IgnoreRules }[] = [{ folder: "", rules: createIgnoreRules(root) }];
  await forEachYielding(taken(pending), ({ folder, rules: above }) => {
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
      if (entry.isDirectory() && !isNeverWalked(entry.name) && !rules.ignores(`${path}/`))
        pending.push({ folder: path, rules });
    }
  });
  files.sort(compareText);
  return { files, folders };
}

/** The last one, until none is left; more may be added meanwhile. */
function* taken<T>(list: T[]): Generator<T> {
  for (let next = list.pop(); next !== undefined; next = list.pop()) yield next;
}

function readFolder(path: string) {
  try {
    return readdirSync(path, { withFileTypes: true });
  } catch (error) {
    const errno = errnoOf(error);
    // Gone since it was listed, or not ours to read: its files are not there for us.
    if (errno === "ENOENT" || errno === "ENOTDIR" || errno === "EACCES" || errno === "EPERM")
      return undefined;
    throw error;
  }
}
