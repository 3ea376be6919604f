import { existsSync, readdirSync, renameSync, statSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { compareText } from "../../kernel/nearest.ts";
import { isBusy, restrictToOwner } from "./database.ts";
import { type Database, openDatabase } from "./driver.ts";

/** What belongs to one database; the file itself comes last. */
const PARTS = ["-wal", "-shm", ""] as const;
/** How long the lock is waited for at a time: the whole process stands still meanwhile; how long other work gets then; and in all. */
const LOCK_SLICE_MS = 5;
const LOCK_PAUSE_MS = 25;
const LOCK_MS = 15_000;

/**
 * Renames a damaged database beside itself, and gives its new path. Its journal goes first: were the file to go first
 * and this process to die, the next one would play the old journal into the new file.
 */
export function setAside(path: string): string {
  const time = new Date().toISOString().replaceAll(/[-:]|\.\d+/g, "");
  let aside = `${path}.damaged-${time}`;
  for (let n = 2; PARTS.some((part) => existsSync(aside + part)); n++) aside = `${path}.damaged-${time}-${n}`;
  for (const part of PARTS) if (existsSync(path + part)) renameSync(path + part, aside + part);
  return aside;
}

/** The databases that were set aside, the oldest first. */
export function listAside(path: string): string[] {
  const start = `${basename(path)}.damaged-`;
  const folder = dirname(path);
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .filter((name) => name.startsWith(start) && !/-(?:wal|shm)$/.test(name))
    .sort(compareText)
    .map((name) => join(folder, name));
}

/**
 * Which file lies at a path now; undefined where there is none. A file that was renamed keeps its name here; one that was
 * emptied does not.
 */
export function fileAt(path: string): string | undefined {
  try {
    const found = statSync(path, { bigint: true, throwIfNoEntry: false });
    if (found === undefined) return undefined;
    return `${found.dev}:${found.ino}${found.size === 0n ? " empty" : ""}`;
  } catch {
    // A folder that may not be entered any more says nothing of the file.
    return undefined;
  }
}

/**
 * Whether the file was emptied under those who used it: a new one is never empty together with a journal, nor in use by
 * anybody while the lock of `alone` is held.
 */
export function wasEmptied(path: string, isInUse: boolean): boolean {
  if (statSync(path, { throwIfNoEntry: false })?.size !== 0) return false;
  return isInUse || (statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0) > 0;
}

/**
 * Does the work while no other process opens this database or sets it aside. The lock is SQLite's own on an empty file:
 * the system gives it back when a process dies.
 */
export async function alone<T>(path: string, work: () => Promise<T>): Promise<T> {
  const lock = await takeLock(`${path}.lock`);
  try {
    return await work();
  } finally {
    lock?.close();
  }
}

/** Undefined where there can be no lock, as in a folder that may not be written: the work itself says so better. */
async function takeLock(path: string): Promise<Database | undefined> {
  const deadline = Date.now() + LOCK_MS;
  let lock: Database | undefined;
  for (;;)
    try {
      lock ??= await openDatabase(path);
      lock.exec(`PRAGMA busy_timeout = ${LOCK_SLICE_MS}; BEGIN IMMEDIATE`);
      // SQLite makes it for whom the umask lets in. Not made ahead: closing any other handle would give back the lock.
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
