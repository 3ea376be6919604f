import { existsSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { readSmallFile, readSmallText } from "../../kernel/files/small-file.ts";
import { isHarmful, RULE_FILES } from "../files/rule-files.ts";

/** Files that git reads at every start, in the folder of a repository or of a worktree. */
const SMALL_FILES = "HEAD config config.worktree commondir gitdir shallow info/exclude info/attributes".split(
  " ",
);
/** Those that grow with the repository, with sizes that no repository reaches. */
const LARGE_FILES = { index: 4 * 1024 ** 3, "packed-refs": 1024 ** 3 };

/**
 * Finds a file that would make git hang or run out of memory: among those that every command reads, in the repository
 * around a folder.
 */
export function harmfulGitFile(folder: string): string | undefined {
  for (let at = folder; ; at = dirname(at)) {
    const rules = RULE_FILES.git.map((name) => join(at, name)).find((path) => isHarmful(path));
    if (rules !== undefined) return rules;
    const gitDir = gitFolderOf(join(at, ".git"));
    if (gitDir !== undefined) return harmfulIn(gitDir);
    if (dirname(at) === at) return undefined;
  }
}

/** Returns the folder that `.git` is, or that it names if it is a file, as in a worktree. */
function gitFolderOf(path: string): string | undefined {
  const read = readSmallFile(path);
  if ("refused" in read) return existsSync(join(path, "HEAD")) ? path : undefined;
  const named = /^gitdir: (.+)/.exec(read.bytes.toString("utf8"))?.[1];
  return named === undefined ? undefined : resolve(dirname(path), named);
}

function harmfulIn(gitDir: string): string | undefined {
  const common = readSmallText(join(gitDir, "commondir"))?.trim();
  const folders = [gitDir, ...(common === undefined ? [] : [resolve(gitDir, common)])];
  const branch = /^ref: (\S+)/.exec(readSmallText(join(gitDir, "HEAD")) ?? "")?.[1];
  const small = branch === undefined ? SMALL_FILES : [...SMALL_FILES, branch];
  for (const folder of folders) {
    const found = small.find((name) => isHarmful(join(folder, name)));
    if (found !== undefined) return join(folder, found);
    for (const [name, maxBytes] of Object.entries(LARGE_FILES))
      if (isHarmful(join(folder, name), maxBytes)) return join(folder, name);
  }
  return undefined;
}
