import { homedir } from "node:os";
import { join, resolve } from "node:path";
import { runProcess } from "../../exec/run-process.ts";
import { PithError } from "../../kernel/errors.ts";
import { readSmallText } from "../../kernel/files/small-file.ts";
import { statOf } from "../files/file-signature.ts";
import { HarmfulRuleFileError, RULE_FILES, withRuleFileWatch } from "../files/rule-files.ts";
import { harmfulGitFile } from "./harmful-git-file.ts";

/** The locations of a git repository. All worktrees of a repository have the same `commonDir`. */
export interface GitRepository {
  /** The workspace folder, which may be a subfolder of the repository. Git commands run in it. */
  readonly folder: string;
  readonly topLevel: string;
  readonly gitDir: string;
  readonly commonDir: string;
  readonly objectFormat: "sha1" | "sha256";
}

/**
 * Runs git so that it takes no locks in the user's repository, starts no programs that its configuration names and
 * fetches nothing. In a partial clone, git would otherwise fetch missing objects from any address and with any program.
 */
export async function git(
  folder: string,
  args: readonly string[],
  options: { input?: string | Uint8Array; maxBytes?: number; signal?: AbortSignal } = {},
): Promise<{ exitCode: number | undefined; stdout: Buffer; stderr: string }> {
  const harmful = harmfulGitFile(folder);
  if (harmful !== undefined) return refuse(harmful);
  const argv = [...GIT, "-C", folder, ...args] as const;
  const watch = { root: folder, names: RULE_FILES.git, signal: options.signal };
  try {
    return await withRuleFileWatch(watch, (signal) => runProcess(argv, { ...options, signal }));
  } catch (error) {
    if (error instanceof HarmfulRuleFileError) return refuse(error.message);
    throw error;
  }
}

/** Answers as git does if it cannot read a repository, so that the folder counts as one without git. */
function refuse(path: string): { exitCode: number; stdout: Buffer; stderr: string } {
  return { exitCode: 128, stdout: Buffer.alloc(0), stderr: `fatal: ${path} is not a plain file` };
}

const NO_FETCHING = ["", "ext.", "file.", "git.", "http.", "https.", "ssh."].flatMap((transport) => [
  "-c",
  `protocol.${transport}allow=never`,
]);
const GIT = ["git", "--no-optional-locks", "-c", "core.fsmonitor=false", ...NO_FETCHING] as const;

/** Finds the repository that contains a folder; undefined if there is none or git is not installed. */
export async function findRepository(folder: string): Promise<GitRepository | undefined> {
  const flags = ["--show-toplevel", "--absolute-git-dir", "--git-common-dir", "--show-object-format"];
  const result = await git(folder, ["rev-parse", ...flags]).catch((error: unknown) => {
    if (error instanceof PithError && error.code === "spawn_failed") return undefined;
    throw error;
  });
  if (result === undefined || result.exitCode !== 0) return undefined;
  const [topLevel, gitDir, commonDir, format] = result.stdout.toString("utf8").trimEnd().split("\n");
  if (topLevel === undefined || gitDir === undefined || commonDir === undefined) return undefined;
  return {
    folder,
    topLevel,
    gitDir,
    commonDir: resolve(folder, commonDir),
    objectFormat: format === "sha256" ? "sha256" : "sha1",
  };
}

/**
 * Returns a text that changes when a folder comes to belong to another repository. It contains the inode of `.git` in
 * the folder and at the top level of the repository, and also the modification time of a `.git` that is a file or that
 * git could not read.
 */
export function repositoryFingerprint(folder: string, repository?: GitRepository): string {
  const places = new Set([folder, repository?.topLevel ?? folder]);
  const marks = Array.from(places, (place) => {
    const stats = statOf(join(place, ".git"));
    const isLive = repository !== undefined && stats?.isDirectory() === true;
    return stats === undefined ? "none" : `${stats.ino} ${isLive ? "" : stats.mtimeMs}`;
  });
  return marks.join(" ");
}

/** True if the repository ignores the workspace folder itself; the folder is then treated as one without git. */
export async function isIgnored({ folder, topLevel }: GitRepository): Promise<boolean> {
  if (folder === topLevel) return false;
  const result = await git(topLevel, ["check-ignore", "--quiet", "--", folder]);
  return result.exitCode === 0;
}

/** Returns the path of the user's ignore file that applies to all repositories. */
export async function globalExcludes({ folder }: GitRepository): Promise<readonly string[]> {
  const result = await git(folder, ["config", "--type=path", "--get", "core.excludesFile"]);
  const named = result.stdout.toString("utf8").trim();
  return [named === "" ? join(homedir(), ".config/git/ignore") : resolve(folder, named)];
}

/** The state of HEAD: the branch, unless HEAD is detached, and the commit, if there is one. */
export interface Head {
  readonly branch?: string;
  readonly commit?: string;
}

/** Reads HEAD directly from the files of the repository, because starting git takes 4 ms per query. */
export async function readHead(repository: GitRepository): Promise<Head> {
  const text = readSmallText(join(repository.gitDir, "HEAD"))?.trim();
  if (text === undefined) return {};
  const ref = /^ref: (.+)$/.exec(text)?.[1];
  if (ref === undefined) return { commit: text };
  const commit = readRef(repository, ref);
  const branch = ref.replace(/^refs\/heads\//, "");
  // A repository that does not store its refs in files has only a placeholder in HEAD, so git is asked.
  if (ref === "refs/heads/.invalid") return headByGit(repository);
  return commit === undefined ? { branch } : { branch, commit };
}

/** Resolves a branch, tag or abbreviated hash to a commit. */
export async function resolveCommit(repository: GitRepository, ref: string): Promise<string> {
  const fixed = await fixedName(repository, ref);
  const key = fixed === undefined ? undefined : JSON.stringify([repository.commonDir, fixed]);
  const known = key === undefined ? undefined : resolved.get(key);
  if (known !== undefined) return known;
  const argument = ["rev-parse", "--verify", "--quiet", "--end-of-options", `${fixed ?? ref}^{commit}`];
  const result = await git(repository.folder, argument);
  const commit = result.stdout.toString("utf8").trim();
  if (result.exitCode !== 0 || commit === "")
    throw new PithError("ref_not_found", `Git knows no branch, tag or commit named ${ref}`, { ref });
  if (resolved.size >= MAX_RESOLVED) resolved.clear();
  if (key !== undefined) resolved.set(key, commit);
  resolved.set(JSON.stringify([repository.commonDir, commit]), commit);
  return commit;
}

/** True if only the newest commits of the history were fetched. */
export async function isShallow({ folder }: GitRepository): Promise<boolean> {
  const { stdout } = await git(folder, ["rev-parse", "--is-shallow-repository"]);
  return stdout.toString("utf8").trim() === "true";
}

/** Commits by names that always mean the same: a whole hash, or so many parents before one. */
const resolved = new Map<string, string>();
const MAX_RESOLVED = 5_000;

/** Returns a name for the commit that never changes its meaning, as far as no process is needed for it. */
async function fixedName(repository: GitRepository, ref: string): Promise<string | undefined> {
  const [, base = "", parents = ""] = /^(HEAD|[0-9a-f]{40}|[0-9a-f]{64})((?:[~^]\d*)*)$/.exec(ref) ?? [];
  if (base === "") return undefined;
  const start = base === "HEAD" ? (await readHead(repository)).commit : base;
  return start === undefined || !/^[0-9a-f]{40,64}$/.test(start) ? undefined : `${start}${parents}`;
}

/** Enough for more than a million refs. */
const MAX_PACKED_REFS_BYTES = 128 * 1024 * 1024;

function readRef(repository: GitRepository, ref: string): string | undefined {
  const loose = readSmallText(join(repository.gitDir, ref)) ?? readSmallText(join(repository.commonDir, ref));
  if (loose !== undefined) return loose.trim();
  const packed = readSmallText(join(repository.commonDir, "packed-refs"), {
    maxBytes: MAX_PACKED_REFS_BYTES,
  });
  const line = packed?.split("\n").find((entry) => entry.endsWith(` ${ref}`));
  return line?.split(" ")[0];
}

async function headByGit(repository: GitRepository): Promise<Head> {
  const commit = await git(repository.folder, ["rev-parse", "--verify", "--quiet", "HEAD"]);
  const branch = await git(repository.folder, ["symbolic-ref", "--short", "--quiet", "HEAD"]);
  const name = branch.stdout.toString("utf8").trim();
  const hash = commit.stdout.toString("utf8").trim();
  return { ...(name === "" ? {} : { branch: name }), ...(hash === "" ? {} : { commit: hash }) };
}
