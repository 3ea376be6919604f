import { forEachYielding } from "../../kernel/for-each-yielding.ts";
import {
  isSameAs,
  isSameFile,
  isSettled,
  readContent,
  statOf,
} from "../../workspace/files/file-signature.ts";
import { blobHash } from "../../workspace/git/git-objects.ts";
import { pathPurpose } from "../text/paths.ts";
import { isStoreUnavailable } from "../../kernel/errors.ts";
import { readHead, type GitRepository } from "../../workspace/git/git-repository.ts";
import { createFileTree } from "../../workspace/files/file-tree.ts";
import { FILES_PER_BATCH, publishFiles, type LiveState } from "./live-state.ts";
import { createChangeDetector } from "./change-detector.ts";
import { singleFlight } from "./single-flight.ts";
import type { ManifestEntry } from "../store/store.ts";

/** Finds the files of a working tree that have changed. */
export interface TreeScan {
  /** Scans the tree; afterwards `pending` contains the files that must be indexed. */
  (): Promise<void>;
  /** Makes the next scan check the files themselves instead of relying on the file watcher. */
  forceRescan(): void;
  /** Returns the time of the last complete scan, in milliseconds since 1970. */
  scannedAt(): number;
  close(): void;
}

/**
 * Creates a scan that compares the size and times of every file with the indexed ones, unless the file watcher reports
 * that nothing has changed.
 */
export function createTreeScan(state: LiveState, repository?: GitRepository): TreeScan {
  const tree = createFileTree(state.root, repository);
  const changes = createChangeDetector(state.root);
  let files: readonly string[] | undefined;
  /**
   * Paths of files with several hard links; they are always checked, because they can be written through a path that is
   * not watched.
   */
  let linked: readonly string[] = [];
  let scannedAt = 0;
  const checkFiles = async (): Promise<void> => {
    const listed = await tree.list();
    changes.watch(tree.folders(), listed.length);
    const { found, absent, ...result } = await findChanges(state, listed);
    ({ linked } = result);
    const prioritized = await orderByPriority(found);
    const removed = [...absent, ...(listed === files ? [] : missingFrom(listed, state.entries))];
    files = listed;
    state.pending = new Set(state.isRebuilding ? [...found, ...state.pending] : found);
    state.pendingInOrder = prioritized;
    state.isListed = true;
    scannedAt = Date.now();
    for (const path of removed) state.entries.delete(path);
    if (removed.length > 0) {
      state.generation++;
      await ignoreStoreOutage(state, publishFiles(state, [], { removed, done: state.pending.size === 0 }));
    }
  };
  const scanNow = async (): Promise<void> => {
    if (repository !== undefined) state.head = (await readHead(repository)).commit;
    const isUnchanged = await changes.isUnchanged(state.pending.size === 0);
    if (!isUnchanged || tree.rulesChanged() || linked.some((path) => hasChanged(state, path)))
      await checkFiles();
    const isFinished = state.pending.size === 0 && (!state.isComplete || state.head !== state.indexedHead);
    if (isFinished) await ignoreStoreOutage(state, publishFiles(state, [], { removed: [], done: true }));
  };
  return Object.assign(singleFlight(scanNow), {
    forceRescan: () => changes.forceRescan(),
    scannedAt: () => scannedAt,
    close: () => changes.close(),
  });
}

/** Result of checking the listed files for changes. */
interface FoundChanges {
  /** Files that are new or may have changed since they were indexed. */
  readonly found: readonly string[];
  /** Paths that are in the index but at which there is no file any more. */
  readonly absent: readonly string[];
  /** Files with more than one hard link. */
  readonly linked: readonly string[];
}

/**
 * Checks every listed file for changes. Git lists tracked paths even if no file exists there, because of a sparse
 * checkout or a deletion.
 */
async function findChanges(state: LiveState, files: readonly string[]): Promise<FoundChanges> {
  const { root, entries } = state;
  // If the index is empty, all files have to be read anyway; checking each of a hundred thousand first would only delay
  // the answer.
  if (entries.size === 0 && !state.isComplete) return { found: files, absent: [], linked: [] };
  const found: string[] = [];
  const absent: string[] = [];
  const linked: string[] = [];
  let confirmed = 0;
  await forEachYielding(files, (path) => {
    const entry = entries.get(path);
    const stats = statOf(`${root}/${path}`);
    if (!stats?.isFile()) {
      if (entry !== undefined) absent.push(path);
      return;
    }
    if (stats.nlink > 1) linked.push(path);
    if (entry?.signature !== undefined && isSameAs(stats, entry.signature)) {
      if (isSettled(entry.signature)) return;
      if (confirmed++ < MAX_CONFIRMED && isConfirmed(state, entry)) return;
    }
    found.push(path);
  });
  // A file that was absent may have been created again while the others were checked.
  return { found, absent: absent.filter((path) => !statOf(`${root}/${path}`)?.isFile()), linked };
}

/** Upper bound on the recently written files whose content a scan compares. */
const MAX_CONFIRMED = 64;

/**
 * Returns true if the content of a recently written file is the indexed one. Its timestamps do not prove that, because
 * two writes in quick succession can leave them equal.
 */
function isConfirmed({ root, entries, context }: LiveState, entry: ManifestEntry): boolean {
  const content = readContent(root, entry.path, context.maxFileBytes);
  if (content === undefined || "tooLarge" in content || entry.key === undefined) return false;
  if (!entry.key.startsWith(`${blobHash(content.bytes, context.objectFormat)}.`)) return false;
  entries.set(entry.path, { ...entry, signature: content.signature });
  return true;
}

/** Returns true if the file differs from the one in the index or is not in the index. */
export function hasChanged({ root, entries }: LiveState, path: string): boolean {
  const known = entries.get(path)?.signature;
  return known === undefined || !isSameFile(`${root}/${path}`, known);
}

/** Orders source files before tests, prose and data, so that early queries find what is asked for most. */
async function orderByPriority(paths: readonly string[]): Promise<readonly string[]> {
  if (paths.length <= FILES_PER_BATCH) return paths;
  const rank = (path: string): number => {
    const { kind, role } = pathPurpose(path);
    if (kind !== "code") return kind === "prose" ? 2 : 3;
    return role.test || role.example || role.vendored ? 1 : 0;
  };
  const ranks = new Map<string, number>();
  await forEachYielding(paths, (path) => ranks.set(path, rank(path)));
  return paths.toSorted((a, b) => (ranks.get(a) ?? 0) - (ranks.get(b) ?? 0));
}

function missingFrom(files: readonly string[], entries: ReadonlyMap<string, ManifestEntry>): string[] {
  const present = new Set(files);
  return [...entries.keys()].filter((path) => !present.has(path));
}

/**
 * Ignores an unavailable store, for example on a full disk: queries are still answered from memory, and files that
 * could not be indexed are reported as out of date. The error is passed on if the index is incomplete or a fallback
 * store exists.
 */
export async function ignoreStoreOutage(
  { isComplete, context: { isReplaceable } }: LiveState,
  work: Promise<void>,
): Promise<void> {
  await work.catch((error: unknown) => {
    if (isReplaceable || !isComplete || !isStoreUnavailable(error)) throw error;
  });
}
