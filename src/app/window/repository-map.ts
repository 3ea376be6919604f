import { lstatSync } from "node:fs";
import { join } from "node:path";
import type { RepositoryMap } from "../../model/repository-map.ts";
import { createFileTree } from "../../workspace/files/file-tree.ts";
import { changesSince } from "../../workspace/git/changes-since.ts";
import { readCommits } from "../../workspace/git/git-history.ts";
import { findRepository } from "../../workspace/git/git-repository.ts";
import type { Services } from "../services.ts";

/** Upper bound on the files of a map, the largest first. */
const MAX_FILES = 20_000;
/** The latest commits that count as recent changes. */
const COMMITS = 200;
/** The latest runs in which failures are counted. */
const RUNS = 60;

/** Lists the files of a workspace with their size, how often they changed lately, and how often they failed. */
export async function repositoryMap(
  { workspaces: { home }, runs }: Services,
  signal: AbortSignal,
): Promise<RepositoryMap> {
  const repository = await findRepository(home);
  const paths = await createFileTree(home, repository).list();
  const commits = repository === undefined ? [] : await readCommits(repository, COMMITS, { signal });
  const changed =
    repository === undefined || commits.length === 0
      ? new Set<string>()
      : new Set((await changesSince(home, undefined, { signal })).files.map(({ path }) => path));
  const times = new Map<string, number>();
  for (const { files } of commits) for (const file of files) times.set(file, (times.get(file) ?? 0) + 1);
  const { files: failing } = await (await runs()).history(home, RUNS);
  const failures = new Map(failing.map(({ file, runs: count }) => [file, count]));
  const files = paths
    .map((path) => ({
      path,
      bytes: sizeOf(join(home, path)),
      commits: times.get(path) ?? 0,
      isChanged: changed.has(path),
      failures: failures.get(path) ?? 0,
    }))
    .sort((a, b) => b.bytes - a.bytes);
  return {
    workspace: home,
    files: files.slice(0, MAX_FILES),
    more: Math.max(0, files.length - MAX_FILES),
    commits: commits.length,
  };
}

/** The size of the index of all projects on disk, in bytes. */
export function indexSize(dataFolder: string): number {
  return ["index.db", "index.db-wal"].reduce((sum, name) => sum + sizeOf(join(dataFolder, name)), 0);
}

function sizeOf(path: string): number {
  const stats = lstatSync(path, { throwIfNoEntry: false });
  return stats?.isFile() === true ? stats.size : 0;
}
