/**
 * One look at a time: an older one that ended after a newer one would undo what that has found. Who comes while one is
 * under way shares the next, which begins after all of their edits; so none of them may end it.
 */
export function singleFlight(look: () => Promise<void>): () => Promise<void> {
  let current: Promise<void> | undefined;
  let next: Promise<void> | undefined;
  const start = (): Promise<void> => {
    next = undefined;
    const mine = look().finally(() => {
      if (current === mine) current = undefined;
    });
    current = mine;
    return mine;
  };
  return () => {
    if (current === undefined) return start();
    next ??= current.catch(() => undefined).then(start);
    return next;
  };
}

/** Waits for work that others share, until the caller wants no more. */
export async function unlessAborted(work: Promise<void>, signal?: AbortSignal): Promise<void> {
  if (signal === undefined) return work;
  work.catch(() => undefined);
  signal.throwIfAborted();
  let end = (): void => undefined;
  const aborted = new Promise<void>((resolve) => {
    end = resolve;
    signal.addEventListener("abort", end, { once: true });
  });
  await Promise.race([work, aborted]).finally(() => signal.removeEventListener("abort", end));
  signal.throwIfAborted();
}

/** Does one piece of work after the other, in the order they come; one that fails keeps none from the next. */
export function createSerialQueue(): <T>(work: () => Promise<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const next = last.then(work);
    last = next.catch(() => undefined);
    return next;
  };
}
