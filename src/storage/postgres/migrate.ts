import { PithError } from "../../kernel/errors.ts";
import { ACCESS_RULES } from "./access-schema.ts";
import type { Postgres, Queries } from "./database.ts";
import { ANNOUNCEMENTS } from "./ownership/announce-functions.ts";
import { ANSWERS } from "./ownership/answer-functions.ts";
import { CHEAPER_CLAIMS } from "./ownership/load-functions.ts";
import { CHOICE } from "./ownership/choice-functions.ts";
import { NAMED_WORKERS } from "./ownership/news-functions.ts";
import { NEIGHBOUR_RULES } from "./ownership/neighbour-rules.ts";
import { USE_COLUMN } from "./ownership/record-functions.ts";
import { OWNERSHIP } from "./ownership/schema.ts";
import { VALUE_CHECKS } from "./ownership/value-checks.ts";
import { INDEX_TABLES } from "./index/schema.ts";
import { DROP_QUEUE_LIBRARY, JOB_TABLES, QUEUE_LIBRARY_ENTRIES } from "./queue/schema.ts";
import { grants, hasRoles } from "./rights.ts";
import { OBJECTS } from "./objects/schema.ts";
import { PARTITIONS } from "./retention/partition-schema.ts";
import { RUN_TABLES } from "./runs/schema.ts";
import { showPlace } from "./store-url.ts";
import { VECTOR_TABLES } from "./vectors/schema.ts";

/**
 * The key of the advisory lock that a migration takes: "pith" in hexadecimal, which other programs are unlikely to use
 * in this database.
 */
export const MIGRATION_LOCK = 0x70697468;

/**
 * Migrates the store's schema to the newest version, or throws with the reason why it cannot. Servers that start together wait for each
 * other; the second finds nothing left to do.
 */
export async function migrate(store: Postgres, migrations: readonly string[] = MIGRATIONS): Promise<void> {
  if ((await readSupportedVersion(store, store, migrations)) === migrations.length) return;
  await checkMayMigrate(store, migrations);
  await store.longTransaction(async (queries) => {
    await queries.query("SELECT pg_advisory_xact_lock($1)", [MIGRATION_LOCK]);
    await queries.query("CREATE SCHEMA IF NOT EXISTS pith");
    await queries.query(
      "CREATE TABLE IF NOT EXISTS pith.migration (version integer PRIMARY KEY, applied_at timestamptz NOT NULL DEFAULT now())",
    );
    const version = await readSupportedVersion(store, queries, migrations);
    for (const [index, migration] of migrations.slice(version).entries()) {
      await queries.query(migration);
      await queries.query("INSERT INTO pith.migration (version) VALUES ($1)", [version + index + 1]);
    }
    // The roles get the privileges of the new schema together with it, so that no server finds itself locked out.
    if (migrations === MIGRATIONS && (await hasRoles(queries))) await queries.query(grants().join("\n"));
  });
}

/** Returns the version of the database schema, or 0 if the schema does not exist yet. */
export async function schemaVersion(queries: Queries): Promise<number> {
  const [found] = await queries.query("SELECT to_regclass('pith.migration') IS NOT NULL AS there");
  if (found?.["there"] !== true) return 0;
  const [row] = await queries.query("SELECT coalesce(max(version), 0) AS version FROM pith.migration");
  return Number(row?.["version"]);
}

async function readSupportedVersion(
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

/**
 * Checks that the user may change the schema, so that one who may not gets advice instead of a failed SQL statement.
 */
async function checkMayMigrate(store: Postgres, migrations: readonly string[]): Promise<void> {
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

/**
 * Migrations of the schema of a team's database, one entry per version. Entries are only appended: entry n takes a
 * database from version n to n + 1.
 */
export const MIGRATIONS: readonly string[] = [
  INDEX_TABLES,
  RUN_TABLES,
  JOB_TABLES,
  ACCESS_RULES,
  VECTOR_TABLES,
  QUEUE_LIBRARY_ENTRIES,
  DROP_QUEUE_LIBRARY,
  OWNERSHIP,
  USE_COLUMN,
  CHOICE,
  PARTITIONS,
  ANSWERS,
  OBJECTS,
  VALUE_CHECKS,
  CHEAPER_CLAIMS,
  NAMED_WORKERS,
  NEIGHBOUR_RULES,
  ANNOUNCEMENTS,
];
