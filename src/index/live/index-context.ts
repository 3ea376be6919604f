import type { Recorder } from "../store/recorder.ts";
import type { SegmentPool } from "../store/segment-pool.ts";
import type { IndexStore } from "../store/store.ts";

/** The services and settings that the indexes of one project share. */
export interface IndexContext {
  readonly store: IndexStore;
  readonly projectId: string;
  readonly recorder: Recorder;
  readonly pool: SegmentPool;
  readonly objectFormat: "sha1" | "sha256";
  readonly maxFileBytes: number;
  /** Whether a fallback store is opened if this store fails. */
  readonly isReplaceable: boolean;
  /** Whether index records are created even for contents whose record is in the store. */
  readonly rebuild?: boolean;
  /** Number of files waiting to be indexed, including the current batch. */
  readonly ahead?: number;
}
