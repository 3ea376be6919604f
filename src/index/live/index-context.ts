import type { Recorder } from "../store/recorder.ts";
import type { SegmentPool } from "../store/segment-pool.ts";
import type { IndexStore } from "../store/store.ts";

/** What the indexes of one project work with. */
export interface IndexContext {
  readonly store: IndexStore;
  readonly projectId: string;
  readonly recorder: Recorder;
  readonly pool: SegmentPool;
  readonly objectFormat: "sha1" | "sha256";
  readonly maxFileBytes: number;
  /** Another store is opened in place of this one where it fails. */
  readonly isReplaceable: boolean;
  /** Makes records anew even where the store has them. */
  readonly rebuild?: boolean;
  /** How many files wait to be read, these among them. */
  readonly ahead?: number;
}
