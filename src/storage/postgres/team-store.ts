import { setTimeout as delay } from "node:timers/promises";
import { type PithError, toPithError } from "../../kernel/errors.ts";
import type { Origin } from "../files/origin.ts";
import { openPostgres, type Postgres } from "./database.ts";
import { migrate } from "./migrate.ts";
import { roleOf, type StoreRole } from "./role.ts";
import { parseStoreUrl, type StorePlace } from "./store-url.ts";

/** Open connections to a team's store. */
export interface TeamConnection {
  readonly store: Postgres;
  readonly origin: Origin;
  readonly user: string;
  readonly role: StoreRole;
}

/** Why the store cannot be used now, and since when. */
export interface Absence {
  readonly error: PithError;
  readonly since: number;
}

/** How often a store that is away is looked for. */
const FIRST_LOOK_MS = 1_000;
const LAST_LOOK_MS = 30_000;
/** Between the looks before it counts as away: leaving the team's index costs more than this wait. */
const PAUSES_MS: readonly number[] = [300, 1_200];
/** Who said nothing for so long does not restart. */
const SILENT_MS = 3_000;

/**
 * A team's store, which may be away: whoever needs it goes on without it then, and hears when it is back. Nothing is
 * opened, and the driver not loaded, before the first call.
 */
export class TeamStore {
  readonly place: StorePlace;
  readonly #url: string;
  readonly #origin: () => Promise<Origin>;
  #connection: Promise<TeamConnection> | undefined;
  #absence: Absence | undefined;
  #checking: Promise<boolean> | undefined;
  #timer: NodeJS.Timeout | undefined;
  #closed = false;

  constructor(url: string, origin: () => Promise<Origin>) {
    this.place = parseStoreUrl(url).place;
    this.#url = url;
    this.#origin = origin;
  }

  /** Undefined while the store can be used, as far as is known. */
  get absence(): Absence | undefined {
    return this.#absence;
  }

  /** Fails at once, with the reason, while the store is known to be away. */
  async connect(): Promise<TeamConnection> {
    if (this.#absence !== undefined) throw this.#absence.error;
    if (this.#connection !== undefined) return this.#connection;
    try {
      return await this.#look();
    } catch (error) {
      this.#leave(error);
      throw error;
    }
  }

  /** Looks whether the store answers after a call has failed. A server that restarts is back in a moment. */
  isThere(): Promise<boolean> {
    if (this.#absence !== undefined) return Promise.resolve(false);
    this.#checking ??= this.#check().finally(() => (this.#checking = undefined));
    return this.#checking;
  }

  async close(): Promise<void> {
    this.#closed = true;
    clearTimeout(this.#timer);
    const connection = this.#connection;
    this.#connection = undefined;
    // One that could not be opened has nothing to close.
    await (await connection?.catch(() => undefined))?.store.close();
  }

  async #check(): Promise<boolean> {
    for (let looks = 0; ; looks++) {
      const pause = PAUSES_MS[looks];
      const begun = Date.now();
      try {
        await this.#look();
        return true;
      } catch (error) {
        // A server that restarts refuses at once.
        if (pause === undefined || Date.now() - begun > SILENT_MS) {
          this.#leave(error);
          return false;
        }
      }
      await delay(pause);
    }
  }

  async #look(): Promise<TeamConnection> {
    const known = this.#connection;
    const looking = (this.#connection ??= this.#open());
    try {
      const found = await looking;
      // Connections that were open make new ones by themselves.
      if (known !== undefined) await found.store.query("SELECT 1");
      return found;
    } catch (error) {
      if (known === undefined) this.#connection = undefined;
      throw error;
    }
  }

  #leave(error: unknown): void {
    this.#absence = { error: toPithError(error), since: this.#absence?.since ?? Date.now() };
    this.#lookAgain(FIRST_LOOK_MS);
  }

  #lookAgain(wait: number): void {
    if (this.#closed || this.#timer !== undefined) return;
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      this.#look().then(
        () => (this.#absence = undefined),
        (error: unknown) => {
          this.#absence = { error: toPithError(error), since: this.#absence?.since ?? Date.now() };
          this.#lookAgain(Math.min(wait * 2, LAST_LOOK_MS));
        },
      );
    }, wait);
    this.#timer.unref();
  }

  async #open(): Promise<TeamConnection> {
    const store = await openPostgres(this.#url, { impatient: true });
    try {
      await migrate(store);
      const { id, host } = await this.#origin();
      const { user, role } = await roleOf(store);
      // What belongs to another user may not be changed, also where that is the same person on the same machine.
      return { store, origin: { id: `${id}/${user}`, host }, role, user };
    } catch (error) {
      await store.close();
      throw error;
    }
  }
}
