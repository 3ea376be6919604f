import { isStoreUnavailable } from "../../kernel/errors.ts";
import { readHead, type GitRepository } from "../../workspace/git/git-repository.ts";
import { createFileTree } from "../../workspace/files/file-tree.ts";
import { findChanges, hasChanged, orderByPriority, publishFiles, type LiveState } from "./live-state.ts";
import { createChangeDetector } from "./change-detector.ts";
import { singleFlight } from "./single-flight.ts";
import type { ManifestEntry } from "../store/store.ts";

/** Finds the files of a working tree that have changed. */
export interface TreeScan {
  /** Scans the tree; afterwards `pending` contains the files to index. */
  (): Promise<void>;
  /** Makes the next scan check the files themselves instead of relying on the file watcher. */
  forceRescan(): void;
  /** Returns the time of the last complete scan, in milliseconds since 1970. */
  scannedAt(): number;
  close(): void;
}

/** Creates a scan that compares every file's signature unless the file watcher reports that nothing has changed. */
export function createTreeScan(state: LiveState, repository?: GitRepository): TreeScan {
  const tree = createFileTree(state.root, repository);
  const changes = createChangeDetector(state.root);
  let files: readonly string[] | undefined;
  /** Files with several hard links, which can be written through a path that is not watched. */
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
    state.pending = new Set(state.rebuild ? [...found, ...state.pending] : found);
    state.pendingInOrder = prioritized;
    state.listed = true;
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
    const isFinished = state.pending.size === 0 && (!state.complete || state.head !== state.indexedHead);
    if (isFinished) await ignoreStoreOutage(state, publishFiles(state, [], { removed: [], done: true }));
  };
  return Object.assign(singleFlight(scanNow), {
    forceRescan: () => changes.forceRescan(),
    scannedAt: () => scannedAt,
    close: () => changes.close(),
  });
}

function missingFrom(files: readonly string[], entries: ReadonlyMap<string, ManifestEntry>): string[] {
  const present = new Set(files);
  return [...entries.keys()].filter((path) => !present.has(path));
}

/**
 * Ignores an unavailable store, for example on a full disk: queries are still answered from memory, with pending files
 * reported as stale. The error is passed on if the index is incomplete or a fallback store exists.
 */
export async function ignoreStoreOutage(
  { complete, context: { isReplaceable } }: LiveState,
  work: Promise<void>,
): Promise<void> {
  await work.catch((error: unknown) => {
    if (isReplaceable || !complete || !isStoreUnavailable(error)) throw error;
  });
}
