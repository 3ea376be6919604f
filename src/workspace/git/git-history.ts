import { git, type GitRepository } from "./git-repository.ts";

/** The subject of a commit and the files that it changed, relative to the workspace. */
export interface CommitNote {
  readonly subject: string;
  readonly files: readonly string[];
}

/** Maximum size of git's output, because a commit that adds a whole tree lists all its files. */
const MAX_BYTES = 32 * 1024 * 1024;
/** Character that separates commits in the output of git; no subject contains it. */
const SEPARATOR = "\u0001";

const UNQUOTED = ["-c", "core.quotePath=false"];
/**
 * Options for `git log`. Signatures are not shown, because git would check them with a program that the configuration
 * names.
 */
const FORMAT =
  "--no-merges --no-renames --no-color --no-show-signature --no-ext-diff --name-only --relative --format=%x01%s".split(
    " ",
  );

/** Reads the newest commits of HEAD without merges. The list is empty if there is no commit or objects are missing. */
export async function readCommits(
  { folder }: GitRepository,
  count: number,
  options: { readonly signal?: AbortSignal } = {},
): Promise<readonly CommitNote[]> {
  const limits = { maxBytes: MAX_BYTES, ...options };
  const result = await git(
    folder,
    [...UNQUOTED, "log", ...FORMAT, "-n", String(count), "HEAD", "--"],
    limits,
  );
  // An undefined exit code means that git was stopped because its output reached the limit; the commits read so far are
  // used.
  if (result.exitCode !== 0 && result.exitCode !== undefined) return [];
  return result.stdout
    .toString("utf8")
    .split(SEPARATOR)
    .slice(1)
    .map((entry) => {
      const [subject = "", ...files] = entry.split("\n");
      return { subject, files: files.filter((file) => file !== "") };
    });
}

/** The files of a commit, or of a merged branch as one change, relative to the top folder. */
export interface HistoryUnit {
  readonly commit: string;
  readonly files: readonly string[];
}

/**
 * Options for the changes of the main line, with merged branches as one change each. The first commit, which adds
 * everything, is no change.
 */
const UNITS =
  "--first-parent -m --min-parents=1 --no-renames --no-color --no-show-signature --no-ext-diff --no-relative --name-only --format=%x01%H".split(
    " ",
  );

/**
 * Reads the newest changes of the main line of HEAD, with `paths` only those that changed one of these files, but with
 * all their files. The list is empty if there is no commit or objects are missing, and shorter in a shallow clone.
 */
export async function readUnits(
  folder: string,
  { count, paths = [] }: { readonly count: number; readonly paths?: readonly string[] },
  options: { readonly signal?: AbortSignal } = {},
): Promise<readonly HistoryUnit[]> {
  const places = paths.map((path) => `:(top,literal)${path}`);
  const result = await git(
    folder,
    [
      ...UNQUOTED,
      "log",
      ...UNITS,
      ...(paths.length === 0 ? [] : ["--full-diff"]),
      "-n",
      String(count),
      "HEAD",
      "--",
      ...places,
    ],
    { maxBytes: MAX_BYTES, ...options },
  );
  if (result.exitCode !== 0 && result.exitCode !== undefined) return [];
  return result.stdout
    .toString("utf8")
    .split(SEPARATOR)
    .slice(1)
    .map((entry) => {
      const [commit = "", ...files] = entry.split("\n");
      return { commit, files: files.filter((file) => file !== "") };
    });
}

/** What a commit of the main line changed in some files; a merged branch is one change. */
const PATCHES =
  "diff-tree --stdin -m --first-parent -r -p --unified=0 --no-renames --no-color --no-ext-diff --no-textconv --no-relative".split(
    " ",
  );
const MAX_PATCH_BYTES = 8 * 1024 * 1024;

/** Reads what commits changed in some files: the id of each on a line of its own, then the differences. */
export async function readPatches(
  folder: string,
  { commits, paths }: { readonly commits: readonly string[]; readonly paths: readonly string[] },
  options: { readonly signal?: AbortSignal } = {},
): Promise<string> {
  const places = paths.map((path) => `:(top,literal)${path}`);
  const result = await git(folder, [...UNQUOTED, ...PATCHES, "--", ...places], {
    input: `${commits.join("\n")}\n`,
    maxBytes: MAX_PATCH_BYTES,
    ...options,
  });
  return result.stdout.toString("utf8");
}
