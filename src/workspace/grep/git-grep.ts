import { PithError } from "../../kernel/errors.ts";
import { git, type GitRepository } from "../git/git-repository.ts";

/** A million paths of 200 bytes. */
const MAX_LISTING = 256 * 1024 * 1024;
/** What git grep exits with where no file matches. */
const NO_MATCH = 1;

/** The text files of a commit, below the workspace folder, with a line that matches; upper and lower case are the same. */
export async function grepCommit(
  repository: GitRepository,
  commit: string,
  pattern: string,
  signal?: AbortSignal,
): Promise<readonly string[]> {
  const args = ["grep", "-l", "-z", "-i", "-I", "--no-color", "-E", "-e", pattern, commit, "--"];
  const { exitCode, stdout, stderr } = await git(repository.folder, args, {
    maxBytes: MAX_LISTING,
    ...(signal !== undefined && { signal }),
  });
  if (exitCode === NO_MATCH) return [];
  if (exitCode !== 0) throw new PithError("internal_error", `git grep failed: ${stderr.trim()}`);
  return stdout
    .toString("utf8")
    .split("\0")
    .filter((entry) => entry !== "")
    .map((entry) => entry.slice(commit.length + 1));
}
