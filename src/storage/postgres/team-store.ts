import { setTimeout as delay } from "node:timers/promises";
import { type PithError, toPithError } from "../../kernel/errors.ts";
import type { Origin } from "../files/origin.ts";
import { openPostgres, type Postgres } from "./database.ts";
import { migrate } from "./migrate.ts";
import { roleOf, type StoreRole } from "./roles.ts";
import { parseStoreUrl, type StorePlace } from "./store-url.ts";

/** Open connections to a team's database, with the identity of this machine and the rights of the user. */
export interface TeamConnection {
  readonly store: Postgres;
  readonly origin: Origin;
  readonly user: string;
  readonly role: StoreRole;
}

/** An outage of the team's database: why it cannot be used at the moment, and since when. */
export interface Outage {
  readonly error: PithError;
  readonly since: number;
}

/** Delays between attempts to reconnect to an unavailable store; they double up to the maximum. */
const MIN_RETRY_MS = 1_000;
const MAX_RETRY_MS = 30_000;
/**
 * Delays between checks before the team's database counts as unavailable. Waiting this long is cheaper than switching
 * to a local index.
 */
const RECHECK_DELAYS_MS: readonly number[] = [300, 1_200];
/**
 * A check that fails only after this time is not due to a restart, because a restarting server refuses connections at
 * once.
 */
const SLOW_FAILURE_MS = 3_000;

/**
 * A team's database, which may be unavailable: callers then continue without it and are told when it is back. Before
 * the first call, no connection is opened and the driver is not loaded.
 */
export class TeamStore {
  readonly place: StorePlace;
  readonly #url: string;
  readonly #origin: () => Promise<Origin>;
  #connection: Promise<TeamConnection> | undefined;
  #outage: Outage | undefined;
  #checking: Promise<boolean> | undefined;
  #timer: NodeJS.Timeout | undefined;
  #closed = false;

  constructor(url: string, origin: () => Promise<Origin>) {
    this.place = parseStoreUrl(url).place;
    this.#url = url;
    this.#origin = origin;
  }

  /** The current outage; undefined while the database is believed to be usable. */
  get outage(): Outage | undefined {
    return this.#outage;
  }

  /** Returns the connections, or fails at once with the reason while the database is known to be unavailable. */
  async connect(): Promise<TeamConnection> {
    if (this.#outage !== undefined) throw this.#outage.error;
    if (this.#connection !== undefined) return this.#connection;
    try {
      return await this.#probe();
    } catch (error) {
      this.#markUnavailable(error);
      throw error;
    }
  }

  /**
   * Checks, after a call has failed, whether the database answers. The check waits a moment, because a restarting
   * server is soon back.
   */
  isAvailable(): Promise<boolean> {
    if (this.#outage !== undefined) return Promise.resolve(false);
    this.#checking ??= this.#check().finally(() => (this.#checking = undefined));
    return this.#checking;
  }

  async close(): Promise<void> {
    this.#closed = true;
    clearTimeout(this.#timer);
    const connection = this.#connection;
    this.#connection = undefined;
    // A connection that could not be opened needs no closing.
    await (await connection?.catch(() => undefined))?.store.close();
  }

  async #check(): Promise<boolean> {
    for (let probes = 0; ; probes++) {
      const delayMs = RECHECK_DELAYS_MS[probes];
      const startedAt = Date.now();
      try {
        await this.#probe();
        return true;
      } catch (error) {
        // A check that failed slowly is not repeated: a restarting server would have refused the connection at once.
        if (delayMs === undefined || Date.now() - startedAt > SLOW_FAILURE_MS) {
          this.#markUnavailable(error);
          return false;
        }
      }
      await delay(delayMs);
    }
  }

  async #probe(): Promise<TeamConnection> {
    const known = this.#connection;
    const probing = (this.#connection ??= this.#open());
    try {
      const found = await probing;
      // An existing connection pool reconnects by itself, so a query is enough to check it.
      if (known !== undefined) await found.store.query("SELECT 1");
      return found;
    } catch (error) {
      if (known === undefined) this.#connection = undefined;
      throw error;
    }
  }

  #markUnavailable(error: unknown): void {
    this.#outage = { error: toPithError(error), since: this.#outage?.since ?? Date.now() };
    this.#scheduleRetry(MIN_RETRY_MS);
  }

  #scheduleRetry(wait: number): void {
    if (this.#closed || this.#timer !== undefined) return;
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      this.#probe().then(
        () => (this.#outage = undefined),
        (error: unknown) => {
          this.#outage = { error: toPithError(error), since: this.#outage?.since ?? Date.now() };
          this.#scheduleRetry(Math.min(wait * 2, MAX_RETRY_MS));
        },
      );
    }, wait);
    this.#timer.unref();
  }

  async #open(): Promise<TeamConnection> {
    const store = await openPostgres(this.#url, { failFast: true });
    try {
      await migrate(store);
      const { id, host } = await this.#origin();
      const { user, role } = await roleOf(store);
      // The origin, which names who wrote a row, includes the database user: nobody may change the rows of another
      // user, even from the same machine.
      return { store, origin: { id: `${id}/${user}`, host }, role, user };
    } catch (error) {
      await store.close();
      throw error;
    }
  }
}
