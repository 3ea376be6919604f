import { Socket } from "node:net";
import type { ConnectionOptions } from "node:tls";
import type { ClientConfig, Pool, PoolClient, PoolConfig, QueryResultRow } from "pg";
import { isStoreUnavailable } from "../../kernel/errors.ts";
import { waitAtMost } from "../../kernel/with-timeout.ts";
import { postgresError } from "./errors.ts";
import { patienceWith, type Patience } from "./liveness.ts";
import { passwordFor } from "./password-file.ts";
import { parseStoreUrl, type StorePlace, type StoreUrl, withPassword } from "./store-url.ts";
import { tlsOptions } from "./tls.ts";

export type Row = QueryResultRow;

/** Runs statements; values are always parameters. */
export interface Queries {
  query(sql: string, values?: readonly unknown[]): Promise<Row[]>;
}

/** The connections to a team store. */
export interface Postgres extends Queries {
  readonly place: StorePlace;
  /** All of the work is stored, or none. */
  transaction<T>(work: (queries: Queries) => Promise<T>): Promise<T>;
  /** Several reads that see one and the same state. */
  snapshot<T>(work: (queries: Queries) => Promise<T>): Promise<T>;
  /** The driver's own pool, for what needs a connection to itself: LISTEN, the queue. */
  readonly pool: Pool;
  close(): Promise<void>;
}

/** How long things may take. A server that does not answer must not hold up a reply for longer. */
const CONNECT_MS = 5_000;
const STATEMENT_MS = 20_000;
/** The client's own patience: a network that swallows packets has no statement timeout. */
const ANSWER_MS = 25_000;
const IDLE_MS = 30_000;
const END_MS = 2_000;
/** Connections a process: many developers share one server's few hundred. */
const MAX_CONNECTIONS = 4;

interface OpenOptions {
  readonly maxConnections?: number;
  /** For who has something else to do than wait for a server that says nothing. */
  readonly impatient?: boolean;
}

/** Opens connections to a store and proves that one works. The driver is loaded here, so that others start without it. */
export async function openPostgres(url: string, options: OpenOptions = {}): Promise<Postgres> {
  const store = await withItsPassword(parseStoreUrl(url));
  const { pool, sockets } = await connect(store, options);
  const patience =
    options.impatient === true ? patienceWith(probeOf(pool.options), store.place) : AS_LONG_AS_IT_TAKES;
  const transaction = async <T>(begin: string, work: (queries: Queries) => Promise<T>): Promise<T> => {
    const client = await pool.connect().catch((error: unknown) => {
      throw postgresError(error, store.place);
    });
    return within(client, { queries: queriesOf(client, store.place, patience), begin }, work);
  };
  return {
    place: store.place,
    pool,
    ...queriesOf(pool, store.place, patience),
    transaction: (work) => transaction("BEGIN", work),
    snapshot: (work) => transaction("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY", work),
    close: () => closeAll(pool, sockets),
  };
}

const AS_LONG_AS_IT_TAKES: Patience = (answer) => answer;

function probeOf(options: PoolConfig): ClientConfig {
  return { ...options, query_timeout: CONNECT_MS };
}

function queriesOf(client: Pool | PoolClient, place: StorePlace, patience: Patience): Queries {
  return {
    async query(sql, values = []) {
      try {
        return (await patience(client.query<Row>(sql, [...values]))).rows;
      } catch (error) {
        throw postgresError(error, place);
      }
    },
  };
}

/** A connection that failed, or whose transaction could not be ended, is not used again: the server undoes its work. */
async function within<T>(
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

async function withItsPassword(store: StoreUrl): Promise<StoreUrl> {
  const { passwordFile, place, connectionString } = store;
  const password = passwordFile && (await passwordFor(place, passwordFile.path));
  return password === undefined
    ? store
    : { ...store, connectionString: withPassword(connectionString, password) };
}

/** Connections and what they run on. */
interface Connections {
  readonly pool: Pool;
  readonly sockets: ReadonlySet<Socket>;
}

/** A statement that is under way may end; for one that a server never answers nobody waits. */
async function closeAll(pool: Pool, sockets: ReadonlySet<Socket>): Promise<void> {
  const ended = pool.end().then(() => true);
  if ((await waitAtMost(END_MS, ended)) === undefined) for (const socket of sockets) socket.destroy();
  await ended;
}

async function connect(store: StoreUrl, options: OpenOptions): Promise<Connections> {
  const { Pool: PgPool } = await import("pg");
  const open = async (ssl: ConnectionOptions | false): Promise<Connections> => {
    const sockets = new Set<Socket>();
    const pool = new PgPool({ ...configOf(store, options, ssl), stream: () => remembered(sockets) });
    // A connection that breaks while nobody uses it is replaced by the next query.
    pool.on("error", () => undefined);
    // One that breaks while somebody uses it fails his next query; the event itself would end the process.
    pool.on("connect", (client) => client.on("error", () => undefined));
    try {
      (await pool.connect()).release();
      return { pool, sockets };
    } catch (error) {
      await pool.end();
      // The driver leaves a connection open that failed on this side, and the process could not end.
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

function remembered(sockets: Set<Socket>): Socket {
  const socket = new Socket();
  sockets.add(socket);
  socket.once("close", () => sockets.delete(socket));
  return socket;
}

function configOf(
  { connectionString }: StoreUrl,
  options: OpenOptions,
  ssl: ConnectionOptions | false,
): PoolConfig {
  return {
    application_name: "pith",
    connectionString,
    ssl,
    max: options.maxConnections ?? MAX_CONNECTIONS,
    connectionTimeoutMillis: CONNECT_MS,
    idleTimeoutMillis: IDLE_MS,
    statement_timeout: STATEMENT_MS,
    idle_in_transaction_session_timeout: STATEMENT_MS,
    query_timeout: ANSWER_MS,
    keepAlive: true,
    // An idle connection must not keep a command from ending.
    allowExitOnIdle: true,
  };
}
