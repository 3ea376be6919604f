import { join } from "node:path";
import { PithError } from "../../kernel/errors.ts";
import { statOf } from "../files/file-signature.ts";
import { git, type GitRepository } from "./git-repository.ts";
import { editedSubmodules, readIndexEntries } from "./index-entries.ts";
import { withoutFilters } from "./tree-state.ts";

/** Two states of a repository. `index` stands for what is staged, `tree` for the files on disk. */
export interface ChangeRange {
  /** A commit, or the id of the empty tree. */
  readonly from: string;
  readonly to: { readonly commit: string } | "index" | "tree";
}

/** Stands for the content of a file on disk, whose id git does not know. */
export const ON_DISK = "on disk";

/** A file that differs between two states, relative to the workspace. */
export interface ChangedFile {
  readonly path: string;
  readonly oldPath?: string;
  /** The ids of the contents; undefined where the file does not exist. `ON_DISK` stands for that of a file on disk. */
  readonly before?: string;
  readonly after?: string;
  /** True if the later content is on disk. Git may have computed its id without storing the content. */
  readonly isOnDisk?: true;
  /** What it is if it is no file, on the later side or else on the earlier one. */
  readonly special?: "link" | "submodule" | "submodule with uncommitted changes" | "nested repository";
  /** True if it may be executed on one side only. */
  readonly hasNewMode?: true;
  /** True if a merge left a conflict in it. What is staged then has no content of it. */
  readonly hasConflict?: true;
  /** True if git no longer tracks it, although it is still on disk. */
  readonly isUntracked?: true;
}

const EMPTY_TREES = {
  sha1: "4b825dc642cb6eb9a060e54bf8d69288fbee4904",
  sha256: "6ef19b41225c5369f1c104d45d8d85efa9b057b53b14b4b9b939dd74decc5321",
} as const;

/** Returns the id of the tree without files, which stands before the first commit. */
export function emptyTree({ objectFormat }: GitRepository): string {
  return EMPTY_TREES[objectFormat];
}

const MAX_LISTING_BYTES = 256 * 1024 * 1024;
/** Arguments of every comparison: raw ids, renames by content, no programs of the user's configuration. */
const FLAGS =
  "--raw -z -M --no-abbrev --no-color --no-ext-diff --no-textconv --ignore-submodules=dirty".split(" ");
const NO_BLOB = /^0+$/;
const NO_MODE = /^0+$/;
/** The beginnings of the modes of what is no regular file. */
const SPECIAL: Readonly<Record<string, ChangedFile["special"]>> = { "120": "link", "160": "submodule" };

/** The files of which changes are listed. */
interface Scope {
  /** The folder to which their paths are relative. */
  readonly base: string;
  /** Arguments of `git diff` and of `git ls-files`. */
  readonly flags: readonly string[];
  readonly listFlags: readonly string[];
  readonly paths: readonly string[];
}

/** Lists the files of the workspace folder that differ between two states, renames included. */
export function changedFiles(
  repository: GitRepository,
  range: ChangeRange,
  signal?: AbortSignal,
): Promise<readonly ChangedFile[]> {
  const scope = { base: repository.folder, flags: ["--relative"], listFlags: [], paths: [] };
  return changesIn(scope, repository, range, signal);
}

/** Lists the files in the rest of the repository that differ between two states, relative to its top. */
export async function changedFilesOutside(
  repository: GitRepository,
  range: ChangeRange,
  signal?: AbortSignal,
): Promise<readonly ChangedFile[]> {
  const { folder, topLevel } = repository;
  if (folder === topLevel) return [];
  const scope = {
    base: topLevel,
    flags: ["--no-relative"],
    listFlags: ["--full-name"],
    paths: [":(top)", ":(exclude)."],
  };
  return changesIn(scope, repository, range, signal);
}

async function changesIn(
  scope: Scope,
  repository: GitRepository,
  { from, to }: ChangeRange,
  signal?: AbortSignal,
): Promise<readonly ChangedFile[]> {
  const options = { maxBytes: MAX_LISTING_BYTES, ...(signal !== undefined && { signal }) };
  // Only a comparison with files on disk starts filters.
  const settings =
    typeof to === "object"
      ? []
      : await withoutFilters(repository.folder, { signal: signal ?? new AbortController().signal });
  const sides = typeof to === "object" ? [from, to.commit] : to === "index" ? ["--cached", from] : [from];
  const args = [...(settings ?? []), "diff", ...FLAGS, ...scope.flags, ...sides, "--", ...scope.paths];
  const [result, others, entries] = await Promise.all([
    git(repository.folder, args, options),
    to === "tree" ? untracked(repository.folder, scope, options) : [],
    typeof to === "object" ? undefined : readIndexEntries(repository.folder, options, scope),
  ]);
  if (result.exitCode !== 0)
    throw new PithError(
      "ref_not_found",
      `git cannot compare the two states: ${result.stderr.trim().slice(0, 200)}`,
    );
  const changed = withUntracked(readRaw(result.stdout.toString("utf8"), to === "tree"), others);
  if (entries === undefined) return changed;
  const { conflicts, submodules } = entries;
  const known = withConflicts(changed, conflicts, to === "index");
  if (to === "index") return known;
  const paths = new Set(known.map(({ path }) => path));
  const unknown = submodules.filter((path) => !paths.has(path));
  const edited = await editedSubmodules(scope.base, unknown, options);
  return [...known, ...edited.map(editedSubmodule)];
}

/** Adds the files that git does not track. One that it has stopped to track is the same file, and no rename to itself. */
function withUntracked(
  changed: readonly ChangedFile[],
  others: readonly ChangedFile[],
): readonly ChangedFile[] {
  const left = new Map(others.map((file) => [file.path, file]));
  const all = changed.map((file): ChangedFile => {
    const other = file.after === undefined ? left.get(file.path) : undefined;
    if (other === undefined) return file;
    left.delete(file.path);
    return { ...file, ...other, isUntracked: true };
  });
  return [...all, ...left.values()];
}

/** Marks the files with conflicts. Where what is staged is compared, these have no content that could be. */
function withConflicts(
  changed: readonly ChangedFile[],
  conflicts: ReadonlySet<string>,
  isStaged: boolean,
): readonly ChangedFile[] {
  if (conflicts.size === 0) return changed;
  const left = new Set(conflicts);
  const all = changed.map((file): ChangedFile => {
    if (!left.delete(file.path)) return file;
    return isStaged ? { path: file.path, hasConflict: true } : { ...file, hasConflict: true };
  });
  return [...all, ...Array.from(left, (path) => ({ path, hasConflict: true as const }))];
}

/** A submodule at the same commit, in which something differs from that. */
function editedSubmodule(path: string): ChangedFile {
  return { path, before: ON_DISK, after: ON_DISK, special: "submodule with uncommitted changes" };
}

/** Returns whether the files on disk are those that are staged, apart from files that git does not track. */
export async function isStagedOnDisk(repository: GitRepository): Promise<boolean> {
  const settings = await withoutFilters(repository.folder, { signal: new AbortController().signal });
  const { exitCode } = await git(
    repository.folder,
    [...(settings ?? []), "diff", "--quiet", ...FLAGS, "--ignore-submodules=all", "--"],
    {
      maxBytes: MAX_LISTING_BYTES,
    },
  );
  return exitCode === 0;
}

/** Reads the raw format: `:100644 100644 OLD NEW R087`, then the path, and the new path of a rename or copy. */
function readRaw(output: string, isOnDisk: boolean): readonly ChangedFile[] {
  const files: ChangedFile[] = [];
  const parts = output.split("\0");
  for (let at = 0; at + 1 < parts.length;) {
    const [oldMode = "", newMode = "", was = "", is = "", status = ""] = (parts[at] ?? "")
      .slice(1)
      .split(" ");
    const isRename = /^[RC]/.test(status);
    const oldPath = parts[at + 1] ?? "";
    const path = isRename ? (parts[at + 2] ?? "") : oldPath;
    at += isRename ? 3 : 2;
    const [hadFile, hasFile] = [!NO_MODE.test(oldMode), !NO_MODE.test(newMode)];
    const before = hadFile && !NO_BLOB.test(was) ? was : undefined;
    const after = !hasFile ? undefined : NO_BLOB.test(is) && isOnDisk ? ON_DISK : is;
    if (before === undefined && after === undefined) continue;
    const special = SPECIAL[(hasFile ? newMode : oldMode).slice(0, 3)] ?? SPECIAL[oldMode.slice(0, 3)];
    files.push({
      path,
      ...(status.startsWith("R") && { oldPath }),
      ...(before !== undefined && !status.startsWith("C") && { before }),
      ...(after !== undefined && { after }),
      ...(after !== undefined && isOnDisk && { isOnDisk: true as const }),
      ...(special !== undefined && { special }),
      ...(hadFile && hasFile && oldMode !== newMode && { hasNewMode: true as const }),
    });
  }
  return files;
}

async function untracked(
  folder: string,
  { base, listFlags, paths: scope }: Scope,
  options: { readonly maxBytes: number; readonly signal?: AbortSignal },
): Promise<readonly ChangedFile[]> {
  const args = ["ls-files", "-z", "--others", "--exclude-standard", ...listFlags, "--", ...scope];
  const result = await git(folder, args, options);
  const paths = result.stdout.toString("utf8").split("\0");
  return paths
    .filter((path) => path !== "")
    .map((path) => {
      const file = { path, after: ON_DISK, isOnDisk: true } as const;
      // Git does not look into another repository.
      if (path.endsWith("/")) return { ...file, path: path.slice(0, -1), special: "nested repository" };
      return statOf(join(base, path))?.isSymbolicLink() === true ? { ...file, special: "link" } : file;
    });
}

/** Finds the last commit that two commits have in common; undefined if their histories are unrelated. */
export async function mergeBase(
  { folder }: GitRepository,
  one: string,
  other: string,
): Promise<string | undefined> {
  const result = await git(folder, ["merge-base", one, other]);
  const commit = result.stdout.toString("utf8").trim();
  return result.exitCode === 0 && commit !== "" ? commit : undefined;
}
