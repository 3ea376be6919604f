import { PithError } from "../../kernel/errors.ts";
import { type ChangeRange, emptyTree, isStagedOnDisk, mergeBase } from "../../workspace/git/changed-files.ts";
import {
  isShallow,
  readHead,
  resolveCommit,
  type GitRepository,
} from "../../workspace/git/git-repository.ts";

/** Which states to compare, as a caller wrote it. */
export interface RangeText {
  /** `A..B`, `A...B`, or `A` alone, which is compared with the working tree. */
  readonly range?: string;
  /** Compares what is staged, instead of the working tree. */
  readonly isStaged?: boolean;
  /** Compares the state since the histories of the two parted, as `A...B` does. */
  readonly isSinceFork?: boolean;
}

/** Two states with the names that replies show. */
export interface NamedRange extends ChangeRange {
  readonly before: string;
  readonly after: string;
  /** The later state as the index names it; undefined for staged files that differ from those on disk. */
  readonly ref?: string;
}

/** Resolves the states to compare; without any, the working tree is compared with the last commit. */
export async function resolveRange(repository: GitRepository, text: RangeText): Promise<NamedRange> {
  const [from, dots, to] = splitRange(text.range ?? "");
  const [start, end] = await Promise.all([
    from === "" ? headOf(repository) : startOf(repository, from),
    to === "" ? undefined : commitOf(repository, to),
  ]);
  const isSinceFork = dots === "..." || text.isSinceFork === true;
  const other = end?.id ?? (await headOf(repository)).id;
  const base = isSinceFork && start.id !== other ? await mergeBase(repository, start.id, other) : undefined;
  const isForked = base !== undefined && base !== start.id;
  const before = isForked ? `${base.slice(0, 7)}, where ${start.shown} forked,` : start.shown;
  if (end !== undefined)
    return { from: base ?? start.id, to: { commit: end.id }, before, after: end.shown, ref: to };
  if (text.isStaged !== true)
    return { from: base ?? start.id, to: "tree", before, after: "the working tree", ref: "live" };
  const staged = { from: base ?? start.id, to: "index", before, after: "the staged files" } as const;
  return (await isStagedOnDisk(repository)) ? { ...staged, ref: "live" } : staged;
}

/** Splits `A..B` as git does: a missing side is HEAD, and without dots there is only a start. `A^!` is the commit A alone. */
function splitRange(range: string): readonly [from: string, dots: string, to: string] {
  const [, alone] = /^([^.].*)\^!$/.exec(range.trim()) ?? [];
  if (alone !== undefined) return [`${alone}~1`, "..", alone];
  const [, from = "", dots = "", to = ""] = /^(.*?)(\.{2,3})(.*)$/.exec(range.trim()) ?? [];
  if (dots === "") return [range.trim(), "", ""];
  return [from === "" ? "HEAD" : from, dots, to === "" ? "HEAD" : to];
}

interface NamedCommit {
  readonly id: string;
  readonly shown: string;
}

/**
 * Finds the earlier commit. Nothing stands before the first commit of a history, however many commits back, unless that
 * was not fetched as a whole.
 */
async function startOf(repository: GitRepository, ref: string): Promise<NamedCommit> {
  const [, child, back = ""] = /^(.+?)(?:~(\d*)|\^1?)$/.exec(ref) ?? [];
  try {
    return await commitOf(repository, ref);
  } catch (error) {
    if (child === undefined) throw error;
    const { id } = await commitOf(repository, child);
    if (await isShallow(repository))
      throw new PithError(
        "ref_not_found",
        `What is before ${id.slice(0, 7)} was not fetched: a shallow clone`,
        {
          ref,
          shallow: true,
          suggestion: `Fetch more of the history: git fetch --deepen ${back === "" ? "1" : back}.`,
        },
      );
    return { id: emptyTree(repository), shown: "nothing, before the first commit," };
  }
}

async function commitOf(repository: GitRepository, ref: string): Promise<NamedCommit> {
  if (ref.startsWith("-"))
    throw new PithError("ref_not_found", `Git knows no branch, tag or commit named ${ref}`, { ref });
  const id = await resolveCommit(repository, ref);
  return { id, shown: id.startsWith(ref) ? id.slice(0, 7) : `${ref} (${id.slice(0, 7)})` };
}

async function headOf(repository: GitRepository): Promise<NamedCommit> {
  const { commit } = await readHead(repository);
  if (commit === undefined) return { id: emptyTree(repository), shown: "nothing, as there is no commit yet" };
  return { id: commit, shown: `HEAD (${commit.slice(0, 7)})` };
}
