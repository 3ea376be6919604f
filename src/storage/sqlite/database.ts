import { accessSync, chmodSync, constants, statSync } from "node:fs";
import { dirname } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { PithError, errnoOf, toPithError } from "../../kernel/errors.ts";
import { makePrivateFolder } from "../../kernel/make-folder.ts";
import { openDatabase, type Database } from "./driver.ts";

/** An open database file whose schema is at the newest version. */
export interface SqliteStore {
  readonly db: Database;
  readonly path: string;
  /** Runs the work in one write transaction: all of it is stored, or none. Nested calls join the outer transaction. */
  transaction<T>(work: () => T): T;
  close(): void;
}

/** The error code to report for a database file that is damaged or was written by a newer version of Pith. */
type DamageCode = "index_incompatible" | "store_unavailable";

/**
 * The size of a page in new files. A record of the index is 2 KB on average, and its last page is only partly used: with
 * SQLite's usual 4 KB an index is a tenth to a quarter larger.
 */
const PAGE_BYTES = 1024;
const MAX_IDLE_JOURNAL_BYTES = 4 * 1024 * 1024;

/**
 * How long one statement may wait for the write of another process. It is short, because this whole process is blocked
 * meanwhile.
 */
const BUSY_TIMEOUT_MS = 5;
/**
 * While the database is locked, work is repeated after this pause, in which other work proceeds, and up to the limit
 * below. The longest lock is that of a process that publishes a whole index.
 */
const BUSY_PAUSE_MS = 50;
const MAX_BUSY_MS = 15_000;

/**
 * Opens or creates the file and migrates its schema to the newest version. Migrations are append-only: entry n takes a
 * file from version n to n + 1. Statements wait only briefly for other processes, so callers retry with
 * `retryWhileBusy`.
 */
export async function openStore(
  path: string,
  migrations: readonly string[],
  damaged: DamageCode = "store_unavailable",
): Promise<SqliteStore> {
  const db = await open(path, damaged);
  try {
    db.exec(`PRAGMA busy_timeout = ${BUSY_TIMEOUT_MS}`);
    db.exec(
      `PRAGMA page_size = ${PAGE_BYTES}; PRAGMA wal_autocheckpoint = ${MAX_IDLE_JOURNAL_BYTES / PAGE_BYTES}`,
    );
    db.exec("PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA foreign_keys = ON");
    // The size of the journal is limited, because it would otherwise stay as large as the largest transaction ever was.
    db.exec(`PRAGMA journal_size_limit = ${MAX_IDLE_JOURNAL_BYTES}`);
    const store = createStore(db, path);
    migrate(store, migrations, damaged);
    return store;
  } catch (error) {
    db.close();
    throw storeError(error, path, damaged);
  }
}

/**
 * Prepares the SQL statements of a store. If they do not fit the tables, the file is a database of some other program,
 * and an error says so.
 */
export function prepareOn<T>(store: SqliteStore, damaged: DamageCode, prepare: (store: SqliteStore) => T): T {
  try {
    return prepare(store);
  } catch (error) {
    store.close();
    throw storeError(error, store.path, damaged);
  }
}

/**
 * Returns a function that runs synchronous work on the database, retries it while the database is locked, and converts
 * driver errors to errors that a caller can act on.
 */
export function createExecutor(path: string, damaged: DamageCode): <T>(work: () => T) => Promise<T> {
  return (work) =>
    retryWhileBusy(() => Promise.resolve(work())).catch((error: unknown) => {
      throw storeError(error, path, damaged);
    });
}

/**
 * Repeats the work while another process holds a lock on the database. Between two attempts this process stays
 * responsive, so it can answer other requests or shut down.
 */
export async function retryWhileBusy<T>(work: () => Promise<T>): Promise<T> {
  const deadline = Date.now() + MAX_BUSY_MS;
  for (;;)
    try {
      return await work();
    } catch (error) {
      if (!isBusy(error) || Date.now() > deadline) throw error;
      await delay(BUSY_PAUSE_MS);
    }
}

/** Converts a driver error to an error that a caller can act on. */
export function storeError(error: unknown, path: string, damaged: DamageCode): PithError {
  if (error instanceof PithError) return error;
  const code = resultCode(error);
  const cause = { cause: error };
  if (code === undefined && errnoOf(error) === undefined) return toPithError(error);
  if (code !== undefined && (DAMAGED_CODES.has(code) || hasFolderInPlace(path)))
    return new PithError(
      damaged,
      `${path} is damaged or not a database`,
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
 * True if the error shows that the file can never be used as it is: it is no database, a corrupt one, or one of another
 * program. A file that is locked, on a full disk, read-only or of a newer version is intact and does not count.
 */
export function isDamaged(thrown: unknown, path: string): boolean {
  const error = driverError(thrown);
  if (extendedCode(error) === SHORT_READ) return true;
  const code = resultCode(error);
  if (code === undefined) return false;
  if (code === SQL_ERROR) return error instanceof Error && OTHER_SCHEMA.test(error.message);
  return DAMAGED_CODES.has(code) || (code === CANNOT_OPEN && hasFolderInPlace(path));
}

/** True if the error means that another connection holds the required lock. */
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

/** Restricts the file to its owner, because it holds source code and logs. A file of another user stays as it is. */
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
      // IMMEDIATE takes the write lock at once, because a read transaction that upgrades later can fail instead of waiting.
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

/** Rolls the transaction back if it is still open; on a full disk SQLite has already done so by itself. */
function rollBack(db: Database): void {
  if (db.isTransaction) db.exec("ROLLBACK");
}

function migrate(store: SqliteStore, migrations: readonly string[], damaged: DamageCode): void {
  if (versionOf(store) === migrations.length) return;
  store.transaction(() => {
    // The schema version is read again under the lock, because another process may have migrated the file in between.
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
  return damaged === "index_incompatible"
    ? {}
    : { suggestion: `Move ${path} elsewhere; Pith creates a new one.` };
}

/** Returns SQLite's primary result code, the low byte of the extended one. Errors raised while rows are read have no code. */
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

/** SQLITE_IOERR_SHORT_READ, the error code for a file that was truncated. */
const SHORT_READ = 522;
const SQL_ERROR = 1;
const BUSY = 5;
const CORRUPT = 11;
const CANNOT_OPEN = 14;

/** Matches SQLite's messages for statements and migrations that do not fit the existing tables. */
const OTHER_SCHEMA = /^(?:no such (?:table|column|index)|duplicate column)|already exists|has no column/;

/** True if a folder has the name of one of the database's files, so that the database can never be opened. */
function hasFolderInPlace(path: string): boolean {
  try {
    return ["", "-wal", "-shm"].some(
      (end) => statSync(`${path}${end}`, { throwIfNoEntry: false })?.isFile() === false,
    );
  } catch {
    // The path cannot be inspected, so it counts as no folder and the driver's own error is reported.
    return false;
  }
}

/** True if this user may not read the file. A file that can be read but not written does not count. */
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

/**
 * The codes SQLITE_ERROR, SQLITE_CORRUPT and SQLITE_NOTADB; the first means that a table is missing, so the file
 * belongs to another program.
 */
const DAMAGED_CODES: ReadonlySet<number> = new Set([SQL_ERROR, CORRUPT, 26]);

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
