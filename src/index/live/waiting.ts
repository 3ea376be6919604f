import { waitAtMost } from "../../kernel/with-timeout.ts";

/** How a caller waits for an index that is being built for the first time. */
export interface FirstWait {
  /** The longest wait, in milliseconds. */
  readonly ms: number;
  /** The shortest wait in milliseconds, even if indexing is too slow to be finished in time. */
  readonly minMs?: number;
  /** Waits all of `ms`, even if indexing is too slow to be finished by then. */
  readonly waitFully?: boolean;
  readonly onProgress?: (done: number, total: number) => void;
  readonly signal?: AbortSignal;
}

/** The first indexing of a tree, and how far it has come. */
export interface FirstWork {
  readonly work: Promise<void>;
  readonly pending: () => number;
  readonly indexed: () => number;
}

const POLL_MS = 20;
const PROGRESS_MS = 200;
/** Time before the speed of indexing is measured, because parser threads take about a second to start. */
const WARM_UP_MS = 1_000;
/** Number of indexed files from which the parser threads have certainly started. */
const WARM_FILES = 500;
/** Shortest time over which the speed of indexing is measured. */
const MEASURE_MS = 500;

/**
 * Waits until indexing is done, the time is up, or the speed of indexing shows that it will not be done in time. If
 * indexing fails, its error is thrown.
 */
export async function waitForFirst({ work, pending, indexed }: FirstWork, wait: FirstWait): Promise<void> {
  const { ms, minMs = 0, waitFully = false, onProgress, signal } = wait;
  const started = Date.now();
  const measuredFrom = started + (indexed() < WARM_FILES ? WARM_UP_MS : 0);
  let first = { at: started, pending: pending() };
  const done = work.then(() => true);
  done.catch(() => undefined);
  let reportedAt = started;
  for (;;) {
    signal?.throwIfAborted();
    const now = Date.now();
    const passed = now - started;
    if (passed >= ms) return;
    if (now < measuredFrom) first = { at: now, pending: pending() };
    const isMeasured = passed >= minMs && now >= measuredFrom + MEASURE_MS;
    const speed = (first.pending - pending()) / (now - first.at);
    if (!waitFully && isMeasured && pending() > speed * (ms - passed)) return;
    if (now - reportedAt >= PROGRESS_MS) {
      reportedAt = now;
      onProgress?.(indexed(), indexed() + pending());
    }
    if (await waitAtMost(POLL_MS, done)) return;
  }
}

/** Runs indexing to its end and reports its progress; an abort makes it stop after the current batch. */
export async function runToEnd(
  state: { readonly pending: { readonly size: number }; isStopped: boolean },
  run: () => Promise<void>,
  { onProgress, signal }: Pick<FirstWait, "onProgress" | "signal">,
): Promise<void> {
  const total = state.pending.size;
  const timer = setInterval(() => onProgress?.(total - state.pending.size, total), PROGRESS_MS);
  const stop = () => {
    state.isStopped = true;
  };
  signal?.addEventListener("abort", stop, { once: true });
  await run().finally(() => {
    clearInterval(timer);
    signal?.removeEventListener("abort", stop);
  });
  signal?.throwIfAborted();
  onProgress?.(total, total);
}

/** Waits until `left`, the number of files that the caller waits for, is 0, or indexing ends, or the time is up. */
export async function waitUntilNone(
  work: Promise<void>,
  left: () => number,
  { ms, signal }: Pick<FirstWait, "ms" | "signal">,
): Promise<void> {
  const until = Date.now() + ms;
  const done = work.then(() => true);
  done.catch(() => undefined);
  while (left() > 0 && Date.now() < until) {
    signal?.throwIfAborted();
    if (await waitAtMost(POLL_MS, done)) return;
  }
}

/** Waits for work shared with other callers until it ends or this caller aborts. */
export async function unlessAborted(work: Promise<void>, signal?: AbortSignal): Promise<void> {
  await waitAtMost(Infinity, work, { signal });
  signal?.throwIfAborted();
}
