/** Keys a statement: SQLite takes far more, and the JSON text stays small. */
const KEYS_A_READ = 500;

/** Hands a list to a statement as JSON texts of bounded length. */
export function inBatches(keys: readonly string[], read: (batch: string) => void): void {
  for (let at = 0; at < keys.length; at += KEYS_A_READ)
    read(JSON.stringify(keys.slice(at, at + KEYS_A_READ)));
}
