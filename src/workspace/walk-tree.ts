import { readdirSync } from "node:fs";
import { join } from "node:path";
import { errnoOf } from "../kernel/errors.ts";
import { listGitFiles } from "./git-files.ts";
import { git, type GitRepository } from "./git-repository.ts";
import { isNeverWalked } from "./ignore-rules.ts";
import { walkFolder, type FolderListing } from "./walk-folder.ts";
import { statOf } from "./walk-signature.ts";

/** The list of a workspace's files, kept true by looking at its folders' times. */
export interface FileTree {
  /** The files there are now. The same array as before when no file came or went. */
  list(signal?: AbortSignal): Promise<readonly string[]>;
  /** Forgets the list; the next call makes it anew. */
  invalidate(): void;
  /** The folders and files whose change can change the list, absolute. */
  watched(): Iterable<string>;
}

interface FolderState {
  readonly modified: number;
  readonly inode: number;
}

/** Entries made in the same tick of the clock as the listing leave the folder's time as it was. */
const SETTLE_MS = 100;

/** Watches the folders of a workspace; git's rules apply where there is a repository, ignore files elsewhere. */
export function createFileTree(root: string, repository?: GitRepository): FileTree {
  let listing: readonly string[] | undefined;
  let folders = new Map<string, FolderState>();
  let listedAt = 0;
  const inside = createFolderCache();
  const watched = repository === undefined ? [] : watchedGitFiles(repository);

  const unchanged = (): boolean => {
    for (const [folder, state] of folders) {
      const stats = statOf(folder);
      if (stats?.mtimeMs !== state.modified || stats.ino !== state.inode) return false;
      if (state.modified + SETTLE_MS >= listedAt) return false;
    }
    return true;
  };

  return {
    async list(signal) {
      if (listing !== undefined && unchanged()) return listing;
      const startedAt = Date.now();
      const before = statesOf(watched);
      const found = await listNow(root, repository, signal);
      const all =
        repository === undefined
          ? found.folders
          : await unlistedFolders(root, found.folders, { inside, ...(signal && { signal }) });
      folders = new Map([...before, ...statesOf(all.map((folder) => join(root, folder)))]);
      listedAt = startedAt;
      if (listing === undefined || !sameList(listing, found.files)) listing = found.files;
      return listing;
    },
    invalidate() {
      listing = undefined;
    },
    watched: () => folders.keys(),
  };
}

function listNow(root: string, repository?: GitRepository, signal?: AbortSignal): Promise<FolderListing> {
  return repository === undefined ? Promise.resolve(walkFolder(root)) : listGitFiles(root, signal);
}

/** Files of git's own whose change can bring or take files without any folder of the tree changing. */
function watchedGitFiles(repository: GitRepository): string[] {
  return [join(repository.gitDir, "index"), join(repository.commonDir, "info", "exclude")];
}

/**
 * A folder with nothing but ignored files, or none, is in no listing, yet the next file may be made there. The folders
 * beside the listed ones that git does not ignore are watched as well.
 */
async function unlistedFolders(
  root: string,
  listed: readonly string[],
  { inside, signal }: { inside: FolderCache; signal?: AbortSignal },
): Promise<readonly string[]> {
  const all = new Set(listed);
  const unknownIn = (parents: readonly string[]): string[] =>
    parents.flatMap((parent) =>
      inside(join(root, parent))
        .filter((name) => !isNeverWalked(name))
        .map((name) => (parent === "" ? name : `${parent}/${name}`))
        .filter((folder) => !all.has(folder)),
    );
  let candidates = unknownIn(listed);
  while (candidates.length > 0) {
    const ignored = await ignoredOf(root, candidates, signal);
    const kept = candidates.filter((folder) => !ignored.has(folder));
    for (const folder of kept) all.add(folder);
    candidates = unknownIn(kept);
  }
  return [...all];
}

/** The names of the folders in a folder. */
type FolderCache = (path: string) => readonly string[];

/** Reads a folder again only when its time says that something came or went. */
function createFolderCache(): FolderCache {
  const known = new Map<string, { modified: number; names: readonly string[] }>();
  return (path) => {
    const modified = statOf(path)?.mtimeMs ?? 0;
    const before = known.get(path);
    if (before?.modified === modified) return before.names;
    const names = foldersIn(path);
    // A folder that has just changed may change again within the same tick of its clock.
    if (modified + SETTLE_MS < Date.now()) known.set(path, { modified, names });
    else known.delete(path);
    return names;
  };
}

function foldersIn(path: string): string[] {
  try {
    const entries = readdirSync(path, { withFileTypes: true });
    return entries.filter((entry) => entry.isDirectory()).map((entry) => entry.name);
  } catch (error) {
    if (errnoOf(error) !== undefined) return [];
    throw error;
  }
}

async function ignoredOf(
  root: string,
  folders: readonly string[],
  signal?: AbortSignal,
): Promise<ReadonlySet<string>> {
  const input = folders.map((folder) => `${folder}/\0`).join("");
  const result = await git(root, ["check-ignore", "-z", "--stdin"], { input, ...(signal && { signal }) });
  const lines = result.stdout.toString("utf8").split("\0");
  return new Set(lines.map((line) => line.replace(/\/$/, "")));
}

function statesOf(paths: readonly string[]): [string, FolderState][] {
  return paths.map((path) => {
    const stats = statOf(path);
    return [path, { modified: stats?.mtimeMs ?? 0, inode: stats?.ino ?? 0 }];
  });
}

function sameList(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((path, i) => path === b[i]);
}
