import { accessSync, chmodSync, constants, statSync } from "node:fs";
import { dirname } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { PithError, errnoOf, toPithError } from "../../kernel/errors.ts";
import { makePrivateFolder } from "../../kernel/make-folder.ts";
import { openDatabase, type Database } from "./driver.ts";

/** An open database file with its schema at the newest version. */
export interface SqliteStore {
  readonly db: Database;
  readonly path: string;
  /** Runs the work in one write transaction: all of it is stored, or none. Calls inside a transaction join it. */
  transaction<T>(work: () => T): T;
  close(): void;
}

/** What a reader is told when the file is damaged or from a newer version. */
type DamageCode = "index_incompatible" | "store_unavailable";

const MAX_IDLE_JOURNAL = 4 * 1024 * 1024;

/** How long a statement waits for another process's write at a time: the whole process stands still meanwhile... */
const BUSY_SLICE_MS = 5;
/** ...how long other work gets then, and how long all of it may take: the longest write publishes a whole index. */
const BUSY_PAUSE_MS = 50;
const BUSY_MS = 15_000;

/**
 * Opens the file, or creates it, and brings its schema to the newest version. Migrations are numbered by their place
 * in the list and append-only: entry n takes a file from version n to n + 1. Statements hardly wait for other processes:
 * work on the store is to be done in `whenFree`.
 */
export async function openStore(
  path: string,
  migrations: readonly string[],
  damaged: DamageCode = "store_unavailable",
): Promise<SqliteStore> {
  const db = await open(path, damaged);
  try {
    db.exec(`PRAGMA busy_timeout = ${BUSY_SLICE_MS}`);
    db.exec("PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA foreign_keys = ON");
    // Else the journal stays as large as the largest transaction ever was.
    db.exec(`PRAGMA journal_size_limit = ${MAX_IDLE_JOURNAL}`);
    const store = createStore(db, path);
    migrate(store, migrations, damaged);
    return store;
  } catch (error) {
    db.close();
    throw storeError(error, path, damaged);
  }
}

/** Prepares the statements of a store; where they do not fit, another database lies in its place. */
export function prepareOn<T>(store: SqliteStore, damaged: DamageCode, prepare: (store: SqliteStore) => T): T {
  try {
    return prepare(store);
  } catch (error) {
    store.close();
    throw storeError(error, store.path, damaged);
  }
}

/** A store's way to answer: the file's API is synchronous, and a driver error leaves as one that a caller can act on. */
export function answeringFor(path: string, damaged: DamageCode): <T>(work: () => T) => Promise<T> {
  return (work) =>
    whenFree(() => Promise.resolve(work())).catch((error: unknown) => {
      throw storeError(error, path, damaged);
    });
}

/**
 * Does the work again while another process holds the lock that it needs. Between two attempts this process goes on: it
 * answers others, and ends when it is told to.
 */
export async function whenFree<T>(work: () => Promise<T>): Promise<T> {
  const deadline = Date.now() + BUSY_MS;
  for (;;)
    try {
      return await work();
    } catch (error) {
      if (!isBusy(error) || Date.now() > deadline) throw error;
      await delay(BUSY_PAUSE_MS);
    }
}

/** A driver error as the error that a caller can act on. */
export function storeError(error: unknown, path: string, damaged: DamageCode): PithError {
  if (error instanceof PithError) return error;
  const code = resultCode(error);
  const cause = { cause: error };
  if (code === undefined && errnoOf(error) === undefined) return toPithError(error);
  if (code !== undefined && (DAMAGED_CODES.has(code) || isNoFile(path)))
    return new PithError(
      damaged,
      `${path} is damaged or is no database`,
      damagedAdvice(path, damaged),
      cause,
    );
  if (code === CANNOT_OPEN && isUnreadable(path))
    return new PithError(
      damaged,
      `${path} cannot be read: permission denied`,
      unreadableAdvice(damaged),
      cause,
    );
  return new PithError("store_unavailable", `${path}: ${messageOf(error)}`, {}, cause);
}

/**
 * Whether the file can never be used as it is: no database, a broken one, or another than it should be. Not one that is
 * busy, full, read-only or of a newer version: these are whole.
 */
export function isDamaged(thrown: unknown, path: string): boolean {
  const error = driverError(thrown);
  if (extendedCode(error) === SHORT_READ) return true;
  const code = resultCode(error);
  if (code === undefined) return false;
  if (code === SQL_ERROR) return error instanceof Error && OTHER_SCHEMA.test(error.message);
  return DAMAGED_CODES.has(code) || (code === CANNOT_OPEN && isNoFile(path));
}

/** Whether another connection holds the lock that is needed. */
export function isBusy(thrown: unknown): boolean {
  return resultCode(driverError(thrown)) === BUSY;
}

function driverError(thrown: unknown): unknown {
  return thrown instanceof PithError ? thrown.cause : thrown;
}

async function open(path: string, damaged: DamageCode): Promise<Database> {
  try {
    await makePrivateFolder(dirname(path));
    const db = await openDatabase(path);
    restrictToOwner(path);
    return db;
  } catch (error) {
    throw storeError(error, path, damaged);
  }
}

/** Source code and logs are in there: nobody else may read them. A file of another user stays as it is. */
export function restrictToOwner(path: string): void {
  try {
    chmodSync(path, 0o600);
  } catch (error) {
    if (errnoOf(error) !== "EPERM" && errnoOf(error) !== "ENOENT") throw error;
  }
}

function createStore(db: Database, path: string): SqliteStore {
  let depth = 0;
  return {
    db,
    path,
    transaction(work) {
      if (depth > 0) return work();
      // IMMEDIATE: a reader that turns into a writer half way could fail at once instead of waiting.
      db.exec("BEGIN IMMEDIATE");
      depth = 1;
      try {
        const result = work();
        db.exec("COMMIT");
        return result;
      } catch (error) {
        rollBack(db);
        throw error;
      } finally {
        depth = 0;
      }
    },
    close() {
      db.close();
    },
  };
}

/** A full disk makes SQLite roll back by itself; then there is nothing left to do. */
function rollBack(db: Database): void {
  if (db.isTransaction) db.exec("ROLLBACK");
}

function migrate(store: SqliteStore, migrations: readonly string[], damaged: DamageCode): void {
  if (versionOf(store) === migrations.length) return;
  store.transaction(() => {
    // Read again under the lock: another process may have migrated in between.
    const version = versionOf(store);
    if (version > migrations.length)
      throw new PithError(damaged, `${store.path} was written by a newer Pith (schema ${version})`, {
        suggestion: "Use the newer Pith, or point the data folder elsewhere.",
        schema_version: version,
        supported_version: migrations.length,
      });
    for (const migration of migrations.slice(version)) store.db.exec(migration);
    store.db.exec(`PRAGMA user_version = ${migrations.length}`);
  });
}

function versionOf(store: SqliteStore): number {
  const row = store.db.prepare("PRAGMA user_version").get();
  return Number(row?.["user_version"] ?? 0);
}

function damagedAdvice(path: string, damaged: string): { suggestion?: string } {
  return damaged === "index_incompatible" ? {} : { suggestion: `Move ${path} away; Pith makes a new one.` };
}

/** SQLite's primary result code: the low byte of the extended one. Errors while rows are read come without it. */
function resultCode(error: unknown): number | undefined {
  const code = extendedCode(error);
  if (code !== undefined) return code & 0xff;
  if (!(error instanceof Error)) return undefined;
  return /^(?:database disk image is malformed|file is not a database)/.test(error.message)
    ? CORRUPT
    : undefined;
}

function extendedCode(error: unknown): number | undefined {
  return error instanceof Error && "errcode" in error && typeof error.errcode === "number"
    ? error.errcode
    : undefined;
}

/** A part of the file that must be there is not: it was cut. */
const SHORT_READ = 522;
const SQL_ERROR = 1;
const BUSY = 5;
const CORRUPT = 11;
const CANNOT_OPEN = 14;

/** What SQLite says of statements and migrations that are made for other tables. */
const OTHER_SCHEMA = /^(?:no such (?:table|column|index)|duplicate column)|already exists|has no column/;

/** A folder where one of the database's files should be can never be opened. */
function isNoFile(path: string): boolean {
  try {
    return ["", "-wal", "-shm"].some(
      (end) => statSync(`${path}${end}`, { throwIfNoEntry: false })?.isFile() === false,
    );
  } catch {
    // Not even that may be looked at: the driver's own word stands.
    return false;
  }
}

/** A file that this user may not read. One that may not be written is something else. */
function isUnreadable(path: string): boolean {
  try {
    accessSync(path, constants.R_OK);
    return false;
  } catch (error) {
    return errnoOf(error) === "EACCES";
  }
}

function unreadableAdvice(damaged: DamageCode): { suggestion: string } {
  const rebuild = damaged === "index_incompatible" ? ", or rebuild it: pith index --force" : "";
  return { suggestion: `Give this user the right to read it${rebuild}.` };
}

/** SQLITE_CORRUPT, SQLITE_NOTADB, and SQLITE_ERROR: a table is not there, so it is a database, but not this one. */
const DAMAGED_CODES: ReadonlySet<number> = new Set([SQL_ERROR, CORRUPT, 26]);

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
