/** Room for a few at once; the others wait their turn. */
export interface Seats {
  /** Does the work when there is room; whoever is stopped while waiting goes without. */
  sit<T>(work: () => Promise<T>, stop: AbortSignal): Promise<T>;
}

export function createSeats(count: number): Seats {
  const waiting = new Set<() => void>();
  let taken = 0;
  const leave = (): void => {
    taken--;
    const [next] = waiting;
    next?.();
  };
  const turn = async (stop: AbortSignal): Promise<void> => {
    stop.throwIfAborted();
    if (taken < count) {
      taken++;
      return;
    }
    await new Promise<void>((resolve, reject) => {
      const giveUp = (): void => {
        waiting.delete(take);
        reject(stop.reason);
      };
      const take = (): void => {
        waiting.delete(take);
        stop.removeEventListener("abort", giveUp);
        taken++;
        resolve();
      };
      waiting.add(take);
      stop.addEventListener("abort", giveUp, { once: true });
    });
  };
  return {
    async sit(work, stop) {
      await turn(stop);
      try {
        return await work();
      } finally {
        leave();
      }
    },
  };
}
