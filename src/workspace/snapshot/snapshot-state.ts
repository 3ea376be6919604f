import type { TreeFile, TreeState } from "../../model/run.ts";
import { readTreeState } from "../git/tree-state.ts";
import { privateGitOk, type Variables } from "./private-git.ts";
import type { Snapshot } from "./snapshot.ts";

interface StateOptions {
  readonly variables: Variables;
  readonly signal: AbortSignal;
}

const NO_BLOB = /^0+$/;

/**
 * Describes a snapshot as a state of the user's repository around a folder. Undefined outside of a repository, before its
 * first commit, or if the working tree has changed since the snapshot.
 */
export async function readSnapshotState(
  snapshot: Snapshot,
  folder: string,
  options: StateOptions,
): Promise<TreeState | undefined> {
  if (snapshot.base === undefined) return undefined;
  const [state, contents] = await Promise.all([
    readTreeState(folder, options),
    changedContents(snapshot, options),
  ]);
  return state?.commit === snapshot.base.head ? confirmed(state, snapshot, contents) : undefined;
}

/** The files of a snapshot that differ from the user's commit, with their contents; undefined for a deleted one. */
async function changedContents(
  { gitDir, commit, base }: Snapshot,
  options: StateOptions,
): Promise<Map<string, string | undefined>> {
  const contents = new Map<string, string | undefined>();
  if (base === undefined || base.commit === commit) return contents;
  const flags = "diff-tree -r --raw -z --no-renames --no-abbrev".split(" ");
  const raw = await privateGitOk([...flags, base.commit, commit, "--"], { gitDir, ...options });
  const parts = raw.toString("utf8").split("\0");
  for (let at = 0; at + 1 < parts.length; at += 2) {
    const blob = (parts[at] ?? "").split(" ")[3] ?? "";
    contents.set(parts[at + 1] ?? "", NO_BLOB.test(blob) ? undefined : blob);
  }
  return contents;
}

/**
 * The state without the files that the worker lacks; undefined if a file is not as in the snapshot. Files of the
 * snapshot that git does not report differ from the commit in their line ends alone.
 */
function confirmed(
  state: TreeState,
  { omitted }: Snapshot,
  contents: ReadonlyMap<string, string | undefined>,
): TreeState | undefined {
  const lacking = new Set(omitted.map(({ path }) => path));
  const files: TreeFile[] = [];
  for (const file of state.files) {
    if (lacking.has(file.path) || lacking.has(file.path.replace(/\/$/, ""))) continue;
    if (!contents.has(file.path) || contents.get(file.path) !== file.blob) return undefined;
    files.push(file);
  }
  return { ...state, files };
}
