import { openDatabase } from "../../src/storage/sqlite/driver.ts";

/** Makes a run store fail to save the end of a run, as a full disk would. The returned function restores it. */
export async function refuseEndings(path: string): Promise<() => void> {
  const database = await openDatabase(path);
  database.exec("PRAGMA busy_timeout = 15000");
  database.exec(
    "CREATE TRIGGER refuse BEFORE UPDATE OF ended_at ON runs BEGIN SELECT RAISE(ABORT, 'no room'); END",
  );
  return () => {
    database.exec("DROP TRIGGER refuse");
    database.close();
  };
}
