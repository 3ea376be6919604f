import type { Queries } from "./database.ts";

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
  record: { reader: READ, developer: READ },
  project: { reader: READ, developer: WRITE },
  manifest: { reader: READ, developer: WRITE },
  manifest_entry: { reader: READ, developer: WRITE },
  image: { reader: READ, developer: WRITE },
  upkeep: { reader: READ, developer: "SELECT, INSERT, UPDATE" },
  slice: { reader: READ, developer: WRITE },
  vector_space: { reader: READ, developer: WRITE },
  vector: { reader: READ, developer: WRITE },
  vector_claim: { reader: READ, developer: WRITE },
  index_job: { reader: READ, developer: WRITE },
  run: { reader: READ, developer: WRITE },
  run_id: { reader: READ, developer: READ },
  retention: { reader: READ, developer: READ, worker: READ },
  period: { reader: READ, developer: READ, worker: READ },
  run_log: { reader: READ, developer: WRITE },
  job: { reader: READ, developer: READ, worker: READ },
  job_attempt: { reader: READ, developer: READ, worker: READ },
  job_log: { reader: READ, developer: READ, worker: READ },
  job_order: { developer: READ, worker: READ },
  worker: { reader: READ, developer: READ, worker: READ },
  worker_cache: {},
  check_answer: {},
  pack: { developer: "SELECT, INSERT", worker: READ },
  object: { reader: READ, developer: READ, worker: READ },
  pack_part: { developer: "SELECT, INSERT", worker: READ },
};

/**
 * The roles that may call each function of the database; a function that is not listed is called only by others. They
 * write the rows of the pool and of the index, and check who calls them.
 */
export const FUNCTION_RIGHTS: Readonly<Record<string, readonly Role[]>> = {
  caller: ROLES,
  is_owner: ROLES,
  is_worker: ROLES,
  meets: ROLES,
  submit_job: ["developer"],
  announce_job: ["developer"],
  cancel_job: ["developer"],
  register_worker: ["developer", "worker"],
  unregister_worker: ["developer", "worker"],
  claim_jobs: ["developer", "worker"],
  renew_leases: ["developer", "worker"],
  append_log: ["developer", "worker"],
  find_answer: ["developer", "worker"],
  keep_answer: ["developer", "worker"],
  finish_job: ["developer", "worker"],
  release_job: ["developer", "worker"],
  disown_jobs: ["developer", "worker"],
  reap_jobs: ["developer", "worker"],
  end_pool_run: ["developer"],
  maintain_store: ["developer", "worker"],
  use_packs: ["developer", "worker"],
  newest_base: ["developer"],
  remove_unused_packs: ["developer"],
  add_object: ["developer", "worker"],
  unused_objects: ["developer"],
  forget_objects: ["developer"],
  put_records: ["developer"],
  use_records: ["developer"],
  sweep_records: ["developer"],
  remove_records: ["developer"],
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

/** Returns SQL that grants the roles their privileges, and takes every other one. */
export function grants(): string[] {
  const names = ROLES.map((role) => `pith_${role}`);
  return [
    `REVOKE ALL ON SCHEMA pith FROM PUBLIC;`,
    ...["PUBLIC", ...names].flatMap((name) => [
      `REVOKE ALL ON ALL TABLES IN SCHEMA pith FROM ${name};`,
      `REVOKE ALL ON ALL FUNCTIONS IN SCHEMA pith FROM ${name};`,
    ]),
    `GRANT USAGE ON SCHEMA pith TO ${names.join(", ")};`,
    ...ROLES.flatMap((role) =>
      Object.entries(TABLE_RIGHTS).flatMap(([table, rights]) =>
        rights[role] === undefined ? [] : [`GRANT ${rights[role]} ON pith.${table} TO pith_${role};`],
      ),
    ),
    ...Object.entries(FUNCTION_RIGHTS).map(
      ([name, roles]) =>
        `GRANT EXECUTE ON FUNCTION pith.${name} TO ${roles.map((role) => `pith_${role}`).join(", ")};`,
    ),
    ...POINT_RIGHTS,
  ];
}
