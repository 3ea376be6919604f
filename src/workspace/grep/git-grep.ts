import { PithError } from "../../kernel/errors.ts";
import { git, type GitRepository } from "../git/git-repository.ts";

/** Maximum size of git's output, enough for a million paths of 200 bytes. */
const MAX_LISTING_BYTES = 256 * 1024 * 1024;
/** Exit code of `git grep` when no file matches. */
const NO_MATCH = 1;

/** Lists the text files of a commit that are below the workspace folder and contain the pattern; case is ignored. */
export async function grepCommit(
  repository: GitRepository,
  commit: string,
  pattern: string,
  signal?: AbortSignal,
): Promise<readonly string[]> {
  const args = ["grep", "-l", "-z", "-i", "-I", "--no-color", "-E", "-e", pattern, commit, "--"];
  const { exitCode, stdout, stderr } = await git(repository.folder, args, {
    maxBytes: MAX_LISTING_BYTES,
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
