import { dirname } from "node:path";
import { PithError } from "../../kernel/errors.ts";
import { makePrivateFolder } from "../../kernel/make-folder.ts";
import { isBusy, isDamaged, openStore, storeError, retryWhileBusy, type SqliteStore } from "./database.ts";
import { withExclusiveLock, fileIdentity, listQuarantined, quarantine, wasTruncated } from "./quarantine.ts";

interface SelfRepairingOptions {
  readonly migrations: readonly string[];
  /** Called when another database file has replaced the one in use. */
  readonly onReplaced: (store: SqliteStore) => void;
}

interface Opened {
  readonly store: SqliteStore;
  readonly file: string | undefined;
}

/**
 * A database file that repairs itself: a damaged file is set aside and replaced by a new one. If another process
 * replaced the file, the new one is used from then on.
 */
export class SelfRepairingDatabase {
  readonly path: string;
  readonly #options: SelfRepairingOptions;
  #opened: Opened | undefined;
  #opening: Promise<Opened> | undefined;
  #reported: ReadonlySet<string>;
  #wasOpen = false;
  #isClosed = false;

  private constructor(path: string, options: SelfRepairingOptions) {
    this.path = path;
    this.#options = options;
    this.#reported = new Set(listQuarantined(path));
  }

  /** Opens the database file, or creates it. */
  static async open(path: string, options: SelfRepairingOptions): Promise<SelfRepairingDatabase> {
    const database = new SelfRepairingDatabase(path, options);
    await retryWithStoreErrors(path, () => database.#current());
    return database;
  }

  /** Runs work on the file; if the file turns out to be damaged, the work is repeated on a new one. */
  async use<T>(work: (store: SqliteStore) => T): Promise<T> {
    let repaired = false;
    return retryWithStoreErrors(this.path, async () => {
      const opened = await this.#current();
      try {
        return work(opened.store);
      } catch (error) {
        if (repaired || !isDamaged(error, this.path)) throw error;
        repaired = true;
        return work((await this.#replace(opened)).store);
      }
    });
  }

  /** Returns the damaged files that were set aside since the last call. */
  takeNewlyQuarantined(): readonly string[] {
    const all = listQuarantined(this.path);
    const fresh = all.filter((path) => !this.#reported.has(path));
    this.#reported = new Set(all);
    return fresh;
  }

  close(): void {
    this.#isClosed = true;
    this.#opened?.store.close();
  }

  /**
   * Returns the open database, and first reopens it if a different file is now at its path. If no file is there, as
   * after its folder was removed, the open one stays in use.
   */
  async #current(): Promise<Opened> {
    const opened = this.#opening === undefined ? this.#opened : await this.#opening;
    if (this.#isClosed) throw new PithError("store_unavailable", `${this.path} is closed`);
    const now = fileIdentity(this.path);
    const isInUse = opened !== undefined && (now === undefined || now === opened.file);
    return isInUse ? opened : this.#reopen(() => Promise.resolve());
  }

  /** Sets the damaged file aside and opens a new one, unless this or another process has already done so. */
  #replace(damaged: Opened): Promise<Opened> {
    if (this.#opened !== damaged && this.#opened !== undefined) return Promise.resolve(this.#opened);
    return this.#reopen(async () => {
      await withExclusiveLock(this.path, async () => {
        if (fileIdentity(this.path) === damaged.file) quarantine(this.path);
      });
    });
  }

  /** Reopens the database; concurrent callers share one reopening. */
  #reopen(prepare: () => Promise<void>): Promise<Opened> {
    this.#opening ??= this.#openAgain(prepare).finally(() => (this.#opening = undefined));
    return this.#opening;
  }

  async #openAgain(prepare: () => Promise<void>): Promise<Opened> {
    this.#opened?.store.close();
    this.#opened = undefined;
    await prepare();
    const opened = await openOrCreate(this.path, this.#options.migrations);
    try {
      if (this.#wasOpen) this.#options.onReplaced(opened.store);
    } catch (error) {
      opened.store.close();
      throw error;
    }
    this.#opened = opened;
    this.#wasOpen = true;
    if (this.#isClosed) this.close();
    return opened;
  }
}

async function openOrCreate(path: string, migrations: readonly string[]): Promise<Opened> {
  await makePrivateFolder(dirname(path));
  const open = async (): Promise<Opened> => {
    const store = await openStore(path, migrations);
    return { store, file: fileIdentity(path) };
  };
  return withExclusiveLock(path, async () => {
    if (wasTruncated(path, false)) quarantine(path);
    try {
      return await open();
    } catch (error) {
      if (!isDamaged(error, path) && !wasTruncated(path, isBusy(error))) throw error;
      quarantine(path);
      return open();
    }
  });
}

function retryWithStoreErrors<T>(path: string, work: () => Promise<T>): Promise<T> {
  return retryWhileBusy(work).catch((error: unknown) => {
    throw storeError(error, path, "store_unavailable");
  });
}
