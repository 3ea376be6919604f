import { canTag } from "../exec/process-tag.ts";

/**
 * Loads and tries what a run needs, for a process that waits for its order anyway. What fails here fails again when it is
 * used, and is reported there. What every run needs comes first.
 */
export async function preloadRun(): Promise<void> {
  await Promise.allSettled([canTag(), import("./record/findings.ts")]);
  await Promise.allSettled([import("./reuse/check-ending.ts"), import("../workspace/git/tree-state.ts")]);
}
