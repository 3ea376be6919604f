import type { ChangedLines } from "../../model/run-report.ts";
import type { TreeState } from "../../model/run.ts";
import { git } from "./git-repository.ts";
import { withoutFilters } from "./tree-state.ts";

interface GitOptions {
  readonly signal: AbortSignal;
}

/** A file whose content differs between two states. Paths are relative to the top folder. */
export interface TreeChange {
  readonly path: string;
  readonly change: "modified" | "new" | "deleted";
  /** The content of the uncommitted file at the later state. */
  readonly blob?: string;
  /** True if the earlier state had uncommitted edits of it, whose text is not known any more. */
  readonly wasUncommitted: boolean;
  /** True if commits between the two states changed it. */
  readonly isCommitted: boolean;
  /** True if the later state has uncommitted edits of it. */
  readonly isUncommitted: boolean;
}

const MAX_BYTES = 16 * 1024 * 1024;
const NO_BLOB = /^0+$/;

/** Lists the files that differ between two states; undefined if git does not have one of their commits any more. */
export async function changesBetween(
  folder: string,
  { before, now }: { readonly before: TreeState; readonly now: TreeState },
  options: GitOptions,
): Promise<TreeChange[] | undefined> {
  const committed = await committedChanges(folder, [before.commit, now.commit], options);
  if (committed === undefined) return undefined;
  const then = new Map(before.files.map((file) => [file.path, file]));
  const later = new Map(now.files.map((file) => [file.path, file]));
  const changes: TreeChange[] = [];
  const isOpen = before.untracked !== undefined || now.untracked !== undefined;
  for (const path of new Set([...later.keys(), ...committed.keys(), ...then.keys()])) {
    const between = committed.get(path);
    const [old, own] = [then.get(path), later.get(path)];
    // Where the commits do not differ, both have the file or neither has it.
    const shared = (old ?? own)?.isNew === true ? undefined : UNCHANGED;
    const was = old === undefined ? (between === undefined ? shared : between.before) : old.blob;
    const is = own === undefined ? (between === undefined ? shared : between.now) : own.blob;
    if (was === is) continue;
    // Without the list of untracked files, it is not known whether a new file is new since then.
    if (isOpen && (was === undefined || old?.isNew === true || own?.isNew === true)) continue;
    changes.push({
      path,
      change: is === undefined ? "deleted" : was === undefined ? "new" : "modified",
      ...(own?.blob !== undefined && { blob: own.blob }),
      wasUncommitted: old !== undefined,
      isCommitted: between !== undefined,
      isUncommitted: own !== undefined,
    });
  }
  return changes;
}

/** Stands for the content of a file that both commits share. */
const UNCHANGED = "unchanged";

/** The contents of a file in two commits; undefined in one that does not have it. */
interface CommittedChange {
  readonly before: string | undefined;
  readonly now: string | undefined;
}

async function committedChanges(
  folder: string,
  [before, now]: readonly [string, string],
  options: GitOptions,
): Promise<Map<string, CommittedChange> | undefined> {
  const changes = new Map<string, CommittedChange>();
  if (before === now) return changes;
  const flags = "diff-tree -r --raw -z --no-renames --no-abbrev --no-relative".split(" ");
  const result = await git(folder, [...flags, before, now, "--"], { ...options, maxBytes: MAX_BYTES });
  if (result.exitCode !== 0) return undefined;
  const parts = result.stdout.toString("utf8").split("\0");
  for (let at = 0; at + 1 < parts.length; at += 2) {
    const [, , was = "", is = ""] = (parts[at] ?? "").split(" ");
    const [old, own] = [was, is].map((blob) => (NO_BLOB.test(blob) ? undefined : blob));
    changes.set(parts[at + 1] ?? "", { before: old, now: own });
  }
  return changes;
}

/** Lines that changed together, with their texts. */
export interface ChangedHunk extends ChangedLines {
  readonly removed: readonly string[];
  readonly added: readonly string[];
  /** The line that begins the definition around them, if git finds one. */
  readonly heading: string;
}

/** Reads which lines of some files changed between a commit and another one, or the working tree. */
export async function changedHunks(
  folder: string,
  range: { readonly from: string; readonly to?: string; readonly paths: readonly string[] },
  options: GitOptions,
): Promise<Map<string, ChangedHunk[]>> {
  if (range.paths.length === 0) return new Map();
  const flags =
    "--unified=0 --no-renames --no-color --no-ext-diff --no-textconv --no-relative --ignore-submodules --src-prefix=a/ --dst-prefix=b/";
  const settings = range.to === undefined ? await withoutFilters(folder, options) : [];
  if (settings === undefined) return new Map();
  const commits = range.to === undefined ? [range.from] : [range.from, range.to];
  const result = await git(
    folder,
    [...settings, ...UNQUOTED, "diff", ...flags.split(" "), ...commits, "--", ...range.paths.map(fromTop)],
    { ...options, maxBytes: MAX_BYTES },
  );
  // Output beyond the limit only means that the lines of some files stay unknown.
  if (result.exitCode !== 0 && result.exitCode !== undefined) return new Map();
  return readHunks(result.stdout.toString("utf8"));
}

const UNQUOTED = ["-c", "core.quotePath=false"];

/** Names a path from the top folder, whatever folder git runs in and whatever characters the path has. */
function fromTop(path: string): string {
  return `:(top,literal)${path}`;
}

const HUNK = /^@@ -\d+(?:,(?<removed>\d+))? \+(?<start>\d+)(?:,(?<added>\d+))? @@ ?(?<heading>.*)/;

function readHunks(diff: string): Map<string, ChangedHunk[]> {
  const hunks = new Map<string, ChangedHunk[]>();
  let current: ChangedHunk[] = [];
  let [removedLines, addedLines]: [string[], string[]] = [[], []];
  let content = 0;
  for (const line of diff.split("\n")) {
    // Lines of the files themselves may look like headers.
    if (content > 0 && !line.startsWith("\\")) {
      content--;
      (line.startsWith("-") ? removedLines : addedLines).push(line.slice(1));
      continue;
    }
    const path = /^\+\+\+ b\/([^\t]*)/.exec(line)?.[1];
    if (path !== undefined) hunks.set(path, (current = []));
    const { removed = "1", start, added = "1", heading = "" } = HUNK.exec(line)?.groups ?? {};
    if (start === undefined) continue;
    content = Number(removed) + Number(added);
    const first = Math.max(1, Number(start));
    [removedLines, addedLines] = [[], []];
    const end = Math.max(first, first + Number(added) - 1);
    current.push({ start: first, end, removed: removedLines, added: addedLines, heading });
  }
  return hunks;
}

/** A commit with the files that it changed, relative to the top folder. */
export interface CommitChange {
  readonly id: string;
  readonly subject: string;
  readonly committedAt: number;
  readonly files: readonly string[];
}

/** Reads the commits of a range, the newest first, without merges and without those that have no parent to differ from. */
export async function commitChanges(
  folder: string,
  range: { readonly commits: string; readonly paths?: readonly string[]; readonly since?: number },
  options: GitOptions,
): Promise<CommitChange[]> {
  const flags = `--min-parents=1 --max-parents=1 --no-renames --no-color --no-show-signature --no-ext-diff --no-relative --name-only -n ${MAX_COMMITS}`;
  const since = range.since === undefined ? [] : [`--since=${Math.floor(range.since / 1000)}`];
  const paths = (range.paths ?? []).map(fromTop);
  const format = "--format=%x01%h%x02%ct%x02%s";
  const result = await git(
    folder,
    [...UNQUOTED, "log", ...flags.split(" "), ...since, format, range.commits, "--", ...paths],
    { ...options, maxBytes: MAX_BYTES },
  );
  if (result.exitCode !== 0) return [];
  return result.stdout
    .toString("utf8")
    .split("\u0001")
    .slice(1)
    .map((entry) => {
      const [head = "", ...files] = entry.split("\n");
      const [id = "", time = "", subject = ""] = head.split("\u0002");
      return { id, subject, committedAt: Number(time) * 1000, files: files.filter(Boolean) };
    });
}

/** A longer history is no help in finding a suspect. */
const MAX_COMMITS = 100;

/** The time of a commit; undefined if git does not have it. */
export async function commitTime(
  folder: string,
  commit: string,
  options: GitOptions,
): Promise<number | undefined> {
  const result = await git(
    folder,
    ["log", "-1", "--no-show-signature", "--format=%ct", commit, "--"],
    options,
  );
  const seconds = Number(result.stdout.toString("utf8").trim());
  return result.exitCode === 0 && seconds > 0 ? seconds * 1000 : undefined;
}
