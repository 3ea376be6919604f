import { existsSync, readdirSync, renameSync, statSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { compareText } from "../../kernel/nearest.ts";
import { isBusy, restrictToOwner } from "./database.ts";
import { type Database, openDatabase } from "./driver.ts";

/** Suffixes of the files of one database; the main file comes last. */
const PARTS = ["-wal", "-shm", ""] as const;
/** How long one attempt waits for the lock (the process is blocked meanwhile), the pause between attempts, and the total limit. */
const LOCK_TIMEOUT_MS = 5;
const LOCK_PAUSE_MS = 25;
const MAX_LOCK_MS = 15_000;

/**
 * Renames a damaged database in its folder and returns the new path. The journal is renamed first: if the main file went first and this
 * process died, the next one would replay the old journal into the new file.
 */
export function quarantine(path: string): string {
  const time = new Date().toISOString().replaceAll(/[-:]|\.\d+/g, "");
  let aside = `${path}.damaged-${time}`;
  for (let n = 2; PARTS.some((part) => existsSync(aside + part)); n++) aside = `${path}.damaged-${time}-${n}`;
  for (const part of PARTS) if (existsSync(path + part)) renameSync(path + part, aside + part);
  return aside;
}

/** Returns the quarantined databases, oldest first. */
export function listQuarantined(path: string): string[] {
  const start = `${basename(path)}.damaged-`;
  const folder = dirname(path);
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .filter((name) => name.startsWith(start) && !/-(?:wal|shm)$/.test(name))
    .sort(compareText)
    .map((name) => join(folder, name));
}

/**
 * Returns an identity of the file at a path, or undefined if there is none. Renaming a file does not change its identity, truncating it to
 * nothing does.
 */
export function fileIdentity(path: string): string | undefined {
  try {
    const found = statSync(path, { bigint: true, throwIfNoEntry: false });
    if (found === undefined) return undefined;
    return `${found.dev}:${found.ino}${found.size === 0n ? " empty" : ""}`;
  } catch {
    // If the folder can no longer be entered, nothing is known about the file.
    return undefined;
  }
}

/**
 * True if the file was truncated to nothing while in use: a new file is never empty while it has a journal, and nobody uses a new file
 * while the lock of `withExclusiveLock` is held.
 */
export function wasTruncated(path: string, isInUse: boolean): boolean {
  if (statSync(path, { throwIfNoEntry: false })?.size !== 0) return false;
  return isInUse || (statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0) > 0;
}

/**
 * Runs the work while no other process opens or quarantines this database. The lock is SQLite's own on an empty file; the operating system
 * releases it if a process dies.
 */
export async function withExclusiveLock<T>(path: string, work: () => Promise<T>): Promise<T> {
  const lock = await acquireLock(`${path}.lock`);
  try {
    return await work();
  } finally {
    lock?.close();
  }
}

/** Returns undefined if no lock is possible, as in a read-only folder; the work itself then fails with a better message. */
async function acquireLock(path: string): Promise<Database | undefined> {
  const deadline = Date.now() + MAX_LOCK_MS;
  let lock: Database | undefined;
  for (;;)
    try {
      lock ??= await openDatabase(path);
      lock.exec(`PRAGMA busy_timeout = ${LOCK_TIMEOUT_MS}; BEGIN IMMEDIATE`);
      // SQLite creates the file with the permissions of the umask. It must not be created beforehand, because closing any
      // other handle to it would release the lock.
      restrictToOwner(path);
      return lock;
    } catch (error) {
      if (!isBusy(error) || Date.now() > deadline) {
        lock?.close();
        return undefined;
      }
      await delay(LOCK_PAUSE_MS);
    }
}
