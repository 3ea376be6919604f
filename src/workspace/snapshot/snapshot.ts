import { existsSync } from "node:fs";
import { join } from "node:path";
import { PithError } from "../../kernel/errors.ts";
import { contentId } from "../../kernel/ids.ts";
import { findRepository, git, isIgnored, readHead, type GitRepository } from "../git/git-repository.ts";
import { ALWAYS_SKIPPED } from "../files/ignore-rules.ts";
import { makeRepository, writeAlternates } from "./private-repository.ts";
import { readablePath, type BytePath } from "./byte-path.ts";
import { findLfsPaths } from "./lfs.ts";
import { listPlainFolder, listRepository, type Listing } from "./list-paths.ts";
import { readLastSnapshot, writeLastSnapshot, type Base, type LastSnapshot } from "./last-snapshot.ts";
import { objectStore, type ObjectStore } from "./object-store.ts";
import { privateGitOk, type ObjectFormat, type Variables } from "./private-git.ts";
import { markUsed, removeUnusedObjects } from "./retention.ts";
import { collectFiles, type Omission, type CollectedFiles } from "./collect-files.ts";
import { writeTrees } from "./write-trees.ts";

/** A commit without parents that contains one state of a working tree, and the location of its objects. */
export interface SnapshotCommit {
  /** Id of the commit. Equal trees have equal commit ids, regardless of who took the snapshot and when. */
  readonly commit: string;
  readonly tree: string;
  /** Private git directory from which all objects of the snapshot can be read. */
  readonly gitDir: string;
  readonly format: ObjectFormat;
}

/** The exact state of a working tree at one moment. */
export interface Snapshot extends SnapshotCommit {
  /**
   * The user's HEAD commit and a copy of it without parents; undefined before the first commit and for a folder without
   * git.
   */
  readonly base?: SnapshotCommit & { readonly head: string };
  /** Path of the workspace within the tree of the snapshot; empty for the top level. */
  readonly prefix: string;
  readonly files: number;
  readonly omitted: readonly Omission[];
}

export interface SnapshotOptions {
  /** Folder that contains the private repositories, one for each working tree. */
  readonly folder: string;
  readonly variables: Variables;
  /**
   * Maximum size of a file. Larger untracked files are omitted and reported; larger tracked files with changes make the
   * snapshot fail.
   */
  readonly maxFileBytes?: number;
  /** Maximum total size of the content that is not part of any commit. */
  readonly maxNewBytes?: number;
  readonly signal?: AbortSignal;
}

const DEFAULT_MAX_FILE_BYTES = 100 * 1024 * 1024;
const DEFAULT_MAX_NEW_BYTES = 1024 * 1024 * 1024;

/**
 * Records the working tree as it is on disk: staged and unstaged changes, untracked files that are not ignored, deletions,
 * modes and links. For a workspace inside a repository the whole repository is recorded. Nothing is written to the
 * user's repository: new objects go to a private git directory that can also read the user's objects.
 */
export async function takeSnapshot(root: string, options: SnapshotOptions): Promise<Snapshot> {
  const repository = await repositoryOf(root);
  const top = repository?.topLevel ?? root;
  const format = repository?.objectFormat ?? "sha1";
  const gitDir = join(options.folder, contentId(`${format}\0${top}`));
  await makeRepository(gitDir, { format, excludes: repository === undefined ? PLAIN_EXCLUDES : [] });
  await markUsed(gitDir);
  await removeUnusedObjects(options.folder);
  const work: Work = { top, gitDir, store: objectStore(gitDir, format), options };
  const taken = repository === undefined ? await takePlain(work) : await takeRepository(repository, work);
  const prefix = repository === undefined ? "" : await prefixOf(repository);
  return { ...taken, prefix };
}

/** Finds the repository that contains the folder; a repository whose `core.worktree` points elsewhere is ignored. */
async function repositoryOf(root: string): Promise<GitRepository | undefined> {
  const found = await findRepository(root);
  if (found === undefined || !existsSync(join(found.topLevel, ".git")) || (await isIgnored(found)))
    return undefined;
  return found;
}

interface Work {
  readonly top: string;
  readonly gitDir: string;
  readonly store: ObjectStore;
  readonly options: SnapshotOptions;
}

type Taken = Omit<Snapshot, "prefix">;

/**
 * Ignore rules for a folder without git: installed packages and caches are excluded, because the folder may have no
 * rules of its own.
 */
const PLAIN_EXCLUDES = [...ALWAYS_SKIPPED].map((name) => `${name}/`);

async function takePlain(work: Work): Promise<Taken> {
  const { variables, signal } = work.options;
  const listing = await listPlainFolder(work.top, {
    gitDir: work.gitDir,
    variables,
    ...(signal && { signal }),
  });
  return recordTree(work, listing, {
    base: undefined,
    lfs: new Set(),
    trustsModes: POSIX,
    trustsLinks: true,
  });
}

async function takeRepository(repository: GitRepository, work: Work): Promise<Taken> {
  const { signal } = work.options;
  await writeAlternates(work.gitDir, [join(repository.commonDir, "objects")]);
  const [listing, settings, head] = await Promise.all([
    listRepository(repository, signal),
    readSettings(repository),
    readHead(repository),
  ]);
  const paths = listing.paths.filter(({ submodule }) => submodule === undefined).map(({ path }) => path);
  const lfs = await findLfsPaths(repository, paths, signal);
  // In a partial clone no base commit is used and all files are stored again, because objects of its commits may be
  // missing and nothing is fetched here.
  const base = settings.partial ? undefined : head.commit;
  return recordTree(work, listing, { ...settings, base, lfs });
}

interface TreeSettings {
  readonly base: string | undefined;
  readonly lfs: ReadonlySet<BytePath>;
  readonly trustsModes: boolean;
  readonly trustsLinks: boolean;
}

async function recordTree(work: Work, listing: Listing, at: TreeSettings): Promise<Taken> {
  const { top, gitDir, store, options } = work;
  const last = readLastSnapshot(gitDir);
  const known = await readBaseObjects(work, last, at.base);
  const own = new Set<string>();
  const needsNoWriting = (id: string) => {
    if (known.holds(id)) return true;
    own.add(id);
    return store.has(id);
  };
  const taken = await collectFiles({
    root: top,
    listed: listing.paths,
    knownFiles: last.files,
    lfs: at.lfs,
    trustsModes: at.trustsModes,
    trustsLinks: at.trustsLinks,
    maxFileBytes: options.maxFileBytes ?? DEFAULT_MAX_FILE_BYTES,
    maxNewBytes: options.maxNewBytes ?? DEFAULT_MAX_NEW_BYTES,
    store: { format: store.format, has: needsNoWriting, write: (content) => store.write("blob", content) },
    submoduleHead: (path) => submoduleHead(top, path),
    ...(options.signal && { signal: options.signal }),
  });
  const submodules = submodulesIn(taken);
  // If the modes of files are taken from the git index, the files on disk do not show whether a mode changed, so the
  // tree is built again.
  const unchanged =
    at.trustsModes &&
    at.trustsLinks &&
    isUnchanged(last, { base: known.base, files: taken.files, submodules }, taken.read);
  const sameTree = unchanged ? last.trees.at(-1) : undefined;
  if (sameTree !== undefined && [...last.own].every((id) => store.has(id)))
    return finish(work, { tree: sameTree, base: known.base, taken, listing });
  const trees: string[] = [];
  const tree = await writeTrees(taken.entries, async (content) => {
    const id = store.idOf("tree", content);
    trees.push(id);
    return needsNoWriting(id) ? id : store.write("tree", content);
  });
  await writeLastSnapshot(gitDir, { base: known.base, files: taken.files, trees, submodules, own });
  return finish(work, { tree, base: known.base, taken, listing });
}

function submodulesIn({ entries }: CollectedFiles): string {
  const pointers = entries.filter(({ mode }) => mode === "160000");
  return pointers.map(({ path, id }) => `${id} ${path}`).join("\n");
}

/**
 * True if the tree is the same as in the last snapshot. A file with a changed mode or content counts as read, so it is
 * enough to compare numbers of files.
 */
function isUnchanged(
  before: LastSnapshot,
  now: Pick<LastSnapshot, "base" | "files" | "submodules">,
  read: number,
): boolean {
  return (
    read === 0 &&
    before.base?.commit === now.base?.commit &&
    before.files.size === now.files.size &&
    before.submodules === now.submodules
  );
}

async function finish(
  { gitDir, store }: Work,
  result: { tree: string; base: Base | undefined; taken: CollectedFiles; listing: Listing },
): Promise<Taken> {
  const { tree, base, taken, listing } = result;
  const commitOf = (of: string) => store.write("commit", commitText(of));
  const foreign = listing.foreign.map((path) => ({
    path: readablePath(path),
    reason: "repository" as const,
  }));
  const at = { gitDir, format: store.format };
  return {
    ...at,
    tree,
    commit: await commitOf(tree),
    ...(base && { base: { ...at, head: base.commit, tree: base.tree, commit: await commitOf(base.tree) } }),
    files: taken.entries.length,
    omitted: [...taken.omitted, ...foreign],
  };
}

/**
 * Returns the text of a commit without parents and with a fixed author and time, so that its id depends only on the
 * tree.
 */
function commitText(tree: string): Buffer {
  const who = "Pith <pith@localhost> 1000000000 +0000";
  return Buffer.from(`tree ${tree}\nauthor ${who}\ncommitter ${who}\n\nSnapshot of a working tree\n`);
}

/**
 * Finds out which objects the base commit contains. If HEAD has not moved, the record of the last snapshot tells this
 * without running git.
 */
async function readBaseObjects(
  { gitDir, options }: Work,
  last: LastSnapshot,
  head: string | undefined,
): Promise<{ base: Base | undefined; holds: (id: string) => boolean }> {
  if (head === undefined) return { base: undefined, holds: () => false };
  if (last.base?.commit === head) {
    const held = new Set(last.trees);
    for (const { id } of last.files.values()) held.add(id);
    return { base: last.base, holds: (id) => held.has(id) && !last.own.has(id) };
  }
  const call = {
    gitDir,
    variables: options.variables,
    maxBytes: MAX_LISTING_BYTES,
    ...(options.signal && { signal: options.signal }),
  };
  const output = await privateGitOk(["ls-tree", "-r", "-t", "-z", head], call);
  const tree = (await privateGitOk(["rev-parse", "--verify", `${head}^{tree}`], call)).toString().trim();
  const held = new Set([tree]);
  for (const line of output.toString("latin1").split("\0")) {
    const id = line.slice(0, line.indexOf("\t")).split(" ")[2];
    if (id !== undefined) held.add(id);
  }
  return { base: { commit: head, tree }, holds: (id) => held.has(id) };
}

const MAX_LISTING_BYTES = 512 * 1024 * 1024;

async function submoduleHead(top: string, path: BytePath): Promise<string | undefined> {
  const folder = join(top, readablePath(path));
  const inside = await findRepository(folder);
  if (inside === undefined || inside.topLevel !== folder) return undefined;
  return (await readHead(inside)).commit;
}

const POSIX = process.platform !== "win32";

interface Settings {
  readonly trustsModes: boolean;
  readonly trustsLinks: boolean;
  readonly partial: boolean;
}

/** Reads the settings of the user's repository that determine how files are read from disk. */
async function readSettings({ topLevel }: GitRepository): Promise<Settings> {
  const names = "^(core\\.(filemode|symlinks)|extensions\\.partialclone|remote\\..*\\.promisor)$";
  const { stdout, exitCode } = await git(topLevel, ["config", "-z", "--get-regexp", names]);
  if (exitCode !== 0 && exitCode !== 1)
    throw new PithError("internal_error", "The configuration of the repository cannot be read");
  const values = new Map<string, string>();
  for (const entry of stdout.toString("utf8").split("\0").filter(Boolean)) {
    const [name = "", value = "true"] = entry.split("\n");
    values.set(name, value.toLowerCase());
  }
  const isOff = (name: string) => FALSE_VALUES.has(values.get(name) ?? "true");
  return {
    trustsModes: POSIX && !isOff("core.filemode"),
    trustsLinks: !isOff("core.symlinks"),
    partial: [...values.keys()].some((name) => name.startsWith("extensions.") || name.startsWith("remote.")),
  };
}

const FALSE_VALUES: ReadonlySet<string> = new Set(["false", "no", "off", "0", ""]);

async function prefixOf({ folder, topLevel }: GitRepository): Promise<string> {
  if (folder === topLevel) return "";
  const { stdout } = await git(folder, ["rev-parse", "--show-prefix"]);
  return stdout.toString("utf8").replace(/\n$/, "").replace(/\/$/, "");
}
