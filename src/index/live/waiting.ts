import { waitAtMost } from "../../kernel/with-timeout.ts";

/** How a caller waits for an index that is being built for the first time. */
export interface FirstWait {
  /** The longest wait, in milliseconds. */
  readonly ms: number;
  /** So long the caller waits even if the end is out of reach, because nothing goes on behind its answer. */
  readonly minMs?: number;
  /** Waits all of `ms` even where that cannot be enough. */
  readonly waitFully?: boolean;
  readonly onProgress?: (done: number, total: number) => void;
  readonly signal?: AbortSignal;
}

/** The work that is waited for, and how much of it there is. */
export interface FirstWork {
  readonly work: Promise<void>;
  readonly pending: () => number;
  readonly indexed: () => number;
}

const POLL_MS = 20;
const PROGRESS_MS = 200;
/** Parser threads take about a second to start: the speed before that says nothing, */
const WARM_UP_MS = 1_000;
/** and with so many files in the index they have started. */
const WARM_FILES = 500;
/** The speed is measured for at least this long. */
const MEASURE_MS = 500;

/**
 * Waits until the work is done, the time is over, or its speed shows that the time cannot be enough. An error of the
 * work is the caller's.
 */
export async function waitForFirst({ work, pending, indexed }: FirstWork, wait: FirstWait): Promise<void> {
  const { ms, minMs = 0, waitFully = false, onProgress, signal } = wait;
  const started = Date.now();
  const measuredFrom = started + (indexed() < WARM_FILES ? WARM_UP_MS : 0);
  let first = { at: started, pending: pending() };
  const done = work.then(() => true);
  done.catch(() => undefined);
  let told = started;
  for (;;) {
    signal?.throwIfAborted();
    const now = Date.now();
    const passed = now - started;
    if (passed >= ms) return;
    if (now < measuredFrom) first = { at: now, pending: pending() };
    const isMeasured = passed >= minMs && now >= measuredFrom + MEASURE_MS;
    const speed = (first.pending - pending()) / (now - first.at);
    if (!waitFully && isMeasured && pending() > speed * (ms - passed)) return;
    if (now - told >= PROGRESS_MS) {
      told = now;
      onProgress?.(indexed(), indexed() + pending());
    }
    if (await waitAtMost(POLL_MS, done)) return;
  }
}

/** Waits until nothing is left, the work ends, or the time is over. */
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

/** Waits for shared work until it ends or the caller aborts. */
export async function unlessAborted(work: Promise<void>, signal?: AbortSignal): Promise<void> {
  await waitAtMost(Infinity, work, { signal });
  signal?.throwIfAborted();
}
