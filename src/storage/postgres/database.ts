import { Socket } from "node:net";
import type { ConnectionOptions } from "node:tls";
import type { ClientConfig, Pool, PoolClient, PoolConfig, QueryResultRow } from "pg";
import { isStoreUnavailable } from "../../kernel/errors.ts";
import { waitAtMost } from "../../kernel/with-timeout.ts";
import { postgresError } from "./errors.ts";
import { createLivenessGuard, type LivenessGuard } from "./liveness.ts";
import { passwordFor } from "./password-file.ts";
import { parseStoreUrl, type StorePlace, type StoreUrl, withPassword } from "./store-url.ts";
import { tlsOptions } from "./tls.ts";

export type Row = QueryResultRow;

/** Runs SQL statements; values are always passed as parameters. */
export interface Queries {
  query(sql: string, values?: readonly unknown[]): Promise<Row[]>;
}

/** The connections of this process to a team's PostgreSQL database. */
export interface Postgres extends Queries {
  readonly place: StorePlace;
  /** Runs the work in a transaction: all of it is stored, or none. */
  transaction<T>(work: (queries: Queries) => Promise<T>): Promise<T>;
  /** The same without timeouts, for migrations. */
  longTransaction<T>(work: (queries: Queries) => Promise<T>): Promise<T>;
  /** Runs several reads that see the same state of the database. */
  snapshot<T>(work: (queries: Queries) => Promise<T>): Promise<T>;
  /** The driver's connection pool, for callers that need a connection of their own, for example to LISTEN. */
  readonly pool: Pool;
  /** The connections on which notifications arrive: those of `pool`, or others if that leads to a connection pooler. */
  readonly listeners: Pool;
  close(): Promise<void>;
}

/** Timeouts that bound how long a database server that does not answer can delay a reply. */
const CONNECT_TIMEOUT_MS = 5_000;
const STATEMENT_TIMEOUT_MS = 20_000;
/**
 * A timeout on the client's side, because the server's statement timeout does not help if the network drops packets.
 */
const CLIENT_TIMEOUT_MS = 25_000;
const IDLE_TIMEOUT_MS = 30_000;
/** A migration of a large store may build indexes for minutes. */
const MIGRATION_TIMEOUT_MS = 6 * 60 * 60 * 1_000;
const CLOSE_TIMEOUT_MS = 2_000;
/**
 * Connections per process. It is small, because all developers of a team share the few hundred connections that a
 * server allows.
 */
const MAX_CONNECTIONS = 4;

interface OpenOptions {
  readonly maxConnections?: number;
  /**
   * True if statements should fail as soon as the server stops responding, because the caller can continue without it.
   */
  readonly failFast?: boolean;
}

/**
 * Opens connections to a team's database and checks that one works. The driver is loaded here, so that processes
 * without such a database never load it.
 */
export async function openPostgres(url: string, options: OpenOptions = {}): Promise<Postgres> {
  const store = await resolvePassword(parseStoreUrl(url));
  const { pool, listeners, sockets } = await connect(store, options);
  const guard =
    options.failFast === true ? createLivenessGuard(probeOf(pool.options), store.place) : NO_LIVENESS_GUARD;
  const transaction = async <T>(
    begin: string,
    work: (queries: Queries) => Promise<T>,
    timeoutMs?: number,
  ): Promise<T> => {
    const client = await pool.connect().catch((error: unknown) => {
      throw postgresError(error, store.place);
    });
    const queries = queriesOf(client, { place: store.place, guard, timeoutMs });
    return runTransaction(client, { queries, begin }, work);
  };
  return {
    place: store.place,
    pool,
    listeners,
    ...queriesOf(pool, { place: store.place, guard }),
    transaction: (work) => transaction("BEGIN", work),
    longTransaction: (work) =>
      transaction("BEGIN; SET LOCAL statement_timeout = 0", work, MIGRATION_TIMEOUT_MS),
    snapshot: (work) => transaction("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY", work),
    close: () => closeAll([...new Set([pool, listeners])], sockets),
  };
}

const NO_LIVENESS_GUARD: LivenessGuard = (answer) => answer;

function probeOf(options: PoolConfig): ClientConfig {
  return { ...options, query_timeout: CONNECT_TIMEOUT_MS };
}

function queriesOf(
  client: Pool | PoolClient,
  {
    place,
    guard,
    timeoutMs,
  }: { readonly place: StorePlace; readonly guard: LivenessGuard; readonly timeoutMs?: number | undefined },
): Queries {
  // The driver knows this option, but its types do not.
  const options = timeoutMs === undefined ? {} : { query_timeout: timeoutMs };
  return {
    async query(sql, values = []) {
      try {
        return (await guard(client.query<Row>({ text: sql, values: [...values], ...options }))).rows;
      } catch (error) {
        throw postgresError(error, place);
      }
    },
  };
}

/**
 * Runs the work in a transaction. A connection that failed, or whose transaction could not be ended, is discarded, so
 * that the server rolls the transaction back.
 */
async function runTransaction<T>(
  client: PoolClient,
  { queries, begin }: { queries: Queries; begin: string },
  work: (queries: Queries) => Promise<T>,
): Promise<T> {
  let broken = false;
  try {
    await queries.query(begin);
    const result = await work(queries);
    await queries.query("COMMIT");
    return result;
  } catch (error) {
    broken = isStoreUnavailable(error);
    if (!broken) await client.query("ROLLBACK").catch(() => (broken = true));
    throw error;
  } finally {
    client.release(broken);
  }
}

async function resolvePassword(store: StoreUrl): Promise<StoreUrl> {
  const { passwordFile, place, connectionString } = store;
  const password = passwordFile && (await passwordFor(place, passwordFile.path));
  return password === undefined
    ? store
    : { ...store, connectionString: withPassword(connectionString, password) };
}

/** A pool of connections and their network sockets. */
interface Connections {
  readonly pool: Pool;
  readonly listeners: Pool;
  readonly sockets: ReadonlySet<Socket>;
}

/**
 * Closes all connections. Running statements may finish, but only until a timeout, in case the server never answers.
 */
async function closeAll(pools: readonly Pool[], sockets: ReadonlySet<Socket>): Promise<void> {
  const ended = Promise.all(pools.map((pool) => pool.end())).then(() => true);
  if ((await waitAtMost(CLOSE_TIMEOUT_MS, ended)) === undefined)
    for (const socket of sockets) socket.destroy();
  await ended;
}

async function connect(store: StoreUrl, options: OpenOptions): Promise<Connections> {
  const { Pool: PgPool } = await import("pg");
  const open = async (ssl: ConnectionOptions | false): Promise<Connections> => {
    const sockets = new Set<Socket>();
    const config = { ...configOf(store, options, ssl), stream: () => createTrackedSocket(sockets) };
    const pool = tolerant(new PgPool(config));
    const listeners =
      store.listen === undefined ? pool : tolerant(new PgPool({ ...atServer(config, store.listen), max: 1 }));
    try {
      (await pool.connect()).release();
      return { pool, listeners, sockets };
    } catch (error) {
      await pool.end();
      // If the client gave up on a connection, the driver leaves its socket open, which would keep the process alive.
      for (const socket of sockets) socket.destroy();
      throw error;
    }
  };
  try {
    const { mode } = store.tls;
    if (mode === "disable") return await open(false);
    const encrypted = open(await tlsOptions(store.tls));
    return await encrypted.catch((error: unknown) => {
      if (mode === "prefer" && error instanceof Error && error.message.includes("does not support SSL"))
        return open(false);
      throw error;
    });
  } catch (error) {
    throw postgresError(error, store.place);
  }
}

/** Keeps broken connections from ending the process. */
function tolerant(pool: Pool): Pool {
  // An idle connection that broke needs no handling, because the next query opens a new one.
  pool.on("error", () => undefined);
  // A connection that breaks while in use makes its query fail; without this listener the event would also end the
  // process.
  pool.on("connect", (client) => client.on("error", () => undefined));
  return pool;
}

/** The configuration for connections to the server behind a connection pooler. */
function atServer(config: PoolConfig, { host, port }: NonNullable<StoreUrl["listen"]>): PoolConfig {
  const url = new URL(config.connectionString ?? "");
  url.hostname = host.includes(":") ? `[${host}]` : host;
  url.port = String(port);
  url.searchParams.delete("host");
  return { ...config, connectionString: url.href };
}

function createTrackedSocket(sockets: Set<Socket>): Socket {
  const socket = new Socket();
  sockets.add(socket);
  socket.once("close", () => sockets.delete(socket));
  return socket;
}

function configOf(
  { connectionString, listen }: StoreUrl,
  options: OpenOptions,
  ssl: ConnectionOptions | false,
): PoolConfig {
  return {
    application_name: "pith",
    connectionString,
    ssl,
    max: options.maxConnections ?? MAX_CONNECTIONS,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    idleTimeoutMillis: IDLE_TIMEOUT_MS,
    // A connection pooler refuses settings of a session, because it has no sessions.
    ...(listen === undefined && {
      statement_timeout: STATEMENT_TIMEOUT_MS,
      idle_in_transaction_session_timeout: STATEMENT_TIMEOUT_MS,
    }),
    query_timeout: CLIENT_TIMEOUT_MS,
    keepAlive: true,
    // Idle connections must not keep a command-line process from exiting.
    allowExitOnIdle: true,
  };
}
