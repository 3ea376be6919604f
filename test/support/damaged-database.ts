import { readFileSync, writeFileSync } from "node:fs";
import { openDatabase } from "../../src/storage/sqlite/driver.ts";

/** Spoils every page of a database but the first, which says that it is one. */
export async function damageDatabase(path: string): Promise<void> {
  const database = await openDatabase(path);
  // What is still in the journal would hide the damage.
  database.exec("PRAGMA wal_checkpoint(TRUNCATE)");
  database.close();
  const bytes = readFileSync(path);
  if (bytes.length < 3 * 4_096) throw new Error(`${path} has too few pages`);
  writeFileSync(path, bytes.fill(0xa5, 4_096));
}
