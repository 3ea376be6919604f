import { dirname } from "node:path";
import { PithError } from "../../kernel/errors.ts";
import { makePrivateFolder } from "../../kernel/make-folder.ts";
import { isBusy, isDamaged, openStore, storeError, whenFree, type SqliteStore } from "./database.ts";
import { alone, fileAt, listAside, setAside, wasEmptied } from "./quarantine.ts";

interface MendingOptions {
  readonly migrations: readonly string[];
  /** Another file has taken the place of the one that was in use. */
  readonly onReplaced: (store: SqliteStore) => void;
}

interface Opened {
  readonly store: SqliteStore;
  readonly file: string | undefined;
}

/**
 * A database file that is never in the way: one that is damaged is set aside and a new one begun in its place, and where
 * another process did so, its new file is used from then on.
 */
export class MendingDatabase {
  readonly path: string;
  readonly #options: MendingOptions;
  #opened: Opened | undefined;
  #opening: Promise<Opened> | undefined;
  #told: ReadonlySet<string>;
  #wasOpen = false;
  #isClosed = false;

  private constructor(path: string, options: MendingOptions) {
    this.path = path;
    this.#options = options;
    this.#told = new Set(listAside(path));
  }

  /** Opens the file, or begins a new one. */
  static async open(path: string, options: MendingOptions): Promise<MendingDatabase> {
    const database = new MendingDatabase(path, options);
    await patiently(path, () => database.#current());
    return database;
  }

  /** Does some work on the file, which may have to be done again on a new one. */
  async use<T>(work: (store: SqliteStore) => T): Promise<T> {
    let mended = false;
    return patiently(this.path, async () => {
      const opened = await this.#current();
      try {
        return work(opened.store);
      } catch (error) {
        if (mended || !isDamaged(error, this.path)) throw error;
        mended = true;
        return work((await this.#replace(opened)).store);
      }
    });
  }

  /** The files that were set aside since this was last asked. */
  takeAside(): readonly string[] {
    const all = listAside(this.path);
    const fresh = all.filter((path) => !this.#told.has(path));
    this.#told = new Set(all);
    return fresh;
  }

  close(): void {
    this.#isClosed = true;
    this.#opened?.store.close();
  }

  /** The file in use, which is the one that lies there now. Where none does, as in a folder that was removed, it stays. */
  async #current(): Promise<Opened> {
    const opened = this.#opening === undefined ? this.#opened : await this.#opening;
    if (this.#isClosed) throw new PithError("store_unavailable", `${this.path} is closed`);
    const now = fileAt(this.path);
    const isInUse = opened !== undefined && (now === undefined || now === opened.file);
    return isInUse ? opened : this.#reopen(() => Promise.resolve());
  }

  /** Sets the file aside, unless that was done already, here or by another process. */
  #replace(damaged: Opened): Promise<Opened> {
    if (this.#opened !== damaged && this.#opened !== undefined) return Promise.resolve(this.#opened);
    return this.#reopen(async () => {
      await alone(this.path, async () => {
        if (fileAt(this.path) === damaged.file) setAside(this.path);
      });
    });
  }

  /** One at a time: whoever comes meanwhile gets the same. */
  #reopen(prepare: () => Promise<void>): Promise<Opened> {
    this.#opening ??= this.#openAnew(prepare).finally(() => (this.#opening = undefined));
    return this.#opening;
  }

  async #openAnew(prepare: () => Promise<void>): Promise<Opened> {
    this.#opened?.store.close();
    this.#opened = undefined;
    await prepare();
    const opened = await openOrBegin(this.path, this.#options.migrations);
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

async function openOrBegin(path: string, migrations: readonly string[]): Promise<Opened> {
  await makePrivateFolder(dirname(path));
  const open = async (): Promise<Opened> => {
    const store = await openStore(path, migrations);
    return { store, file: fileAt(path) };
  };
  return alone(path, async () => {
    if (wasEmptied(path, false)) setAside(path);
    try {
      return await open();
    } catch (error) {
      if (!isDamaged(error, path) && !wasEmptied(path, isBusy(error))) throw error;
      setAside(path);
      return open();
    }
  });
}

function patiently<T>(path: string, work: () => Promise<T>): Promise<T> {
  return whenFree(work).catch((error: unknown) => {
    throw storeError(error, path, "store_unavailable");
  });
}
