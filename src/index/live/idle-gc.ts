import { collectGarbage } from "../../kernel/garbage.ts";

/** So long nobody has asked for anything. */
const IDLE_MS = 3_000;
/** Less is not worth the work. */
const MIN_GROWTH_BYTES = 64 * 1024 * 1024;
/** The first collection frees what the work has left, the second one gives the pages back. */
const COLLECTIONS_PER_PAUSE = 2;

export interface Memory {
  readonly collect: () => void;
  /** Bytes that this process holds. */
  readonly heldBytes: () => number;
}

const OWN: Memory = { collect: collectGarbage, heldBytes: () => process.memoryUsage.rss() };

/**
 * Called after each request: once no more come, what they have left in memory is collected. Reading the index of a large
 * tree leaves more than it keeps, and an idle process would hold on to it.
 */
export function scheduleIdleGc({ collect, heldBytes }: Memory = OWN): () => void {
  let kept = 0;
  let timer: NodeJS.Timeout | undefined;
  const wait = (left: number): void => {
    clearTimeout(timer);
    timer = setTimeout(() => rest(left), IDLE_MS).unref();
  };
  const rest = (left: number): void => {
    if (left === 0 || (left === COLLECTIONS_PER_PAUSE && heldBytes() < kept + MIN_GROWTH_BYTES)) return;
    collect();
    kept = heldBytes();
    wait(left - 1);
  };
  return () => wait(COLLECTIONS_PER_PAUSE);
}
