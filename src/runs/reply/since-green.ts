import { join, posix } from "node:path";
import { stripEscapes } from "../../diagnostics/clean/escapes.ts";
import { withTimeout } from "../../kernel/with-timeout.ts";
import type { LogSource } from "../../logs/log-source.ts";
import type { GreenRun, SinceGreen, SuspectCommit, SuspectFile } from "../../model/run-report.ts";
import type { TreeState } from "../../model/run.ts";
import { maskText } from "../../security/secrets/mask.ts";
import {
  changedHunks,
  type ChangedHunk,
  changesBetween,
  commitChanges,
  commitTime,
  type TreeChange,
} from "../../workspace/git/tree-changes.ts";
import { contentIdOf } from "../../workspace/git/tree-state.ts";
import type { RunStore, StoredRun } from "../record/store.ts";
import { beginningOf, NEAR, Nearness } from "./nearness.ts";
import { rankChanges } from "./rank-changes.ts";

interface Dependencies {
  readonly store: Pick<RunStore, "previous">;
  readonly log: LogSource | undefined;
  readonly isGreen: (run: StoredRun) => boolean;
  /** Upper bound on the time for all of it; a reply without suspects is better than a late one. */
  readonly timeoutMs: number;
}

/** The suspects that a reply shows. */
const MAX_SUSPECTS = 4;
const MAX_COMMITS = 3;
/** The nearest files, whose changes are read to order them. */
const MAX_COMPARED = 100;
/** Without a green run, commits of this time before the tree's own commit are suspects. */
const RECENT_MS = 7 * 24 * 60 * 60 * 1_000;
/** Earlier runs of the same command that are searched for a green one; by default the store keeps as many. */
const MAX_EARLIER_RUNS = 50;
/** Output that is searched for stacks. */
const MAX_OUTPUT_BYTES = 1024 * 1024;

/** Finds what may have turned a run red; undefined if there is nothing to say, or not in time. */
export async function findSuspects(
  run: StoredRun,
  dependencies: Dependencies,
): Promise<SinceGreen | undefined> {
  const now = run.end?.tree;
  // The files of a run of another machine are not here.
  if (now === undefined || run.host !== undefined) return undefined;
  try {
    return await withTimeout(dependencies.timeoutMs, async (signal) => {
      const work = { run, now, signal, near: await nearnessOf(run, now, dependencies.log) };
      const earlier = await lastGreen(run, dependencies);
      if (earlier.green !== undefined) return await compareWith(earlier.green, work);
      // Commits are named once, in the reply to the first run; the next reply would only repeat them.
      return earlier.isFirst ? await recentCommits(work) : undefined;
    });
  } catch {
    // Git is slow or the repository damaged. The reply is whole without suspects, and a run never fails for them.
    return undefined;
  }
}

interface Work {
  readonly run: StoredRun;
  readonly now: TreeState;
  readonly near: Nearness;
  readonly signal: AbortSignal;
}

async function nearnessOf(
  run: StoredRun,
  { prefix }: TreeState,
  log: LogSource | undefined,
): Promise<Nearness> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const { bytes } of log?.bytes("both", 1) ?? []) {
    chunks.push(bytes);
    size += bytes.length;
    if (size > MAX_OUTPUT_BYTES) break;
  }
  const output = stripEscapes(Buffer.concat(chunks).toString("utf8", 0, MAX_OUTPUT_BYTES));
  return new Nearness({ cwd: run.cwd, prefix, findings: run.findings, output });
}

async function lastGreen(
  run: StoredRun,
  { store, isGreen }: Dependencies,
): Promise<{ readonly green?: StoredRun; readonly isFirst: boolean }> {
  let earlier = await store.previous(run);
  const isFirst = earlier === undefined;
  for (let i = 0; i < MAX_EARLIER_RUNS && earlier !== undefined; i++) {
    if (isGreen(earlier)) return { green: earlier, isFirst };
    earlier = await store.previous(earlier);
  }
  return { isFirst };
}

async function compareWith(earlier: StoredRun, work: Work): Promise<SinceGreen | undefined> {
  const { run, now, near, signal } = work;
  const before = earlier.end?.tree;
  if (before === undefined) return undefined;
  const changes = await changesBetween(run.cwd, { before, now }, { signal });
  if (changes === undefined) return undefined;
  const green: GreenRun = {
    id: earlier.id,
    earlierMs: Math.max(0, (run.endedAt ?? run.startedAt) - (earlier.endedAt ?? earlier.startedAt)),
    commit: before.commit.slice(0, SHORT_ID),
    uncommitted: before.files.length + (before.untracked ?? 0),
  };
  const isOpen = before.untracked !== undefined || now.untracked !== undefined;
  if (changes.length === 0) return isOpen ? undefined : { kind: "same", green };
  const nearest = changes.toSorted((a, b) => near.compare(a.path, b.path)).slice(0, MAX_COMPARED);
  const hunks = await hunksOf(nearest, before, work);
  const shown = rankChanges(nearest, { hunks, near, textOf: textIn(work) }).slice(0, MAX_SUSPECTS);
  return {
    kind: "changed",
    green,
    suspects: await describe(shown, { before, hunks }, work),
    others: changes.length - shown.length,
    ...(isOpen && { isOpen }),
  };
}

/** Characters of a commit's id. */
const SHORT_ID = 8;

/** The top folder of the repository. */
function topOf({ run, now }: Work): string {
  return join(run.cwd, posix.relative(now.prefix, "") || ".");
}

type Hunks = ReadonlyMap<string, readonly ChangedHunk[]>;

/** Reads the changed lines of some files. */
async function hunksOf(changes: readonly TreeChange[], before: TreeState, work: Work): Promise<Hunks> {
  const { run, now, signal } = work;
  const format = now.commit.length === 64 ? "sha256" : "sha1";
  const committed = changes.filter((one) => !one.isUncommitted && !one.wasUncommitted).map(pathOf);
  const edited: string[] = [];
  for (const { path, blob, isUncommitted, wasUncommitted } of changes)
    // The text may have changed since the run ended.
    if (isUncommitted && !wasUncommitted && (await contentIdOf(join(topOf(work), path), format)) === blob)
      edited.push(path);
  const [inCommits, inFiles] = await Promise.all([
    changedHunks(run.cwd, { from: before.commit, to: now.commit, paths: committed }, { signal }),
    changedHunks(run.cwd, { from: before.commit, paths: edited }, { signal }),
  ]);
  return new Map([...inCommits, ...inFiles]);
}

/** Reads files as they are now, which is for most of them as the run had them. */
function textIn(work: Work): (path: string) => string {
  return (path) => beginningOf(join(topOf(work), path));
}

/** Adds the changed lines and the commits to the files that are shown. */
async function describe(
  changes: readonly TreeChange[],
  { before, hunks }: { readonly before: TreeState; readonly hunks: Hunks },
  { run, now, signal }: Work,
): Promise<SuspectFile[]> {
  const commits = changes.some((one) => one.isCommitted)
    ? await commitChanges(
        run.cwd,
        { commits: `${before.commit}..${now.commit}`, paths: changes.map(pathOf) },
        { signal },
      )
    : [];
  return changes.map(({ path, change, isCommitted, isUncommitted, wasUncommitted }) => {
    const [newest, ...others] = isCommitted ? commits.filter(({ files }) => files.includes(path)) : [];
    return {
      path: shownPath(path, now),
      change,
      lines: change === "modified" ? (hunks.get(path) ?? []).map(({ start, end }) => ({ start, end })) : [],
      ...(newest && {
        commit: { id: newest.id, subject: maskText(newest.subject), others: others.length },
      }),
      isUncommitted,
      ...(wasUncommitted && !isUncommitted && !isCommitted && { isUndone: true }),
    };
  });
}

function pathOf({ path }: { readonly path: string }): string {
  return path;
}

/** A path as the run would print it. */
function shownPath(path: string, { prefix }: TreeState): string {
  return posix.relative(prefix, path);
}

/** The uncommitted files and the commits of the last days that changed what the failures name or import. */
async function recentCommits({ run, now, near, signal }: Work): Promise<SinceGreen | undefined> {
  if (near.isEmpty) return undefined;
  const end = run.endedAt ?? run.startedAt;
  const edits = now.files
    .map(pathOf)
    .filter((path) => near.of(path) <= NEAR.imported)
    .toSorted(near.compare)
    .map((path) => shownPath(path, now));
  // The days end with the newest commit of a tree that is as committed, and now if somebody edits it.
  const newest = edits.length > 0 ? end : await commitTime(run.cwd, now.commit, { signal });
  if (newest === undefined) return undefined;
  const range = { commits: now.commit, since: newest - RECENT_MS };
  const found = (await commitChanges(run.cwd, range, { signal })).flatMap((commit) => {
    const files = commit.files.filter((path) => near.of(path) <= NEAR.imported).toSorted(near.compare);
    return files.length === 0 ? [] : [{ ...commit, files, otherFiles: commit.files.length - files.length }];
  });
  if (found.length + edits.length === 0) return undefined;
  const suspects = found
    .toSorted((a, b) => near.compareDistance(a.files, b.files))
    .slice(0, MAX_COMMITS)
    .map(({ id, subject, committedAt, files, otherFiles }): SuspectCommit => ({
      id,
      subject: maskText(subject),
      earlierMs: Math.max(0, end - committedAt),
      files: files.map((path) => shownPath(path, now)),
      otherFiles,
    }));
  return { kind: "commits", edits, suspects, others: found.length - suspects.length };
}
