/**
 * How many keys one SQL statement looks up. SQLite accepts far more, but the JSON text that carries them should stay
 * small.
 */
const KEYS_PER_READ = 500;

/** Passes a list of keys to an SQL statement in batches, each as a JSON text of bounded length. */
export function forEachBatch(keys: readonly string[], read: (batch: string) => void): void {
  for (let at = 0; at < keys.length; at += KEYS_PER_READ)
    read(JSON.stringify(keys.slice(at, at + KEYS_PER_READ)));
}
