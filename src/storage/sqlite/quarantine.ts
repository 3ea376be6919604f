import { existsSync, readdirSync, renameSync, statSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { compareText } from "../../kernel/nearest.ts";
import { isBusy, restrictToOwner } from "./database.ts";
import { type Database, openDatabase } from "./driver.ts";

/** The suffixes of the files that form one SQLite database; the main file comes last. */
const PARTS = ["-wal", "-shm", ""] as const;
/**
 * How long one attempt waits for the lock while the process is blocked, the pause between two attempts, and the limit
 * on the total time.
 */
const LOCK_TIMEOUT_MS = 5;
const LOCK_PAUSE_MS = 25;
const MAX_LOCK_MS = 15_000;

/**
 * Sets a damaged database aside by renaming it within its folder, and returns the new path. The journal is renamed
 * first: if the main file went first and this process died, the next one would replay the old journal into the new
 * file.
 */
export function quarantine(path: string): string {
  const time = new Date().toISOString().replaceAll(/[-:]|\.\d+/g, "");
  let aside = `${path}.damaged-${time}`;
  for (let n = 2; PARTS.some((part) => existsSync(aside + part)); n++) aside = `${path}.damaged-${time}-${n}`;
  for (const part of PARTS) if (existsSync(path + part)) renameSync(path + part, aside + part);
  return aside;
}

/** Returns the damaged databases that were set aside, oldest first. */
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
 * Returns a text that identifies the file at a path, or undefined if there is none. Renaming a file does not change its
 * identity, but truncating it to zero bytes does.
 */
export function fileIdentity(path: string): string | undefined {
  try {
    const found = statSync(path, { bigint: true, throwIfNoEntry: false });
    if (found === undefined) return undefined;
    return `${found.dev}:${found.ino}${found.size === 0n ? " empty" : ""}`;
  } catch {
    // The folder can no longer be entered, so nothing is known about the file.
    return undefined;
  }
}

/**
 * True if the file was truncated to zero bytes while in use. An empty file could also be a new one, but a new file has
 * no journal yet, and none is in use while the caller holds the lock of `withExclusiveLock`.
 */
export function wasTruncated(path: string, isInUse: boolean): boolean {
  if (statSync(path, { throwIfNoEntry: false })?.size !== 0) return false;
  return isInUse || (statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0) > 0;
}

/**
 * Runs the work while no other process opens this database or sets it aside. The lock is SQLite's own on an empty file,
 * so the operating system releases it if a process dies.
 */
export async function withExclusiveLock<T>(path: string, work: () => Promise<T>): Promise<T> {
  const lock = await acquireLock(`${path}.lock`);
  try {
    return await work();
  } finally {
    lock?.close();
  }
}

/**
 * Acquires the lock. Returns undefined if no lock is possible, as in a read-only folder; the work itself then fails
 * with a better message.
 */
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
