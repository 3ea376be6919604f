import { beforeAll } from "vitest";
import { randomId } from "../../src/kernel/ids.ts";
import { openPostgres, type Postgres } from "../../src/storage/postgres/database.ts";
import { rolesSql } from "../../src/storage/postgres/rights.ts";
import { freshStore, runSql, type TestDatabase } from "./postgres.ts";

type Group = "reader" | "developer" | "worker";

interface StoreLogins<L extends string> {
  readonly database: TestDatabase;
  /** The name of each login in the database. */
  readonly names: Readonly<Record<L, string>>;
  /** The store as each login sees it. */
  readonly as: Readonly<Record<L, Postgres>>;
}

/** Provides a store with its own database, and a connection for each of these logins, by the role it is a member of. */
export function useStoreLogins<L extends string>(
  groups: Readonly<Record<L, Group | undefined>>,
): () => StoreLogins<L> {
  let opened: StoreLogins<L> | undefined;
  beforeAll(async () => {
    const logins = await openLogins(groups);
    opened = logins;
    return () => closeLogins(logins);
  });
  return () => {
    if (opened === undefined) throw new Error("no test has begun");
    return opened;
  };
}

async function openLogins<L extends string>(
  groups: Readonly<Record<L, Group | undefined>>,
): Promise<StoreLogins<L>> {
  const suffix = randomId(8);
  // The casts are safe, because both objects are built from the keys of `groups`.
  const logins = Object.keys(groups) as L[];
  const names = Object.fromEntries(logins.map((login) => [login, `${login}_${suffix}`])) as Record<L, string>;
  const database = await freshStore();
  await runSql(
    database.url,
    rolesSql(),
    // The SQL is applied twice, as after an upgrade.
    rolesSql(),
    ...logins.map((login) => `CREATE ROLE ${names[login]} LOGIN PASSWORD 'pw'`),
    ...logins.flatMap((login) =>
      groups[login] === undefined ? [] : [`GRANT pith_${groups[login]} TO ${names[login]}`],
    ),
  );
  const as: Partial<Record<L, Postgres>> = {};
  for (const login of logins) as[login] = await openPostgres(database.urlAs(names[login], "pw"));
  return { database, names, as: as as Record<L, Postgres> };
}

async function closeLogins({ database, names, as }: StoreLogins<string>): Promise<void> {
  for (const store of Object.values(as)) await store.close();
  const server = new URL(database.url);
  await database.drop();
  server.pathname = "/postgres";
  await runSql(server.href, ...Object.values(names).map((name) => `DROP ROLE IF EXISTS ${name}`));
}
