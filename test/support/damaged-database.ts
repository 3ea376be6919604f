import { readFileSync, writeFileSync } from "node:fs";
import { openDatabase } from "../../src/storage/sqlite/driver.ts";

/** Overwrites every page of a database except the first, which holds the file header. */
export async function damageDatabase(path: string): Promise<void> {
  const database = await openDatabase(path);
  // Pages still in the journal would hide the damage.
  database.exec("PRAGMA wal_checkpoint(TRUNCATE)");
  database.close();
  const bytes = readFileSync(path);
  if (bytes.length < 3 * 4_096) throw new Error(`${path} has too few pages`);
  writeFileSync(path, bytes.fill(0xa5, 4_096));
}
