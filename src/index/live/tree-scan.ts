import { isStoreUnavailable } from "../../kernel/errors.ts";
import { readHead, type GitRepository } from "../../workspace/git/git-repository.ts";
import { createFileTree } from "../../workspace/files/walk-tree.ts";
import { findChanges, hasChanged, orderByPriority, publishFiles, type LiveState } from "./live-state.ts";
import { createChangeDetector } from "./change-detector.ts";
import { singleFlight } from "./single-flight.ts";
import type { ManifestEntry } from "../store/store.ts";

/** Looks for what has changed in a working tree. */
export interface TreeScan {
  /** Afterwards `pending` holds what has to be read. */
  (): Promise<void>;
  /** The next look is at the files themselves. */
  forceRescan(): void;
  /** When the last look was through, in milliseconds since 1970. */
  scannedAt(): number;
  close(): void;
}

/** Looks at every file's signature, or believes the kernel that nothing has changed. */
export function createTreeScan(state: LiveState, repository?: GitRepository): TreeScan {
  const tree = createFileTree(state.root, repository);
  const quiet = createChangeDetector(state.root);
  let files: readonly string[] | undefined;
  /** Files with several names can be written under one that nobody watches. */
  let linked: readonly string[] = [];
  let scannedAt = 0;
  const look = async (): Promise<void> => {
    const listed = await tree.list();
    quiet.watch(tree.folders(), listed.length);
    const { found, absent, ...looked } = await findChanges(state, listed);
    ({ linked } = looked);
    const urgent = await orderByPriority(found);
    const removed = [...absent, ...(listed === files ? [] : missingFrom(listed, state.entries))];
    files = listed;
    state.pending = new Set(state.rebuild ? [...found, ...state.pending] : found);
    state.pendingInOrder = urgent;
    state.listed = true;
    scannedAt = Date.now();
    for (const path of removed) state.entries.delete(path);
    if (removed.length > 0) {
      state.generation++;
      await ignoreStoreOutage(state, publishFiles(state, [], { removed, done: state.pending.size === 0 }));
    }
  };
  const sweepNow = async (): Promise<void> => {
    if (repository !== undefined) state.head = (await readHead(repository)).commit;
    const isQuiet = await quiet.isUnchanged(state.pending.size === 0);
    if (!isQuiet || tree.rulesChanged() || linked.some((path) => hasChanged(state, path))) await look();
    const settled = state.pending.size === 0 && (!state.complete || state.head !== state.indexedHead);
    if (settled) await ignoreStoreOutage(state, publishFiles(state, [], { removed: [], done: true }));
  };
  return Object.assign(singleFlight(sweepNow), {
    forceRescan: () => quiet.forceRescan(),
    scannedAt: () => scannedAt,
    close: () => quiet.close(),
  });
}

function missingFrom(files: readonly string[], entries: ReadonlyMap<string, ManifestEntry>): string[] {
  const present = new Set(files);
  return [...entries.keys()].filter((path) => !present.has(path));
}

/**
 * A full disk: what is in the index still answers, and what is pending is told as stale. A store that another one can
 * stand in for is left instead.
 */
export async function ignoreStoreOutage(
  { complete, context: { isReplaceable } }: LiveState,
  work: Promise<void>,
): Promise<void> {
  await work.catch((error: unknown) => {
    if (isReplaceable || !complete || !isStoreUnavailable(error)) throw error;
  });
}
