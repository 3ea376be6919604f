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

/** Does one piece of work after the other, in the order they come; one that fails keeps none from the next. */
export function createSerialQueue(): <T>(work: () => Promise<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const next = last.then(work);
    last = next.catch(() => undefined);
    return next;
  };
}
