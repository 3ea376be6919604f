import { PithError } from "../../kernel/errors.ts";
import type { Postgres, Queries } from "./database.ts";
import { MIGRATIONS } from "./migrations.ts";
import { showPlace } from "./store-url.ts";

/** Any number that no other program uses for its lock in this database: "pith" in hexadecimal. */
export const MIGRATION_LOCK = 0x70697468;

/**
 * Brings the store's schema to the newest version, or says why it cannot. Two servers that start together wait for
 * each other; the second finds nothing left to do.
 */
export async function migrate(store: Postgres, migrations: readonly string[] = MIGRATIONS): Promise<void> {
  if ((await checkedVersion(store, store, migrations)) === migrations.length) return;
  await mayMigrate(store, migrations);
  await store.transaction(async (queries) => {
    await queries.query("SELECT pg_advisory_xact_lock($1)", [MIGRATION_LOCK]);
    await queries.query("CREATE SCHEMA IF NOT EXISTS pith");
    await queries.query(
      "CREATE TABLE IF NOT EXISTS pith.migration (version integer PRIMARY KEY, applied_at timestamptz NOT NULL DEFAULT now())",
    );
    const version = await checkedVersion(store, queries, migrations);
    for (const [index, migration] of migrations.slice(version).entries()) {
      await queries.query(migration);
      await queries.query("INSERT INTO pith.migration (version) VALUES ($1)", [version + index + 1]);
    }
  });
}

/** The version of the schema; 0 where there is none. */
export async function schemaVersion(queries: Queries): Promise<number> {
  const [found] = await queries.query("SELECT to_regclass('pith.migration') IS NOT NULL AS there");
  if (found?.["there"] !== true) return 0;
  const [row] = await queries.query("SELECT coalesce(max(version), 0) AS version FROM pith.migration");
  return Number(row?.["version"]);
}

async function checkedVersion(
  { place }: Postgres,
  queries: Queries,
  migrations: readonly string[],
): Promise<number> {
  const version = await schemaVersion(queries);
  if (version <= migrations.length) return version;
  throw new PithError(
    "index_incompatible",
    `The store at ${showPlace(place)} was made by a newer Pith (schema ${version}, this one knows ${migrations.length})`,
    {
      suggestion: "Update Pith on this machine; until then it works with its own local store.",
      schema_version: version,
      supported_version: migrations.length,
    },
  );
}

/** A role without the right to change the schema hears what to do instead of a failing statement. */
async function mayMigrate(store: Postgres, migrations: readonly string[]): Promise<void> {
  const [row] = await store.query(
    `SELECT CASE WHEN to_regnamespace('pith') IS NULL THEN has_database_privilege(current_database(), 'CREATE')
       ELSE pg_has_role((SELECT nspowner FROM pg_namespace WHERE nspname = 'pith'), 'MEMBER') END AS allowed`,
  );
  if (row?.["allowed"] === true) return;
  throw new PithError(
    "permission_denied",
    `The store at ${showPlace(store.place)} needs schema ${migrations.length}, and the role ${store.place.user} may not change it`,
    { suggestion: "Run pith store migrate with the role that owns the database." },
  );
}
