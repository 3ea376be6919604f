import type { ProjectIndex } from "../live/project-index.ts";
import type { TreeIndex } from "../live/tree-index.ts";
import type { View } from "../live/view.ts";
import type { IndexStore } from "../store/store.ts";

/** The state of the index that a query runs on. */
export interface HitSource {
  readonly project: ProjectIndex;
  readonly store: IndexStore;
  readonly view: View;
  readonly index: TreeIndex;
  readonly ref: string;
}
