import { createHash } from "node:crypto";
import { PithError } from "../../kernel/errors.ts";
import { git, type GitRepository } from "./git-repository.ts";

export interface TreeEntry {
  /** Path relative to the workspace folder. */
  readonly path: string;
  readonly hash: string;
  readonly size: number;
}

/** Computes the git object id of a file content: the hash of a short header and the bytes. */
export function blobHash(bytes: Uint8Array, format: "sha1" | "sha256" = "sha1"): string {
  return createHash(format).update(`blob ${bytes.length}\0`).update(bytes).digest("hex");
}

/** Lists the regular files of a commit below the workspace folder, without symbolic links and submodules. */
export async function listTree(repository: GitRepository, commit: string): Promise<TreeEntry[]> {
  const args = ["ls-tree", "-r", "-z", "-l", commit];
  const result = await git(repository.folder, args, { maxBytes: MAX_LISTING_BYTES });
  if (result.exitCode !== 0) throw listingError(commit, result.stderr.trim());
  const entries: TreeEntry[] = [];
  for (const line of result.stdout.toString("utf8").split("\0")) {
    const match = /^(100\d{3}) blob ([0-9a-f]+) +(\d+)\t(.+)$/s.exec(line);
    if (match?.[2] !== undefined && match[4] !== undefined)
      entries.push({ path: match[4], hash: match[2], size: Number(match[3]) });
  }
  return entries;
}

function listingError(ref: string, why: string): PithError {
  if (!/promisor/.test(why)) return new PithError("ref_not_found", why, { ref });
  return new PithError("ref_not_found", `This clone is partial and lacks files of ${ref}`, {
    ref,
    suggestion: "Let git fetch them first, for example with git archive or a checkout in a worktree.",
  });
}

/** Reads many blobs in one git call; unknown hashes are left out. */
export async function readBlobs(
  repository: GitRepository,
  hashes: readonly string[],
): Promise<Map<string, Buffer>> {
  const found = new Map<string, Buffer>();
  for (const object of await readObjects(repository, hashes))
    if (object !== undefined) found.set(object.hash, object.bytes);
  return found;
}

/** Reads files as the last commit has them, by their paths in the workspace folder; those that it lacks are left out. */
export async function committedTexts(
  repository: GitRepository,
  paths: readonly string[],
): Promise<Map<string, Buffer>> {
  // Git reads one name per line.
  const asked = paths.filter((path) => !path.includes("\n"));
  const names = asked.map((path) => `HEAD:./${path.replaceAll("\\", "/")}`);
  const found = new Map<string, Buffer>();
  for (const [at, object] of (await readObjects(repository, names)).entries())
    if (object !== undefined) found.set(asked[at] ?? "", object.bytes);
  return found;
}

interface GitBlob {
  readonly hash: string;
  readonly bytes: Buffer;
}

/** Reads objects in one git call, in the order of their names; undefined stands for one that is missing or no blob. */
async function readObjects(
  repository: GitRepository,
  names: readonly string[],
): Promise<readonly (GitBlob | undefined)[]> {
  if (names.length === 0) return [];
  const { stdout, exitCode, stderr } = await git(repository.folder, ["cat-file", "--batch"], {
    input: `${names.join("\n")}\n`,
    maxBytes: MAX_BATCH_BYTES,
  });
  // The output of an interrupted call is incomplete and must not be used.
  if (exitCode !== 0) throw new PithError("internal_error", `git cat-file ended early: ${stderr.trim()}`);
  const objects: (GitBlob | undefined)[] = [];
  for (let at = 0; at < stdout.length;) {
    const end = stdout.indexOf(10, at);
    if (end < 0) break;
    const [, hash = "", type, size = "0"] =
      /^([0-9a-f]+) (\w+) (\d+)$/.exec(stdout.toString("latin1", at, end)) ?? [];
    const length = Number(size);
    at = end + 1;
    objects.push(type === "blob" ? { hash, bytes: stdout.subarray(at, at + length) } : undefined);
    if (type !== undefined) at += length + 1;
  }
  return objects;
}

/** Maximum size of a listing of files, enough for a million paths of 200 bytes. */
const MAX_LISTING_BYTES = 256 * 1024 * 1024;
/** Maximum size of the contents that one call reads; callers request about 100 MB per call, or a single file. */
const MAX_BATCH_BYTES = 1024 * 1024 * 1024;
