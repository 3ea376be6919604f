import { existsSync } from "node:fs";
import { join } from "node:path";
import { PithError } from "../../kernel/errors.ts";
import { findRepository, git, type GitRepository } from "../git/git-repository.ts";
import { bytePath, readablePath, type BytePath } from "./byte-path.ts";
import { privateGitOk, type Variables } from "./private-git.ts";

/** A path that may be part of the snapshot; whether it still exists becomes known when it is read. */
export interface ListedPath {
  readonly path: BytePath;
  /** Mode of the file in the user's git index; undefined for an untracked file. */
  readonly indexMode?: string;
  /** Commit of a submodule in the user's git index; undefined for files. */
  readonly submodule?: string;
}

export interface Listing {
  readonly paths: readonly ListedPath[];
  /** Paths of nested repositories that are not submodules. */
  readonly foreign: readonly BytePath[];
}

/** Lists the tracked paths of a repository and the untracked ones that are not ignored. */
export async function listRepository(repository: GitRepository, signal?: AbortSignal): Promise<Listing> {
  const top = repository.topLevel;
  const [staged, others] = await Promise.all([
    list(top, ["ls-files", "-z", "--stage"], signal),
    list(top, ["ls-files", "-z", "--others", "--exclude-standard"], signal),
  ]);
  const paths = new Map<BytePath, ListedPath>();
  for (const entry of staged) {
    const tab = entry.indexOf("\t");
    const path = entry.slice(tab + 1);
    const [indexMode, hash] = entry.slice(0, tab).split(" ");
    // Git lists a path with a merge conflict once for each side; only the first entry is used.
    if (indexMode === undefined || hash === undefined || paths.has(path)) continue;
    paths.set(path, { path, indexMode, ...(indexMode === SUBMODULE && { submodule: hash }) });
  }
  const foreign: BytePath[] = [];
  for (const path of others) {
    if (path.endsWith("/")) foreign.push(path.slice(0, -1));
    else if (!paths.has(path)) paths.set(path, { path });
  }
  return { paths: [...paths.values()], foreign };
}

/**
 * Lists the files of a folder without git, except those that .gitignore files and the ignore rules of the private
 * repository exclude. Nested repositories are listed as ordinary files, by their own ignore rules.
 */
export async function listPlainFolder(
  root: string,
  options: { gitDir: string; variables: Variables; signal?: AbortSignal },
): Promise<Listing> {
  const { gitDir, variables, signal } = options;
  const output = await privateGitOk(["ls-files", "-z", "--others", "--exclude-standard"], {
    gitDir,
    workTree: root,
    variables,
    maxBytes: MAX_LISTING_BYTES,
    ...(signal && { signal }),
  });
  const paths: ListedPath[] = [];
  const foreign: BytePath[] = [];
  for (const path of split(output)) {
    if (!path.endsWith("/")) paths.push({ path });
    else await addNested(path, paths, foreign);
  }
  return { paths, foreign };

  async function addNested(prefix: BytePath, into: ListedPath[], unread: BytePath[]): Promise<void> {
    const folder = join(root, readablePath(prefix));
    const repository = existsSync(folder) ? await findRepository(folder) : undefined;
    if (repository === undefined) return void unread.push(prefix.slice(0, -1));
    const inner = await listRepository(repository, signal);
    for (const { path, indexMode } of inner.paths)
      if (indexMode === SUBMODULE) unread.push(prefix + path);
      else into.push({ path: prefix + path, ...(indexMode !== undefined && { indexMode }) });
    for (const path of inner.foreign) unread.push(prefix + path);
  }
}

const SUBMODULE = "160000";
/** Maximum size of git's output, enough for a million paths of 200 bytes with their modes and hashes. */
const MAX_LISTING_BYTES = 512 * 1024 * 1024;

async function list(top: string, args: readonly string[], signal?: AbortSignal): Promise<BytePath[]> {
  const result = await git(top, args, { maxBytes: MAX_LISTING_BYTES, ...(signal && { signal }) });
  if (result.exitCode === 0) return split(result.stdout);
  throw new PithError("internal_error", `git ls-files failed: ${result.stderr.trim()}`, { folder: top });
}

function split(output: Buffer): BytePath[] {
  return bytePath(output).split("\0").filter(Boolean);
}
