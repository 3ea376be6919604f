import { openDatabase } from "../../src/storage/sqlite/driver.ts";

/** Makes a run store fail to save the end of a run, as a full disk would. The returned function restores it. */
export function refuseEndings(path: string): Promise<() => void> {
  return refuseUpdatesOf("ended_at", path);
}

/** Makes a run store fail to save that somebody asked for the end of a run. The returned function restores it. */
export function refuseStopRequests(path: string): Promise<() => void> {
  return refuseUpdatesOf("stop_asked_at", path);
}

async function refuseUpdatesOf(column: string, path: string): Promise<() => void> {
  const database = await openDatabase(path);
  database.exec("PRAGMA busy_timeout = 15000");
  database.exec(
    `CREATE TRIGGER refuse BEFORE UPDATE OF ${column} ON runs BEGIN SELECT RAISE(ABORT, 'no room'); END`,
  );
  return () => {
    database.exec("DROP TRIGGER refuse");
    database.close();
  };
}
