/** Thrown when the work was stopped because it took longer than its timeout. */
export class TimeoutError extends Error {
  override readonly name = "TimeoutError";
}

/** The longest delay of a timer: Node fires a timer at once if its delay does not fit into 31 bits. */
export const MAX_TIMER_MS = 2 ** 31 - 1;

/**
 * Runs the work with a signal that aborts it when the timeout expires or the caller gives up, and rejects at that moment.
 * It avoids AbortSignal.timeout joined by AbortSignal.any, because Node 20 may garbage-collect such a signal before it
 * fires (22 of 1,000 slow responses on a busy machine never ended).
 */
export async function withTimeout<T>(
  timeoutMs: number,
  work: (signal: AbortSignal) => Promise<T>,
  caller?: AbortSignal,
): Promise<T> {
  const stop = new AbortController();
  const late = new TimeoutError(`no answer within ${timeoutMs} ms`);
  const giveUp = (): void => stop.abort(caller?.reason);
  const timer = setTimeout(() => stop.abort(late), Math.min(timeoutMs, MAX_TIMER_MS));
  caller?.addEventListener("abort", giveUp, { once: true });
  if (caller?.aborted === true) giveUp();
  try {
    return await Promise.race([work(stop.signal), rejectOnAbort(stop.signal)]);
  } catch (error) {
    throw stop.signal.reason === late ? late : error;
  } finally {
    clearTimeout(timer);
    caller?.removeEventListener("abort", giveUp);
  }
}

/**
 * Returns a promise that rejects when the signal aborts, so that the caller can stop waiting even if the work ignores
 * the signal.
 */
function rejectOnAbort(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    const end = (): void => reject(signal.reason);
    if (signal.aborted) end();
    else signal.addEventListener("abort", end, { once: true });
  });
}

interface WaitOptions {
  /** A signal that ends the wait early, as if the time were over. */
  readonly signal?: AbortSignal | undefined;
  /** True to let the process exit while nothing but this wait is pending. */
  readonly unref?: boolean;
}

/**
 * Waits for work that is shared or cannot be stopped, for a limited time. Returns its result, or undefined if the time
 * is over first; the work itself goes on. An error of the work is thrown while the wait lasts, and ignored afterwards.
 */
export async function waitAtMost<T>(
  timeoutMs: number,
  work: Promise<T>,
  { signal, unref = false }: WaitOptions = {},
): Promise<T | undefined> {
  let timer: NodeJS.Timeout | undefined;
  let end = (): void => undefined;
  const over = new Promise<undefined>((resolve) => {
    end = () => resolve(undefined);
    timer = setTimeout(end, Math.min(Math.max(0, timeoutMs), MAX_TIMER_MS));
    if (unref) timer.unref();
    signal?.addEventListener("abort", end, { once: true });
    if (signal?.aborted === true) end();
  });
  try {
    return await Promise.race([work, over]);
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener("abort", end);
  }
}
