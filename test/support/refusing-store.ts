import { openDatabase } from "../../src/storage/sqlite/driver.ts";

/** Makes a store of runs refuse to note how a run ended, as a full disk does. What is given back ends that. */
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
