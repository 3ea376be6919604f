import { connect } from "node:net";
import { text } from "node:stream/consumers";
import { randomId } from "../../src/kernel/ids.ts";
import { Client, type QueryResult } from "pg";
import { openPostgres } from "../../src/storage/postgres/database.ts";
import { migrate } from "../../src/storage/postgres/migrate.ts";
import { startPostgres, wantedVersion } from "./postgres-process.ts";

/** A database for one test on the server that all tests share. */
export interface TestDatabase {
  /** URL of a superuser. */
  readonly url: string;
  /** Returns the URL of the same database for another user. */
  urlAs(user: string, password: string): string;
  /** Drops the database even if somebody is still connected. */
  drop(): Promise<void>;
}

/** The servers that this process knows, by the requested version, and on each the database with the newest schema. */
const servers = new Map<string, Promise<string>>();
const templates = new Map<string, Promise<string>>();

/**
 * Creates an empty database. It is on the server of PITH_TEST_POSTGRES_URL, else on one started for this test run; a run for a specific
 * version (PITH_TEST_POSTGRES_VERSION) always uses the latter.
 */
export async function freshDatabase(version: string = wantedVersion()): Promise<TestDatabase> {
  const server = await serverOf(version);
  return createDatabase(server);
}

/** Creates a database with the newest schema as a copy, for tests that are not about migrations, which take ten times as long. */
export async function freshStore(version: string = wantedVersion()): Promise<TestDatabase> {
  const server = await serverOf(version);
  const template = templates.get(version) ?? createTemplate(server);
  templates.set(version, template);
  return createDatabase(server, ` TEMPLATE ${await template}`);
}

function serverOf(version: string): Promise<string> {
  const server = servers.get(version) ?? findServer(version);
  servers.set(version, server);
  return server;
}

async function createDatabase(server: string, options = ""): Promise<TestDatabase> {
  const name = `test_${randomId(10)}`;
  await runSql(server, `CREATE DATABASE ${name}${options}`);
  return databaseOf(server, name);
}

/** It stays until the server ends; a server that is not of this test run gets one for each process of the tests. */
async function createTemplate(server: string): Promise<string> {
  const { url } = await createDatabase(server);
  const store = await openPostgres(url);
  await migrate(store);
  await store.close();
  return new URL(url).pathname.slice(1);
}

/** Runs statements on a separate connection. */
export async function runSql(url: string, ...statements: readonly string[]): Promise<QueryResult[]> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    const results: QueryResult[] = [];
    for (const statement of statements) results.push(await client.query(statement));
    return results;
  } finally {
    await client.end();
  }
}

function databaseOf(server: string, name: string): TestDatabase {
  const url = new URL(server);
  url.pathname = `/${name}`;
  return {
    url: url.href,
    urlAs(user, password) {
      const other = new URL(url);
      other.username = user;
      other.password = password;
      return other.href;
    },
    async drop() {
      await runSql(server, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
    },
  };
}

async function findServer(version: string): Promise<string> {
  const given = process.env["PITH_TEST_POSTGRES_URL"];
  if (given !== undefined && given !== "" && version === "") return given;
  const door = process.env["PITH_TEST_POSTGRES_DOOR"];
  // Outside a test run, as in a benchmark, the server ends with this process.
  if (door === undefined) return (await startPostgres({ version })).url;
  const socket = connect(Number(door), "127.0.0.1");
  socket.write(`${version}\n`);
  const url = await text(socket);
  if (url === "") throw new Error("The PostgreSQL server of the tests did not start; see its messages above");
  return url;
}
