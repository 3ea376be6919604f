import { CALLERS } from "./callers.ts";
import { JOB_FUNCTIONS } from "./job-functions.ts";
import { LEASE_FUNCTIONS } from "./lease-functions.ts";
import { PACK_FUNCTIONS } from "./pack-functions.ts";
import { RECORD_FUNCTIONS } from "./record-functions.ts";
import { RUN_FUNCTIONS } from "./run-functions.ts";

/**
 * The specification of a job, with the arguments and variables that may hold secrets, moves to a table of its own, which
 * only its submitter and the worker that holds its lease may read. The row is deleted when the job ends.
 */
const OWNERS = `
  ALTER TABLE pith.job ADD COLUMN owner text NOT NULL DEFAULT '', ADD COLUMN holder text;
  UPDATE pith.job j SET owner = r.owner FROM pith.run r WHERE r.id = j.id;
  CREATE TABLE pith.job_order (
    job_id text PRIMARY KEY REFERENCES pith.job (id) ON DELETE CASCADE,
    owner text NOT NULL,
    order_json text NOT NULL
  );
  INSERT INTO pith.job_order (job_id, owner, order_json)
    SELECT id, owner, order_json FROM pith.job WHERE state <> 'ended';
  ALTER TABLE pith.job DROP COLUMN order_json;

  -- Workers register again with their next heartbeat.
  DELETE FROM pith.worker;
  ALTER TABLE pith.worker ADD COLUMN owner text NOT NULL;
  ALTER TABLE pith.pack ADD COLUMN owner text NOT NULL DEFAULT current_user;
  -- Records of earlier versions belong to nobody: they stay as they are until nobody uses them any more.
  ALTER TABLE pith.record ADD COLUMN owner text NOT NULL DEFAULT '';
`;

/** The condition that a row was written by this login: an origin is a data folder and the login that uses it. */
const OWN_ORIGIN = "right(origin, length(current_user) + 1) = '/' || current_user";
const OWN_PACK =
  "EXISTS (SELECT FROM pith.pack p WHERE p.commit_id = pack_part.commit_id AND p.owner = current_user)";

/**
 * Row-level rules. Tables that only functions write have a rule for reading and none for writing; a table's owner is
 * exempt from its rules, and so are the functions.
 */
const RULES = [
  ...["job", "job_attempt", "job_log", "worker", "record"].map((table) => readable(table, "true")),
  readable(
    "job_order",
    `owner = current_user OR EXISTS (SELECT FROM pith.job j
       WHERE j.id = job_order.job_id AND j.state = 'running' AND j.holder = current_user AND j.lease_until > now())`,
  ),
  // The files of a snapshot may be uncommitted; those of a commit are shared, so that they are sent once.
  readable("pack", "owner = current_user OR is_base OR (SELECT pith.is_worker())"),
  "CREATE POLICY pack_add ON pith.pack FOR INSERT WITH CHECK (owner = current_user);",
  readable("pack_part", "EXISTS (SELECT FROM pith.pack p WHERE p.commit_id = pack_part.commit_id)"),
  `CREATE POLICY pack_part_add ON pith.pack_part FOR INSERT WITH CHECK (${OWN_PACK});`,
  readable("removed_run", "true"),
  "CREATE POLICY removed_run_remove ON pith.removed_run FOR DELETE USING (removed_at < now() - interval '90 days');",
  // The end of a run in the pool is now recorded by a function, so nobody else may update the run.
  `DROP POLICY run_change ON pith.run;
   CREATE POLICY run_change ON pith.run FOR UPDATE USING (owner = current_user) WITH CHECK (owner = current_user AND ${OWN_ORIGIN});
   DROP POLICY run_add ON pith.run;
   CREATE POLICY run_add ON pith.run FOR INSERT WITH CHECK (owner = current_user AND ${OWN_ORIGIN});`,
  `DROP POLICY project_add ON pith.project;
   CREATE POLICY project_add ON pith.project FOR INSERT WITH CHECK (owner = current_user AND ${OWN_ORIGIN});`,
  readable("index_job", "true"),
  `CREATE POLICY index_job_write ON pith.index_job FOR ALL USING (${OWN_ORIGIN});`,
];

function readable(table: string, condition: string): string {
  return `
    ALTER TABLE pith.${table} ENABLE ROW LEVEL SECURITY;
    CREATE POLICY ${table}_read ON pith.${table} FOR SELECT USING (${condition});`;
}

/** Migration to schema 8: rows of the team's store have owners, and shared rows are written by checking functions. */
export const OWNERSHIP = [
  OWNERS,
  CALLERS,
  ...RULES,
  JOB_FUNCTIONS,
  LEASE_FUNCTIONS,
  RUN_FUNCTIONS,
  PACK_FUNCTIONS,
  RECORD_FUNCTIONS,
].join("\n");
