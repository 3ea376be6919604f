import { collectGarbage } from "../../kernel/garbage.ts";

/** Time without a request after which the process counts as idle. */
const IDLE_MS = 3_000;
/** Memory growth since the last garbage collection that makes another one worthwhile. */
const MIN_GROWTH_BYTES = 64 * 1024 * 1024;
/**
 * Garbage collections per idle phase: the first frees the objects, the second returns the freed pages to the system.
 */
const COLLECTIONS_PER_PAUSE = 2;

export interface Memory {
  readonly collect: () => void;
  /** Returns the resident memory of this process. */
  readonly heldBytes: () => number;
}

const OWN: Memory = { collect: collectGarbage, heldBytes: () => process.memoryUsage.rss() };

interface IdleGc {
  /** To be called after each request. */
  readonly schedule: () => void;
  /** Collects nothing more, because the process may have other work when the index is closed. */
  readonly stop: () => void;
}

/**
 * Runs the garbage collector once the process is idle. Reading the index of a large tree leaves a lot of garbage, which
 * an idle process would otherwise keep.
 */
export function createIdleGc({ collect, heldBytes }: Memory = OWN): IdleGc {
  let heldAfterGc = 0;
  let timer: NodeJS.Timeout | undefined;
  const schedule = (left: number): void => {
    clearTimeout(timer);
    timer = setTimeout(() => collectIfGrown(left), IDLE_MS).unref();
  };
  const collectIfGrown = (left: number): void => {
    if (left === 0 || (left === COLLECTIONS_PER_PAUSE && heldBytes() < heldAfterGc + MIN_GROWTH_BYTES))
      return;
    collect();
    heldAfterGc = heldBytes();
    schedule(left - 1);
  };
  return { schedule: () => schedule(COLLECTIONS_PER_PAUSE), stop: () => clearTimeout(timer) };
}
