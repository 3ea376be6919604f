import type { Queries } from "./database.ts";

/** The roles of a team store. Logins are made members of one of them. */
const ROLES = ["reader", "developer", "worker"] as const;
type Role = (typeof ROLES)[number];

const READ = "SELECT";
const WRITE = "SELECT, INSERT, UPDATE, DELETE";

/**
 * What each role may do with each table; a table that is not named for a role is closed to it. A reader sees index,
 * runs and jobs, and no packs: they hold files that nobody has committed. A worker sees the jobs and the packs they
 * run on, and nothing of the index or of other runs.
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

/** Made only where the database has pgvector. */
const POINT_RIGHTS = [
  "DO $$ BEGIN",
  "  IF to_regclass('pith.vector_point') IS NOT NULL THEN",
  `    GRANT ${READ} ON pith.vector_point TO pith_reader;`,
  `    GRANT ${WRITE} ON pith.vector_point TO pith_developer;`,
  "  END IF;",
  "END $$;",
];

/** SQL that makes the roles and gives them their rights. It may be run again at any time, and is after an upgrade. */
export function rolesSql(): string {
  const names = ROLES.map((role) => `pith_${role}`);
  return [
    "-- Roles of a Pith store. Run it in the store's database with the role that owns the schema pith.",
    "-- A login is made with: CREATE ROLE ada LOGIN PASSWORD '...' IN ROLE pith_developer;",
    // At once: a server that works meanwhile must not meet a role without its rights.
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

/** Whether all roles of a store have been made. */
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
