import { readdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { errnoOf } from "../../kernel/errors.ts";
import { forEachYielding } from "../../kernel/for-each-yielding.ts";
import { listGitFiles } from "../git/git-files.ts";
import { git, globalExcludes, type GitRepository } from "../git/git-repository.ts";
import { IGNORE_FILES, isAlwaysSkipped } from "./ignore-rules.ts";
import { walkFolder, type FolderListing } from "./walk-folder.ts";
import { statOf } from "./file-signature.ts";

/** The list of a workspace's files. The timestamps of its folders show when the list must be renewed. */
export interface FileTree {
  /** Lists the current files. Returns the same array as before if no file was added or removed. */
  list(): Promise<readonly string[]>;
  /** Returns the absolute paths of the folders that were listed. */
  folders(): Iterable<string>;
  /** True if ignore files outside of the listed folders have changed since the files were listed. */
  rulesChanged(): boolean;
}

interface PathState {
  /** Change time of the inode. Unlike the modification time, which copying tools restore, programs cannot set it. */
  readonly changed: number;
  readonly inode: number;
}

type PathStates = ReadonlyMap<string, PathState>;

/**
 * Time after a change during which the timestamp of a folder is not trusted, because entries that are created within
 * the same clock tick do not alter it.
 */
const SETTLE_MS = 100;

/**
 * Creates the file list of a workspace. In a git repository, git decides which files are ignored; elsewhere the ignore
 * files of the folders do.
 */
export function createFileTree(root: string, repository?: GitRepository): FileTree {
  let listing: readonly string[] | undefined;
  let folders: PathStates = new Map();
  /**
   * States of the ignore files in the tree, including those that ignore themselves and are therefore not in the file
   * list.
   */
  let inner: PathStates = new Map();
  let outer: PathStates = new Map();
  let rules: readonly string[] = [];
  let listedAt = 0;
  const inside = createFolderCache();
  const isAsListed = (states: PathStates): boolean => {
    for (const [path, known] of states) {
      const { changed, inode } = stateOf(path);
      if (changed !== known.changed || inode !== known.inode || changed + SETTLE_MS >= listedAt) return false;
    }
    return true;
  };
  return {
    async list() {
      if (listing !== undefined && isAsListed(outer) && isAsListed(inner) && isAsListed(folders))
        return listing;
      // The list of ignore files outside of the tree is read again if one of them changed, because git's configuration
      // names further ones.
      if (repository !== undefined && (outer.size === 0 || !isAsListed(outer)))
        rules = await ruleFiles(repository);
      const startedAt = Date.now();
      outer = await statesOf(rules);
      const found = await listNow(root, repository);
      const all =
        repository === undefined ? found.folders : await unlistedFolders(root, found.folders, inside);
      const absolute = all.map((folder) => join(root, folder));
      const ignoreFiles: string[] = [];
      await forEachYielding(absolute, (folder) => ignoreFiles.push(...inside(folder).ignoreFiles));
      inner = await statesOf(ignoreFiles);
      folders = await statesOf(absolute);
      listedAt = startedAt;
      if (listing === undefined || !sameList(listing, found.files)) listing = found.files;
      return listing;
    },
    folders: () => folders.keys(),
    rulesChanged: () => !isAsListed(outer),
  };
}

function listNow(root: string, repository?: GitRepository): Promise<FolderListing> {
  return repository === undefined ? walkFolder(root) : listGitFiles(root);
}

/**
 * Returns the files outside of the tree whose change can alter the list of files although no folder of the tree
 * changes.
 */
async function ruleFiles(repository: GitRepository): Promise<readonly string[]> {
  const { folder, topLevel, gitDir, commonDir } = repository;
  const above: string[] = [];
  for (let at = folder; at !== topLevel && at !== dirname(at); at = dirname(at))
    above.push(join(dirname(at), ".gitignore"));
  const own = [join(gitDir, "index"), join(commonDir, "info", "exclude"), join(commonDir, "config")];
  return [...own, ...above, ...(await globalExcludes(repository))];
}

/**
 * Finds folders that are not ignored but contain no listed file. Their timestamps are checked as well, because the next
 * file may be created there.
 */
async function unlistedFolders(
  root: string,
  listed: readonly string[],
  inside: FolderCache,
): Promise<readonly string[]> {
  const all = new Set(listed);
  const unknownIn = async (parents: readonly string[]): Promise<string[]> => {
    const unknown: string[] = [];
    await forEachYielding(parents, (parent) => {
      for (const name of inside(join(root, parent)).folders) {
        const folder = parent === "" ? name : `${parent}/${name}`;
        if (!isAlwaysSkipped(name) && !all.has(folder)) unknown.push(folder);
      }
    });
    return unknown;
  };
  let candidates = await unknownIn(listed);
  while (candidates.length > 0) {
    const ignored = await ignoredOf(root, candidates);
    const kept = candidates.filter((folder) => !ignored.has(folder));
    for (const folder of kept) all.add(folder);
    candidates = await unknownIn(kept);
  }
  return [...all];
}

/** Returns those entries of a folder that matter for the file list: its subfolders and its ignore files. */
type FolderCache = (path: string) => Inside;

interface Inside {
  readonly folders: readonly string[];
  readonly ignoreFiles: readonly string[];
}

/** Creates a cache that reads a folder again only if its change time differs. */
function createFolderCache(): FolderCache {
  const known = new Map<string, Inside & PathState>();
  return (path) => {
    const { changed, inode } = stateOf(path);
    const before = known.get(path);
    if (before?.changed === changed && before.inode === inode) return before;
    const found = readInside(path);
    // A folder that has just changed is not cached, because it may change again within the same clock tick.
    if (changed + SETTLE_MS < Date.now()) known.set(path, { changed, inode, ...found });
    else known.delete(path);
    return found;
  };
}

function readInside(path: string): Inside {
  try {
    const entries = readdirSync(path, { withFileTypes: true });
    return {
      folders: entries.filter((entry) => entry.isDirectory()).map((entry) => entry.name),
      ignoreFiles: entries
        .map(({ name }) => name)
        .filter((name) => IGNORE_FILES.includes(name))
        .map((name) => join(path, name)),
    };
  } catch (error) {
    if (errnoOf(error) !== undefined) return { folders: [], ignoreFiles: [] };
    throw error;
  }
}

async function ignoredOf(root: string, folders: readonly string[]): Promise<ReadonlySet<string>> {
  const input = folders.map((folder) => `${folder}/\0`).join("");
  const result = await git(root, ["check-ignore", "-z", "--stdin"], { input });
  const lines = result.stdout.toString("utf8").split("\0");
  return new Set(lines.map((line) => line.replace(/\/$/, "")));
}

async function statesOf(paths: readonly string[]): Promise<PathStates> {
  const states = new Map<string, PathState>();
  await forEachYielding(paths, (path) => states.set(path, stateOf(path)));
  return states;
}

function stateOf(path: string): PathState {
  const stats = statOf(path);
  return { changed: stats?.ctimeMs ?? 0, inode: stats?.ino ?? 0 };
}

function sameList(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((path, i) => path === b[i]);
}
