/** So long a thread works before others get a turn: a question with a time limit must be able to end. */
const TURN_MS = 10;

/** Visits all of a list, however long it is, and lets other work of this thread have its turn in between. */
export async function forEachYielding<T>(list: Iterable<T>, visit: (item: T) => void): Promise<void> {
  let begun = performance.now();
  for (const item of list) {
    visit(item);
    if (performance.now() - begun < TURN_MS) continue;
    await new Promise<void>((resolve) => {
      setImmediate(resolve);
    });
    begun = performance.now();
  }
}
