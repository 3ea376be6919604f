import { compareText } from "../../kernel/nearest.ts";
import { git, type GitRepository } from "./git-repository.ts";

/**
 * Returns a name that is the same in all clones of a repository: the address of its remote, or else its first commit;
 * undefined if it has neither.
 */
export async function repositoryName(repository: GitRepository): Promise<string | undefined> {
  const remote = await git(repository.folder, ["config", "--get", "remote.origin.url"]);
  const address = remoteName(remote.stdout.toString("utf8").trim());
  if (address !== undefined) return address;
  const roots = await git(repository.folder, ["rev-list", "--max-parents=0", "HEAD"]);
  if (roots.exitCode !== 0) return undefined;
  const [first] = roots.stdout.toString("utf8").trim().split("\n").toSorted(compareText);
  return first === undefined || first === "" ? undefined : first;
}

/**
 * Brings an address into one form, whether it is spelt `git@host:a/b.git` or `https://user:password@host/a/b`, and
 * removes credentials. Undefined for a path on disk, which means nothing on another machine.
 */
export function remoteName(url: string): string | undefined {
  const short = /^(?:[^@/\s]+@)?(?<host>[\w.-]{2,}):(?!\/\/|\\)(?<path>[^\s]+)$/.exec(url)?.groups;
  if (short !== undefined) return nameOf(short["host"] ?? "", short["path"] ?? "");
  if (!URL.canParse(url)) return undefined;
  const { protocol, hostname, pathname } = new URL(url);
  return protocol === "file:" || hostname === "" ? undefined : nameOf(hostname, pathname);
}

function nameOf(host: string, path: string): string | undefined {
  const clean = path.replaceAll(/^\/+|\/+$/g, "").replace(/\.git$/, "");
  return clean === "" ? undefined : `${host.toLowerCase()}/${clean}`;
}
