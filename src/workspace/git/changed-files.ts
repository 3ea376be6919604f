import { join } from "node:path";
import { PithError } from "../../kernel/errors.ts";
import { statOf } from "../files/file-signature.ts";
import { git, type GitRepository } from "./git-repository.ts";
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
  readonly special?: "link" | "submodule";
  /** True if it may be executed on one side only. */
  readonly hasNewMode?: true;
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
  "--raw -z -M --no-abbrev --no-color --no-ext-diff --no-textconv --ignore-submodules=dirty --relative".split(
    " ",
  );
const NO_BLOB = /^0+$/;
const NO_MODE = /^0+$/;
/** The beginnings of the modes of what is no regular file. */
const SPECIAL: Readonly<Record<string, ChangedFile["special"]>> = { "120": "link", "160": "submodule" };

/** Lists the files that differ between two states, renames included. */
export async function changedFiles(
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
  const args = [...(settings ?? []), "diff", ...FLAGS, ...sides, "--"];
  const [result, others] = await Promise.all([
    git(repository.folder, args, options),
    to === "tree" ? untracked(repository, options) : [],
  ]);
  if (result.exitCode !== 0)
    throw new PithError(
      "ref_not_found",
      `git cannot compare the two states: ${result.stderr.trim().slice(0, 200)}`,
    );
  const changed = readRaw(result.stdout.toString("utf8"), to === "tree");
  return [...changed, ...others];
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
  { folder }: GitRepository,
  options: { readonly maxBytes: number; readonly signal?: AbortSignal },
): Promise<readonly ChangedFile[]> {
  const result = await git(folder, ["ls-files", "-z", "--others", "--exclude-standard"], options);
  const paths = result.stdout.toString("utf8").split("\0");
  return paths
    .filter((path) => path !== "" && !path.endsWith("/"))
    .map((path) => ({
      path,
      after: ON_DISK,
      isOnDisk: true as const,
      ...(statOf(join(folder, path))?.isSymbolicLink() === true && { special: "link" as const }),
    }));
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
