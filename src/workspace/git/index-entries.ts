import { join } from "node:path";
import { statOf } from "../files/file-signature.ts";
import { git } from "./git-repository.ts";
import { withoutFilters } from "./tree-state.ts";

interface GitOptions {
  readonly maxBytes: number;
  readonly signal?: AbortSignal;
}

/** What the index of a repository says about files. */
export interface IndexEntries {
  /** The files of a merge that has conflicts there. */
  readonly conflicts: ReadonlySet<string>;
  readonly submodules: readonly string[];
}

/** Arguments of `git ls-files` that choose other files than those below the folder. */
interface ListScope {
  readonly listFlags: readonly string[];
  readonly paths: readonly string[];
}

/** Lists the entries of the index that are no plain files: those with conflicts and submodules. */
export async function readIndexEntries(
  folder: string,
  options: GitOptions,
  { listFlags, paths }: ListScope = { listFlags: [], paths: [] },
): Promise<IndexEntries> {
  const result = await git(folder, ["ls-files", "--stage", "-z", ...listFlags, "--", ...paths], options);
  const conflicts = new Set<string>();
  const submodules: string[] = [];
  for (const entry of result.stdout.toString("utf8").split("\0")) {
    const isSubmodule = entry.startsWith("160000 ");
    const path = entry.slice(entry.indexOf("\t") + 1);
    // A file with a conflict has up to three versions, with numbers from 1 on.
    if (/^\d+ [0-9a-f]+ [123]\t/.test(entry)) conflicts.add(path);
    else if (isSubmodule) submodules.push(path);
  }
  return { conflicts, submodules };
}

/** Returns the submodules whose files differ from their own commit. Those that were not fetched have none. */
export async function editedSubmodules(
  folder: string,
  submodules: readonly string[],
  options: GitOptions,
): Promise<readonly string[]> {
  const edited: string[] = [];
  for (const path of submodules) {
    const inside = join(folder, path);
    // Without this mark, git would answer about the repository around the folder.
    if (statOf(join(inside, ".git")) !== undefined && (await isEdited(inside, options))) edited.push(path);
  }
  return edited;
}

const STATUS = ["status", "--porcelain", "-z", "--ignore-submodules=dirty"];

/**
 * Git itself would look into submodules with the filters that their configurations name, which are programs. So each is
 * asked for on its own, without filters.
 */
async function isEdited(folder: string, options: GitOptions): Promise<boolean> {
  const settings = await withoutFilters(folder, { signal: options.signal ?? new AbortController().signal });
  // Whether a submodule is edited that cannot be asked safely is not known, so it must not be left out.
  if (settings === undefined) return true;
  const status = await git(folder, [...settings, ...STATUS], options);
  if (status.exitCode !== 0 || status.stdout.length > 0) return true;
  const { submodules } = await readIndexEntries(folder, options);
  return (await editedSubmodules(folder, submodules, options)).length > 0;
}
