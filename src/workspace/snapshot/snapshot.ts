import { existsSync } from "node:fs";
import { join } from "node:path";
import { PithError } from "../../kernel/errors.ts";
import { contentId } from "../../kernel/ids.ts";
import { findRepository, git, isIgnored, readHead, type GitRepository } from "../git/git-repository.ts";
import { NEVER_WALKED } from "../files/ignore-rules.ts";
import { makeRepository, writeAlternates } from "./bare-repository.ts";
import { readablePath, type BytePath } from "./byte-path.ts";
import { findLfsPaths } from "./lfs.ts";
import { listPlainFolder, listRepository, type Listing } from "./listing.ts";
import { readMemory, writeMemory, type Base, type Memory } from "./memory.ts";
import { objectStore, type ObjectStore } from "./object-store.ts";
import { privateGitOk, type ObjectFormat, type Variables } from "./private-git.ts";
import { markUsed, springClean } from "./cleanup.ts";
import { takeFiles, type Omission, type TakenFiles } from "./collect-files.ts";
import { writeTrees } from "./trees.ts";

/** A commit without parents that holds one state of a tree, and where its objects are. */
export interface SnapshotCommit {
  /** Equal trees have equal commits, whoever took them and when. */
  readonly commit: string;
  readonly tree: string;
  /** The private git directory that reaches all its objects. */
  readonly gitDir: string;
  readonly format: ObjectFormat;
}

/** The exact working tree at one moment. */
export interface Snapshot extends SnapshotCommit {
  /** The user's HEAD as such a commit, and HEAD itself; none before the first commit and for a plain folder. */
  readonly base?: SnapshotCommit & { readonly head: string };
  /** Where the workspace lies in the tree; empty for its top. */
  readonly prefix: string;
  readonly files: number;
  readonly omitted: readonly Omission[];
}

export interface SnapshotOptions {
  /** Where private repositories are kept, one for each working tree. */
  readonly folder: string;
  readonly variables: Variables;
  /** Larger untracked files are left out by name, larger changed ones are refused. */
  readonly maxFileBytes?: number;
  /** How much content that is in no commit may travel. */
  readonly maxNewBytes?: number;
  readonly signal?: AbortSignal;
}

const MAX_FILE_BYTES = 100 * 1024 * 1024;
const MAX_NEW_BYTES = 1024 * 1024 * 1024;

/**
 * Takes the working tree as it is on the disk: staged or not, untracked but not ignored, deletions, modes, links. Of a
 * workspace below a repository's top the whole repository is taken. Nothing is written to the repository: new objects
 * go to a private git directory that reads the user's objects besides its own.
 */
export async function takeSnapshot(root: string, options: SnapshotOptions): Promise<Snapshot> {
  const repository = await repositoryOf(root);
  const top = repository?.topLevel ?? root;
  const format = repository?.objectFormat ?? "sha1";
  const gitDir = join(options.folder, contentId(`${format}\0${top}`));
  await makeRepository(gitDir, { format, excludes: repository === undefined ? PLAIN_EXCLUDES : [] });
  await markUsed(gitDir);
  await springClean(options.folder);
  const work: Work = { top, gitDir, store: objectStore(gitDir, format), options };
  const taken = repository === undefined ? await takePlain(work) : await takeRepository(repository, work);
  const prefix = repository === undefined ? "" : await prefixOf(repository);
  return { ...taken, prefix };
}

/** The repository whose tree the folder is part of; a `core.worktree` that points elsewhere is not believed. */
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

/** Installed packages and caches of a folder that has no git to ignore them. */
const PLAIN_EXCLUDES = [...NEVER_WALKED].map((name) => `${name}/`);

async function takePlain(work: Work): Promise<Taken> {
  const { variables, signal } = work.options;
  const listing = await listPlainFolder(work.top, {
    gitDir: work.gitDir,
    variables,
    ...(signal && { signal }),
  });
  return take(work, listing, { base: undefined, lfs: new Set(), trustsModes: POSIX, trustsLinks: true });
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
  // A partial clone may lack what its commits hold, and nothing is fetched here: all files are stored anew.
  const base = settings.partial ? undefined : head.commit;
  return take(work, listing, { ...settings, base, lfs });
}

interface Circumstances {
  readonly base: string | undefined;
  readonly lfs: ReadonlySet<BytePath>;
  readonly trustsModes: boolean;
  readonly trustsLinks: boolean;
}

async function take(work: Work, listing: Listing, at: Circumstances): Promise<Taken> {
  const { top, gitDir, store, options } = work;
  const memory = readMemory(gitDir);
  const known = await whatBaseHolds(work, memory, at.base);
  const own = new Set<string>();
  const needsNoWriting = (id: string) => {
    if (known.holds(id)) return true;
    own.add(id);
    return store.has(id);
  };
  const taken = await takeFiles({
    root: top,
    listed: listing.paths,
    remembered: memory.files,
    lfs: at.lfs,
    trustsModes: at.trustsModes,
    trustsLinks: at.trustsLinks,
    maxFileBytes: options.maxFileBytes ?? MAX_FILE_BYTES,
    maxNewBytes: options.maxNewBytes ?? MAX_NEW_BYTES,
    store: { format: store.format, has: needsNoWriting, write: (content) => store.write("blob", content) },
    submoduleHead: (path) => submoduleHead(top, path),
    ...(options.signal && { signal: options.signal }),
  });
  const submodules = submodulesIn(taken);
  // Where modes come from the user's index, no look at a file tells that they changed.
  const same =
    at.trustsModes &&
    at.trustsLinks &&
    isSame(memory, { base: known.base, files: taken.files, submodules }, taken.read);
  const last = same ? memory.trees.at(-1) : undefined;
  if (last !== undefined && [...memory.own].every((id) => store.has(id)))
    return finish(work, { tree: last, base: known.base, taken, listing });
  const trees: string[] = [];
  const tree = await writeTrees(taken.entries, async (content) => {
    const id = store.idOf("tree", content);
    trees.push(id);
    return needsNoWriting(id) ? id : store.write("tree", content);
  });
  await writeMemory(gitDir, { base: known.base, files: taken.files, trees, submodules, own });
  return finish(work, { tree, base: known.base, taken, listing });
}

function submodulesIn({ entries }: TakenFiles): string {
  const pointers = entries.filter(({ mode }) => mode === "160000");
  return pointers.map(({ path, id }) => `${id} ${path}`).join("\n");
}

/** Modes and contents count as read when they changed, so that equal numbers mean an equal tree. */
function isSame(before: Memory, now: Pick<Memory, "base" | "files" | "submodules">, read: number): boolean {
  return (
    read === 0 &&
    before.base?.commit === now.base?.commit &&
    before.files.size === now.files.size &&
    before.submodules === now.submodules
  );
}

async function finish(
  { gitDir, store }: Work,
  result: { tree: string; base: Base | undefined; taken: TakenFiles; listing: Listing },
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

/** No parent, no clock and no name: the tree alone decides the id. */
function commitText(tree: string): Buffer {
  const who = "Pith <pith@localhost> 1000000000 +0000";
  return Buffer.from(`tree ${tree}\nauthor ${who}\ncommitter ${who}\n\nSnapshot of a working tree\n`);
}

/** Which objects the base commit holds. With an unmoved HEAD the memory knows it, without a look into the commit. */
async function whatBaseHolds(
  { gitDir, options }: Work,
  memory: Memory,
  head: string | undefined,
): Promise<{ base: Base | undefined; holds: (id: string) => boolean }> {
  if (head === undefined) return { base: undefined, holds: () => false };
  if (memory.base?.commit === head) {
    const held = new Set(memory.trees);
    for (const { id } of memory.files.values()) held.add(id);
    return { base: memory.base, holds: (id) => held.has(id) && !memory.own.has(id) };
  }
  const call = {
    gitDir,
    variables: options.variables,
    maxBytes: MAX_LISTING,
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

const MAX_LISTING = 512 * 1024 * 1024;

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

/** The few settings of the user's repository that say how to read the disk. */
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
  const isOff = (name: string) => NO.has(values.get(name) ?? "true");
  return {
    trustsModes: POSIX && !isOff("core.filemode"),
    trustsLinks: !isOff("core.symlinks"),
    partial: [...values.keys()].some((name) => name.startsWith("extensions.") || name.startsWith("remote.")),
  };
}

const NO: ReadonlySet<string> = new Set(["false", "no", "off", "0", ""]);

async function prefixOf({ folder, topLevel }: GitRepository): Promise<string> {
  if (folder === topLevel) return "";
  const { stdout } = await git(folder, ["rev-parse", "--show-prefix"]);
  return stdout.toString("utf8").replace(/\n$/, "").replace(/\/$/, "");
}
