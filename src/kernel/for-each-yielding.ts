/**
 * The longest time for which the loop runs without yielding, so that timers and other requests of the same thread still
 * run.
 */
const YIELD_AFTER_MS = 10;

/** Visits every item of a list and yields to the event loop from time to time. */
export async function forEachYielding<T>(list: Iterable<T>, visit: (item: T) => void): Promise<void> {
  let begun = performance.now();
  for (const item of list) {
    visit(item);
    if (performance.now() - begun < YIELD_AFTER_MS) continue;
    await new Promise<void>((resolve) => {
      setImmediate(resolve);
    });
    begun = performance.now();
  }
}
