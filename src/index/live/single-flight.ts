/**
 * Runs one scan at a time, because a scan that ends after a later one would overwrite its newer result. Calls that
 * arrive during a scan share the next one, which sees the edits of all callers; therefore no single caller may abort
 * it.
 */
export function singleFlight(scan: () => Promise<void>): () => Promise<void> {
  let current: Promise<void> | undefined;
  let next: Promise<void> | undefined;
  const start = (): Promise<void> => {
    next = undefined;
    const mine = scan().finally(() => {
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

/** Creates a queue that runs tasks one after the other. A failed task does not prevent the next one. */
export function createSerialQueue(): <T>(work: () => Promise<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const next = last.then(work);
    last = next.catch(() => undefined);
    return next;
  };
}
