import { relative, sep } from "node:path";
import { PithError } from "../../kernel/errors.ts";
import { compareText } from "../../kernel/nearest.ts";
import type {
  ChangeReport,
  FileChange,
  FileNote,
  FileStatus,
  FoldedChange,
  OutsideChanges,
  SymbolChange,
} from "../../model/changes.ts";
import { changedFiles, changedFilesOutside } from "../../workspace/git/changed-files.ts";
import type { GitRepository } from "../../workspace/git/git-repository.ts";
import { relativePath, type IndexCore } from "../core.ts";
import { fileFilter } from "../query/filter.ts";
import { pathPurpose } from "../text/paths.ts";
import { type NamedRange, type RangeText, resolveRange } from "./change-range.ts";
import { compareSymbols, type FileComparison } from "./compare-symbols.ts";
import { openFresh, searchTimeMs } from "../live/open-fresh.ts";
import { isUpToDate } from "../live/tree-index.ts";
import { lineChanges, type LineChanges } from "./line-changes.ts";
import { type AllChanges, mayConcernUsers, withOutsideUses, withoutLookup } from "./users/outside-uses.ts";
import { findMoves } from "./find-moves.ts";
import { foldReason, hasOtherNews, isSameText } from "./folded-files.ts";
import { pairRenames } from "./pair-renames.ts";
import { createVersionReader } from "./read-versions.ts";
import type { FileVersions, Version } from "./file-versions.ts";

export interface ChangesRequest extends RangeText {
  readonly root: string;
  /** A folder, a file or a glob; other files are left out. */
  readonly path?: string;
  readonly language?: string;
  readonly signal?: AbortSignal;
}

/**
 * Compares two states of a repository by definition. Only the contents that differ are read and parsed, so the cost is
 * that of the change and not of the repository.
 */
export async function compareStates(core: IndexCore, request: ChangesRequest): Promise<ChangeReport> {
  const started = performance.now();
  const project = await core.project(request.root);
  const { repository } = project;
  if (repository === undefined)
    throw new PithError("ref_not_found", `${request.root} is not a git repository, so no changes are known`, {
      suggestion: "Ask in a folder of a git repository.",
    });
  const range = await resolveRange(repository, request);
  const { reports } = keptIn(core);
  const key = keyOf(range, range.before, range.after, request.root, request.path, request.language);
  const known = key === undefined ? undefined : reports.get(key);
  if (known !== undefined) return { ...known, elapsedMs: Math.round(performance.now() - started) };
  const accepts = fileFilter({
    ...(request.path !== undefined && { path: relativePath(request.root, request.path) }),
    ...(request.language !== undefined && { language: request.language }),
    hasExtension: () => true,
  });
  const [{ files, folded, lines }, outside] = await Promise.all([
    compareOnce(core, repository, { ...request, range }),
    // Who names a path knows that the rest is left out.
    request.path === undefined ? outsideOf(repository, range, request.signal) : [],
  ]);
  // All files are compared, because a definition may have moved from or to a file that the caller left out.
  const isWanted = ({ path, oldPath }: { readonly path: string; readonly oldPath?: string }): boolean =>
    [path, oldPath].some((one) => one !== undefined && accepts?.({ path: one }) !== false);
  const { before, after, ref } = range;
  const wanted = files.filter(isWanted);
  const looked =
    ref === undefined
      ? { files: withoutLookup(wanted), isWhole: true }
      : await lookUpUses(core, wanted, { ...request, from: range.from, ref, all: { files, lines } });
  const elapsedMs = Math.round(performance.now() - started);
  const report = {
    before,
    after,
    files: looked.files,
    folded: folded.filter(isWanted),
    ...(outside.length > 0 && { outside }),
    elapsedMs,
  };
  if (looked.isWhole) keep(reports, key, report);
  return report;
}

/** Counts what changed in the rest of a repository of which the workspace is a folder. */
async function outsideOf(
  repository: GitRepository,
  range: NamedRange,
  signal?: AbortSignal,
): Promise<readonly OutsideChanges[]> {
  const { folder, topLevel: top } = repository;
  const { length } = await changedFilesOutside(repository, range, signal);
  return length === 0 ? [] : [{ folder: relative(top, folder).split(sep).join("/"), top, files: length }];
}

/** Comparisons of two commits that a server keeps, since they never change. */
const MAX_KEPT = 16;

interface Kept {
  /** The definitions that differ, by the two commits. */
  readonly compared: Map<string, Comparison>;
  /** Whole reports, by the two commits and what else was asked. */
  readonly reports: Map<string, ChangeReport>;
}

const keptByCore = new WeakMap<IndexCore, Kept>();

function keptIn(core: IndexCore): Kept {
  const known = keptByCore.get(core) ?? { compared: new Map(), reports: new Map() };
  keptByCore.set(core, known);
  return known;
}

function keep<T>(kept: Map<string, T>, key: string | undefined, value: T): void {
  if (key === undefined) return;
  if (kept.size >= MAX_KEPT) kept.clear();
  kept.set(key, value);
}

/** Names a question about two commits, whose answer is always the same; undefined if files are compared that may change. */
function keyOf({ from, to }: NamedRange, ...asked: readonly unknown[]): string | undefined {
  return typeof to === "string" ? undefined : JSON.stringify([from, to.commit, ...asked]);
}

/** Compares the definitions of two states; those of two commits only once. */
async function compareOnce(
  core: IndexCore,
  repository: GitRepository,
  request: { readonly range: NamedRange; readonly signal?: AbortSignal },
): Promise<Comparison> {
  const { compared } = keptIn(core);
  const key = keyOf(request.range, repository.folder);
  const known = key === undefined ? undefined : compared.get(key);
  if (known !== undefined) return known;
  const found = await compareRange(core, repository, request);
  keep(compared, key, found);
  return found;
}

/** Returns what changed in the working tree since the last commit, without the users of what changed. */
export async function changedSinceCommit(
  core: IndexCore,
  repository: GitRepository,
  signal?: AbortSignal,
): Promise<Comparison> {
  const range = await resolveRange(repository, {});
  return compareRange(core, repository, { range, ...(signal && { signal }) });
}

/** Compares the definitions of all files that differ between two states. */
export async function compareRange(
  core: IndexCore,
  repository: GitRepository,
  { range, signal }: { readonly range: NamedRange; readonly signal?: AbortSignal },
): Promise<Comparison> {
  const listed = await changedFiles(repository, range, signal);
  const read = createVersionReader({ repository, store: await core.store(), settings: core.settings });
  return compareFiles(pairRenames(await read(listed)));
}

/** What differs between two states. */
export interface Comparison extends Pick<ChangeReport, "files" | "folded"> {
  /** What became of the lines of files that are in both states. */
  readonly lines: ReadonlyMap<string, LineChanges>;
}

interface Compared {
  readonly file: FileVersions;
  readonly comparison: FileComparison;
}

/** Compares the definitions of both versions of files. */
export function compareFiles(all: readonly FileVersions[]): Comparison {
  const folded: FoldedChange[] = [];
  const compared: Compared[] = [];
  for (const file of all) {
    if (isSameText(file) && !hasOtherNews(file)) continue;
    const why = foldReason(file);
    if (why !== undefined) folded.push(foldedChange(file, why));
    else compared.push({ file, comparison: compareSymbols(versionOf(file.was), versionOf(file.is)) });
  }
  const whole = findMoves(
    compared.map(({ file, comparison: { added, removed } }) => ({
      path: file.path,
      oldPath: file.oldPath ?? file.path,
      added,
      removed,
    })),
  );
  const files = compared.map(({ file, comparison }) =>
    fileChange(file, comparison, whole.get(file.path) ?? []),
  );
  return {
    files: files.toSorted((a, b) => rankOf(a) - rankOf(b) || compareText(a.path, b.path)),
    folded: folded.toSorted((a, b) => compareText(a.path, b.path)),
    lines: new Map(compared.flatMap(({ file }) => linesOf(file))),
  };
}

function linesOf({ path, was, is }: FileVersions): readonly (readonly [path: string, lines: LineChanges])[] {
  if (was?.text === undefined || is?.text === undefined) return [];
  return [[path, lineChanges(was.text.split("\n"), is.text.split("\n"))]];
}

interface LookUp {
  /** The states as the index names them. */
  readonly from: string;
  readonly ref: string;
  /** All changed files, also those that the caller left out. */
  readonly all: AllChanges;
}

/** Finds the users of changed definitions, if there are definitions that may have any. */
async function lookUpUses(
  core: IndexCore,
  files: readonly FileChange[],
  { root, from, ref, all, signal }: Pick<ChangesRequest, "root" | "signal"> & LookUp,
): Promise<{ readonly files: readonly FileChange[]; readonly isWhole: boolean }> {
  const isBreaking = ({ oldPath, symbols }: FileChange): boolean =>
    oldPath !== undefined || symbols.some(mayConcernUsers);
  if (!files.some(isBreaking)) return { files, isWhole: true };
  const answerBy = Date.now() + searchTimeMs(core.settings);
  let isWhole = true;
  const open = async (state: string) => {
    const options = { root, ref: state, policy: "balanced", answerBy, ...(signal && { signal }) } as const;
    const { source, freshness } = await openFresh(core, options);
    isWhole &&= isUpToDate(freshness);
    return source;
  };
  const looked = await withOutsideUses(files, all, { after: await open(ref), openBefore: () => open(from) });
  return { files: looked, isWhole };
}

/** Code comes before tests, and both before prose. */
function rankOf({ path }: FileChange): number {
  const { role, kind } = pathPurpose(path);
  return kind === "prose" ? 2 : role.test ? 1 : 0;
}

function versionOf(version: Version | undefined) {
  if (version?.text === undefined) return undefined;
  const { symbols = [], language } = version.outline ?? {};
  return { symbols, lines: version.text.split(/\r?\n/), ...(language !== undefined && { language }) };
}

function statusOf({ was, is, oldPath }: FileVersions): FileStatus {
  if (oldPath !== undefined) return "renamed";
  // What is staged of a file with a conflict has no content on either side.
  if ((was ?? is) === undefined) return "modified";
  return was === undefined ? "added" : is === undefined ? "removed" : "modified";
}

function fileChange(
  file: FileVersions,
  { changes, hasOtherLines }: FileComparison,
  whole: readonly SymbolChange[],
): FileChange {
  const status = statusOf(file);
  const symbols = [...changes, ...whole].toSorted((a, b) => a.lineStart - b.lineStart);
  const onlyFormat = symbols.length > 0 || hasOtherLines ? undefined : formatChange(file);
  const notes = notesOf(file);
  const isBroken = file.is?.outline?.hasErrors === true && file.was?.outline?.hasErrors !== true;
  return {
    path: file.path,
    status,
    ...(file.oldPath !== undefined && { oldPath: file.oldPath }),
    language: (file.is ?? file.was)?.outline?.language ?? "text",
    symbols,
    hasOtherLines: hasOtherLines && (status === "modified" || status === "renamed"),
    ...(onlyFormat !== undefined && { onlyFormat }),
    ...(isBroken && { isBroken }),
    ...(notes.length > 0 && { notes }),
  };
}

function foldedChange(file: FileVersions, why: FoldedChange["why"]): FoldedChange {
  const { path, oldPath } = file;
  const notes = why === "mode" ? [] : notesOf(file).filter((note) => note !== why);
  return {
    path,
    status: statusOf(file),
    ...(oldPath !== undefined && { oldPath }),
    ...(notes.length > 0 && { notes }),
    why,
  };
}

function notesOf({ hasConflict, isUntracked, hasNewMode }: FileVersions): readonly FileNote[] {
  return [
    ...(hasConflict === true ? ["merge conflict" as const] : []),
    ...(isUntracked === true ? ["no longer tracked" as const] : []),
    ...(hasNewMode === true ? ["mode changed" as const] : []),
  ];
}

/** Returns what differs if it is only line ends or white space; undefined if nothing or more does. */
function formatChange({ was, is }: FileVersions): FileChange["onlyFormat"] {
  const [before, after] = [was?.text ?? "", is?.text ?? ""];
  if (before === after) return undefined;
  if (before.replaceAll("\r\n", "\n") === after.replaceAll("\r\n", "\n")) return "line ends";
  return before.replaceAll(/\s+/g, "") === after.replaceAll(/\s+/g, "") ? "white space" : undefined;
}
