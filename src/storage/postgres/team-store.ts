import { PithError, toPithError } from "../../kernel/errors.ts";
import type { Origin } from "../files/origin.ts";
import { openPostgres, type Postgres } from "./database.ts";
import { migrate } from "./migrate.ts";
import { roleOf, type StoreRole } from "./role.ts";
import { parseStoreUrl, type StorePlace } from "./store-url.ts";

/** Open connections to a team's store. */
export interface TeamConnection {
  readonly store: Postgres;
  readonly origin: Origin;
  readonly role: StoreRole;
}

/** Why the store cannot be used now, and since when. */
export interface Absence {
  readonly error: PithError;
  readonly since: number;
}

/** A team's store, which may be away: whoever needs it goes on without it then, and hears when it is back. */
export interface TeamStore {
  readonly place: StorePlace;
  /** Fails at once, with the reason, while the store is known to be away. */
  connect(): Promise<TeamConnection>;
  /** Looks whether the store answers after a call has failed. */
  isThere(): Promise<boolean>;
  /** Undefined while the store can be used, as far as is known. */
  absence(): Absence | undefined;
  close(): Promise<void>;
}

/** How often a store that is away is looked for. */
const FIRST_LOOK_MS = 1_000;
const LAST_LOOK_MS = 30_000;

/** Nothing is opened, and the driver not loaded, before the first call. */
export function createTeamStore(url: string, origin: () => Promise<Origin>): TeamStore {
  const { place } = parseStoreUrl(url);
  let connection: Promise<TeamConnection> | undefined;
  let absence: Absence | undefined;
  let timer: NodeJS.Timeout | undefined;
  let closed = false;

  const open = async (): Promise<TeamConnection> => {
    const store = await openPostgres(url);
    try {
      await migrate(store);
      return { store, origin: await origin(), role: await roleOf(store) };
    } catch (error) {
      await store.close();
      throw error;
    }
  };
  const look = async (): Promise<TeamConnection> => {
    const had = connection !== undefined;
    const looking = (connection ??= open());
    try {
      const found = await looking;
      // A pool that was opened before makes new connections by itself.
      if (had) await found.store.query("SELECT 1");
      absence = undefined;
      return found;
    } catch (error) {
      if (!had) connection = undefined;
      absence = { error: toPithError(error), since: absence?.since ?? Date.now() };
      throw error;
    }
  };
  const lookAgain = (delay: number): void => {
    if (closed || timer !== undefined) return;
    timer = setTimeout(() => {
      timer = undefined;
      // What went wrong is kept in `absence`; the next look comes later.
      look().catch(() => lookAgain(Math.min(delay * 2, LAST_LOOK_MS)));
    }, delay);
    timer.unref();
  };
  const connect = async (): Promise<TeamConnection> => {
    if (absence !== undefined) throw absence.error;
    if (connection !== undefined) return connection;
    return look().catch((error: unknown) => {
      lookAgain(FIRST_LOOK_MS);
      throw error;
    });
  };
  return {
    place,
    connect,
    absence: () => absence,
    async isThere() {
      if (absence !== undefined) return false;
      try {
        await look();
        return true;
      } catch (error) {
        if (!(error instanceof PithError)) throw error;
        lookAgain(FIRST_LOOK_MS);
        return false;
      }
    },
    async close() {
      closed = true;
      clearTimeout(timer);
      await (await connection?.catch(() => undefined))?.store.close();
    },
  };
}
