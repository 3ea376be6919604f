import { git, type GitRepository } from "./git-repository.ts";

/** What a commit says of itself, and the files it changed, relative to the workspace. */
export interface CommitNote {
  readonly subject: string;
  readonly files: readonly string[];
}

/** A commit that brings in a whole tree lists all its files: no more than this is read. */
const MAX_BYTES = 32 * 1024 * 1024;
/** No subject has this character. */
const MARK = "\u0001";

const UNQUOTED = ["-c", "core.quotePath=false"];
/** A signature would be checked by a program that the configuration names. */
const FORMAT =
  "--no-merges --no-renames --no-color --no-show-signature --no-ext-diff --name-only --relative --format=%x01%s".split(
    " ",
  );

/** The newest commits below HEAD, without merges; none where there is no commit, or where objects are missing. */
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
  // Undefined: ended at the limit; what came is as good.
  if (result.exitCode !== 0 && result.exitCode !== undefined) return [];
  return result.stdout
    .toString("utf8")
    .split(MARK)
    .slice(1)
    .map((entry) => {
      const [subject = "", ...files] = entry.split("\n");
      return { subject, files: files.filter((file) => file !== "") };
    });
}
