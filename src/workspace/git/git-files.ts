import { existsSync } from "node:fs";
import { join } from "node:path";
import { compareText } from "../../kernel/nearest.ts";
import { forEachYielding } from "../../kernel/for-each-yielding.ts";
import { git } from "./git-repository.ts";
import { createIgnoreRules, PITH_IGNORE, type IgnoreRules } from "../files/ignore-rules.ts";
import { walkFolder, type FolderListing } from "../files/walk-folder.ts";
import { statOf } from "../files/file-signature.ts";

/**
 * Lists the files of a working tree: tracked files, and untracked ones that are not ignored, except those that
 * .pithignore excludes. Checked-out submodules are included; other nested repositories, such as a second worktree, are
 * not.
 */
export async function listGitFiles(folder: string): Promise<FolderListing> {
  const listed = await listOne(folder, "");
  // If git cannot read the repository, the files are listed like those of a folder without git.
  if (listed === undefined) return walkFolder(folder);
  const kept = await applyPithIgnore(folder, await dropOutsidePaths(folder, listed));
  kept.sort(compareText);
  return { files: kept, folders: foldersOf(kept) };
}

/**
 * Leaves out paths that lead out of the tree. The git index may contain any path, and a folder may have been replaced
 * by a symbolic link to another place.
 */
async function dropOutsidePaths(root: string, paths: readonly string[]): Promise<readonly string[]> {
  const clean = paths.filter((path) => !/^\/|(?:^|\/)\.\.(?:\/|$)/.test(path));
  const links: string[] = [];
  await forEachYielding(foldersOf(clean), (folder) => {
    if (statOf(join(root, folder))?.isSymbolicLink()) links.push(folder);
  });
  return links.length === 0
    ? clean
    : clean.filter((path) => !links.some((link) => path.startsWith(`${link}/`)));
}

async function listOne(root: string, prefix: string): Promise<string[] | undefined> {
  const folder = join(root, prefix);
  const args = ["ls-files", "-z", "--cached", "--others", "--exclude-standard", "--deduplicate"];
  const [all, staged] = await Promise.all([
    git(folder, args, { maxBytes: MAX_LISTING }),
    existsSync(join(folder, ".gitmodules")) ? git(folder, ["ls-files", "-z", "--stage"]) : undefined,
  ]);
  if (all.exitCode !== 0) return undefined;
  const submodules = submodulesOf(staged?.stdout.toString("utf8") ?? "");
  const paths: string[] = [];
  for (const path of all.stdout.toString("utf8").split("\0")) {
    if (path === "" || submodules.has(path)) continue;
    // Git lists a nested repository that is not a submodule as a folder, whose path ends with a slash; it is skipped.
    if (!path.endsWith("/")) paths.push(prefix === "" ? path : `${prefix}/${path}`);
  }
  for (const path of submodules) {
    const inside = prefix === "" ? path : `${prefix}/${path}`;
    if (!existsSync(join(root, inside, ".git"))) continue;
    // Files are pushed one by one, because spreading a large list would overflow the stack.
    for (const file of (await listOne(root, inside)) ?? []) paths.push(file);
  }
  return paths;
}

function submodulesOf(staged: string): Set<string> {
  const submodules = new Set<string>();
  for (const entry of staged.split("\0")) {
    if (entry.startsWith("160000 ")) submodules.add(entry.slice(entry.indexOf("\t") + 1));
  }
  return submodules;
}

async function applyPithIgnore(root: string, paths: readonly string[]): Promise<string[]> {
  // All folders are searched for .pithignore files, because git may ignore such a file itself and then does not list
  // it.
  const folders: string[] = [];
  await forEachYielding(foldersOf(paths), (folder) => {
    if (existsSync(join(root, folder, PITH_IGNORE))) folders.push(folder);
  });
  if (folders.length === 0) return [...paths];
  // The rules of outer folders are added first, so that those of inner folders can override them.
  let rules: IgnoreRules = createIgnoreRules(root);
  for (const folder of folders.sort(compareText)) rules = rules.below(folder, [PITH_IGNORE]);
  const kept: string[] = [];
  await forEachYielding(paths, (path) => {
    if (!rules.ignores(path)) kept.push(path);
  });
  return kept;
}

/** Returns every folder that contains a listed file, directly or in a subfolder. */
function foldersOf(files: readonly string[]): string[] {
  const folders = new Set<string>([""]);
  for (const file of files) {
    let end = file.lastIndexOf("/");
    while (end > 0) {
      const folder = file.slice(0, end);
      if (folders.has(folder)) break;
      folders.add(folder);
      end = folder.lastIndexOf("/");
    }
  }
  return [...folders];
}

const MAX_LISTING = 256 * 1024 * 1024;
