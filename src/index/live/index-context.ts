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
  /** Whether a fallback store is opened if this one fails. */
  readonly isReplaceable: boolean;
  /** Whether records are created again even if the store has them. */
  readonly rebuild?: boolean;
  /** Number of files waiting to be indexed, including the current batch. */
  readonly ahead?: number;
}
