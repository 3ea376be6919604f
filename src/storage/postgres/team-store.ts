import { setTimeout as delay } from "node:timers/promises";
import { type PithError, toPithError } from "../../kernel/errors.ts";
import type { Origin } from "../files/origin.ts";
import { openPostgres, type Postgres } from "./database.ts";
import { migrate } from "./migrate.ts";
import { roleOf, type StoreRole } from "./roles.ts";
import { parseStoreUrl, type StorePlace } from "./store-url.ts";

/** Open connections to a team's store. */
export interface TeamConnection {
  readonly store: Postgres;
  readonly origin: Origin;
  readonly user: string;
  readonly role: StoreRole;
}

/** Why the store cannot be used at the moment, and since when. */
export interface Outage {
  readonly error: PithError;
  readonly since: number;
}

/** Delays between attempts to reconnect to an unavailable store; they double up to the maximum. */
const MIN_RETRY_MS = 1_000;
const MAX_RETRY_MS = 30_000;
/** Delays between checks before the store counts as unavailable; leaving the team's index costs more than this wait. */
const RECHECK_DELAYS_MS: readonly number[] = [300, 1_200];
/** A failure that takes longer than this is not a restart, because a restarting server refuses connections at once. */
const SLOW_FAILURE_MS = 3_000;

/**
 * A team's store, which may be unavailable: users then continue without it and are told when it is back. Nothing is opened, and the driver
 * is not loaded, before the first call.
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

  /** Undefined while the store is believed to be usable. */
  get outage(): Outage | undefined {
    return this.#outage;
  }

  /** Fails at once, with the reason, while the store is known to be unavailable. */
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

  /** Checks whether the store answers after a call has failed. A server that restarts is usually back in a moment. */
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
        // A server that restarts refuses connections at once.
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
      // Existing pools reconnect by themselves, so a query is enough to check them.
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
      // The origin includes the database user, because rows of another user may not be changed, even by the same person on
      // the same machine.
      return { store, origin: { id: `${id}/${user}`, host }, role, user };
    } catch (error) {
      await store.close();
      throw error;
    }
  }
}
