/** Limits how many pieces of work run at the same time; the others wait in the order in which they came. */
export interface Semaphore {
  /** Waits for a free permit and returns a function that gives it back. Rejects if `signal` aborts the wait. */
  acquire(signal?: AbortSignal): Promise<() => void>;
  /** Runs the work while it holds a permit. */
  run<T>(work: () => Promise<T>, signal?: AbortSignal): Promise<T>;
}

export function createSemaphore(permits: number): Semaphore {
  const waiters = new Set<() => void>();
  let used = 0;
  const release = (): void => {
    used--;
    const [next] = waiters;
    next?.();
  };
  const acquire = async (signal?: AbortSignal): Promise<() => void> => {
    signal?.throwIfAborted();
    if (used < permits) used++;
    else
      await new Promise<void>((resolve, reject) => {
        const cancel = (): void => {
          waiters.delete(grant);
          reject(signal?.reason);
        };
        const grant = (): void => {
          waiters.delete(grant);
          signal?.removeEventListener("abort", cancel);
          used++;
          resolve();
        };
        waiters.add(grant);
        signal?.addEventListener("abort", cancel, { once: true });
      });
    return release;
  };
  return {
    acquire,
    async run(work, signal) {
      const giveBack = await acquire(signal);
      try {
        return await work();
      } finally {
        giveBack();
      }
    },
  };
}
