import { PithError } from "../../kernel/errors.ts";
import { textOf } from "../rows/values.ts";
import type { Postgres, Queries } from "./database.ts";
import { MIGRATION_LOCK } from "./migrate.ts";

/** The database roles of a team's store; each login is made a member of one of them. */
const ROLES = ["reader", "developer", "worker"] as const;
type Role = (typeof ROLES)[number];

const READ = "SELECT";
const WRITE = "SELECT, INSERT, UPDATE, DELETE";

/**
 * The privileges of each role per table; a role cannot access a table that is not listed for it. A reader sees the
 * index, runs and jobs, but no packs (the files that jobs need), because they hold uncommitted work. A worker sees the
 * jobs and their packs, and nothing of the index or of other runs.
 */
export const TABLE_RIGHTS: Readonly<Record<string, Readonly<Partial<Record<Role, string>>>>> = {
  migration: { reader: READ, developer: READ, worker: READ },
  record: { reader: READ, developer: WRITE },
  project: { reader: READ, developer: WRITE },
  manifest: { reader: READ, developer: WRITE },
  manifest_entry: { reader: READ, developer: WRITE },
  image: { reader: READ, developer: WRITE },
  upkeep: { reader: READ, developer: WRITE },
  slice: { reader: READ, developer: WRITE },
  vector_space: { reader: READ, developer: WRITE },
  vector: { reader: READ, developer: WRITE },
  vector_claim: { reader: READ, developer: WRITE },
  index_job: { reader: READ, developer: WRITE },
  run: { reader: READ, developer: WRITE },
  removed_run: { reader: READ, developer: WRITE },
  run_log: { reader: READ, developer: WRITE },
  job: { reader: READ, developer: WRITE, worker: "SELECT, UPDATE" },
  job_attempt: { reader: READ, developer: WRITE, worker: "SELECT, INSERT, UPDATE" },
  job_log: { reader: READ, developer: WRITE, worker: "SELECT, INSERT" },
  worker: { reader: READ, developer: WRITE, worker: WRITE },
  pack: { developer: WRITE, worker: "SELECT, UPDATE" },
  pack_part: { developer: WRITE, worker: READ },
};

/** SQL that grants rights to the table of vectors for pgvector, which exists only if that extension is installed. */
const POINT_RIGHTS = [
  "DO $$ BEGIN",
  "  IF to_regclass('pith.vector_point') IS NOT NULL THEN",
  `    GRANT ${READ} ON pith.vector_point TO pith_reader;`,
  `    GRANT ${WRITE} ON pith.vector_point TO pith_developer;`,
  "  END IF;",
  "END $$;",
];

/** Returns SQL that creates the roles and grants their privileges. It can be run again at any time, for example after an upgrade. */
export function rolesSql(): string {
  const names = ROLES.map((role) => `pith_${role}`);
  return [
    "-- Roles of a Pith store. Run it in the store's database with the role that owns the schema pith.",
    "-- A login is made with: CREATE ROLE ada LOGIN PASSWORD '...' IN ROLE pith_developer;",
    // The SQL is one transaction, so that a server that is working meanwhile never sees a role without its privileges.
    "BEGIN;",
    "DO $$ DECLARE name text; BEGIN",
    `  FOREACH name IN ARRAY ARRAY[${names.map((name) => `'${name}'`).join(", ")}] LOOP`,
    "    IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = name) THEN",
    "      BEGIN",
    "        EXECUTE format('CREATE ROLE %I NOLOGIN', name);",
    "      EXCEPTION WHEN duplicate_object OR unique_violation THEN NULL;",
    "      END;",
    "    END IF;",
    "  END LOOP;",
    "END $$;",
    ...grants(),
    ...POINT_RIGHTS,
    "COMMIT;",
    "",
  ].join("\n");
}

/** Returns whether the database has all roles that Pith defines. */
export async function hasRoles(queries: Queries): Promise<boolean> {
  const names = ROLES.map((role) => `pith_${role}`);
  const rows = await queries.query("SELECT 1 FROM pg_roles WHERE rolname = ANY($1)", [names]);
  return rows.length === names.length;
}

function grants(): string[] {
  const names = ROLES.map((role) => `pith_${role}`);
  return [
    `REVOKE ALL ON SCHEMA pith FROM PUBLIC;`,
    ...["PUBLIC", ...names].map((name) => `REVOKE ALL ON ALL TABLES IN SCHEMA pith FROM ${name};`),
    `GRANT USAGE ON SCHEMA pith TO ${names.join(", ")};`,
    ...ROLES.flatMap((role) =>
      Object.entries(TABLE_RIGHTS).flatMap(([table, rights]) =>
        rights[role] === undefined ? [] : [`GRANT ${rights[role]} ON pith.${table} TO pith_${role};`],
      ),
    ),
  ];
}

/** What the connected user may do in the database, derived from its privileges. */
export type StoreRole = "owner" | "developer" | "reader" | "worker" | "none";

/** Returns the connected user and its role. The privileges decide, not the user's name. */
export async function roleOf(queries: Queries): Promise<{ readonly user: string; readonly role: StoreRole }> {
  const [row] = await queries.query(
    `SELECT current_user AS user, pg_has_role((SELECT nspowner FROM pg_namespace WHERE nspname = 'pith'), 'MEMBER') AS owner,
       has_table_privilege('pith.manifest', 'INSERT') AS developer,
       has_table_privilege('pith.record', 'SELECT') AS reader,
       has_table_privilege('pith.job', 'UPDATE') AS worker`,
  );
  const roles = ["owner", "developer", "reader", "worker"] as const;
  return { user: textOf(row?.["user"]), role: roles.find((role) => row?.[role] === true) ?? "none" };
}

/**
 * Creates missing roles and grants their privileges. The login must own the schema, and needs CREATEROLE if roles are
 * missing.
 */
export async function grantRights(store: Postgres): Promise<void> {
  const { user, role } = await roleOf(store);
  // Without this check, PostgreSQL would only warn about grants by a user that does not own the tables.
  if (role !== "owner") throw notAllowed(`${user} does not own the schema pith`);
  try {
    await store.transaction(async (queries) => {
      // Concurrent grants on the same tables fail, so this transaction takes the same lock as a migration.
      await queries.query("SELECT pg_advisory_xact_lock($1)", [MIGRATION_LOCK]);
      await queries.query(rolesSql());
    });
  } catch (error) {
    if (error instanceof PithError && error.code === "permission_denied") throw notAllowed(error.message);
    throw error;
  }
}

function notAllowed(reason: string): PithError {
  return new PithError("permission_denied", reason, {
    suggestion:
      "Connect as the owner, with CREATEROLE, or let an administrator run what pith store roles prints in the database.",
  });
}
