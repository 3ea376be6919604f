import { connect } from "node:net";
import { text } from "node:stream/consumers";
import { randomId } from "../../src/kernel/ids.ts";
import { Client, type QueryResult } from "pg";
import { startPostgres, wantedVersion } from "./postgres-process.ts";

/** A database of a test's own on the server that all tests share. */
export interface TestDatabase {
  /** As a superuser. */
  readonly url: string;
  /** The same database as somebody else. */
  urlAs(user: string, password: string): string;
  /** Removes it, whoever is still connected. */
  drop(): Promise<void>;
}

let shared: Promise<string> | undefined;

/**
 * Makes an empty database. The server is the one of PITH_TEST_POSTGRES_URL, else one started for this test run; always
 * the latter where the run is for a version (PITH_TEST_POSTGRES_VERSION).
 */
export async function freshDatabase(): Promise<TestDatabase> {
  shared ??= findServer();
  const server = await shared;
  const name = `test_${randomId(10)}`;
  await runSql(server, `CREATE DATABASE ${name}`);
  return databaseOf(server, name);
}

/** Runs statements on a connection of their own. */
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

async function findServer(): Promise<string> {
  const given = process.env["PITH_TEST_POSTGRES_URL"];
  if (given !== undefined && given !== "" && wantedVersion() === "") return given;
  const door = process.env["PITH_TEST_POSTGRES_DOOR"];
  // Without a test run around it, as in a benchmark, the server ends with this process.
  if (door === undefined) return (await startPostgres()).url;
  const socket = connect(Number(door), "127.0.0.1");
  socket.write(`${wantedVersion()}\n`);
  const url = await text(socket);
  if (url === "") throw new Error("The PostgreSQL server of the tests did not start; see its messages above");
  return url;
}
