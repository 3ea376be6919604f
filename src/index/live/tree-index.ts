import type { ManifestEntry } from "../store/store.ts";
import type { FirstWait } from "./waiting.ts";

/** The index of one file tree: the working tree, or the tree of a git ref. */
export interface TreeIndex {
  /** Indexes changed files until the time budget is used up, and reports which files are still to be indexed. */
  refresh(options: RefreshOptions): Promise<Freshness>;
  /** Indexes these files before all others; waits until the first ones of the list are indexed or the time is up. */
  prioritize(paths: readonly string[], options: PrioritizeOptions): Promise<Freshness>;
  /** Looks for changed files and reports them without indexing any. */
  scan(): Promise<Freshness>;
  /** Indexes until no file waits to be indexed. Other calls may run at the same time. */
  finish(options?: FinishOptions): Promise<Freshness>;
  /** Starts indexing, in the background, the files that wait for it. */
  start(): void;
  readonly entries: ReadonlyMap<string, ManifestEntry>;
  /** Returns the number of chunks (parts of texts) that were indexed since this index was opened. */
  chunksCreated(): number;
  /**
   * Returns a number that changes whenever an entry changes, so that results computed from the entries can be cached.
   */
  generation(): number;
  isStale(path: string): boolean;
  /** Makes the next scan read these files again, because the store has lost their records. */
  forget(paths: readonly string[]): void;
  close(): Promise<void>;
}

export interface RefreshOptions {
  readonly budgetMs: number;
  /** How long and how to wait while the index is being built for the first time. */
  readonly first?: FirstWait;
  /** Checks every file for changes, however long that takes. */
  readonly fullScan?: boolean;
  /** Checks the files themselves, because one changed without a notification from the file watcher. */
  readonly forceRescan?: boolean;
  /** Whether work that does not fit into the time budget continues in the background. Default: true. */
  readonly background?: boolean;
  readonly signal?: AbortSignal;
}

export interface PrioritizeOptions {
  readonly budgetMs: number;
  /** Whether files other than the requested ones are indexed in the background afterwards. Default: true. */
  readonly background?: boolean;
  readonly signal?: AbortSignal;
}

export interface FinishOptions {
  /** Creates the index record of every file again, even if the store has one. */
  readonly force?: boolean;
  readonly onProgress?: (done: number, total: number) => void;
  readonly signal?: AbortSignal;
}

/** How far an index matches the current state of its file tree. */
export interface Freshness {
  /** Paths that are missing from the index or have changed since they were indexed. */
  readonly pending: ReadonlySet<string>;
  /** True if there was no time to check every file, so files other than those in `pending` may have changed. */
  readonly isUnchecked?: boolean;
  /** True once every file has been indexed at least once. */
  readonly isComplete: boolean;
  readonly isWorking: boolean;
  /** The commit that HEAD or the ref points to now. */
  readonly head?: string;
  /** The commit that HEAD or the ref pointed to when the index last contained every file. */
  readonly indexedHead?: string;
}

/** Returns true if the index contains all files in their current state. */
export function isUpToDate({ pending, isUnchecked = false }: Freshness): boolean {
  return pending.size === 0 && !isUnchecked;
}
