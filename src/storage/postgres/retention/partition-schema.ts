import { ownersFunction } from "../ownership/define-function.ts";
import { MAINTENANCE_FUNCTIONS } from "./maintenance-functions.ts";

/**
 * The tables that are partitioned by the time at which a row was stored, which the database's clock decides. All three
 * have partitions for the same periods, whose names end alike.
 */
const PREPARE = `
  CREATE TABLE pith.retention (
    only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row),
    keep_days integer NOT NULL DEFAULT 14 CHECK (keep_days BETWEEN 1 AND 3650),
    tried_at timestamptz NOT NULL DEFAULT '-infinity'
  );
  INSERT INTO pith.retention DEFAULT VALUES;
  CREATE TABLE pith.period (
    from_time timestamptz PRIMARY KEY,
    to_time timestamptz NOT NULL,
    suffix text NOT NULL UNIQUE
  );
  -- Rows of before the migration, and those of the rest of today.
  INSERT INTO pith.period VALUES ('-infinity', date_trunc('day', now()) + interval '1 day', 'p0');

  -- A unique index of a partitioned table must contain the time, so ids are unique by this table. It keeps the ids of
  -- removed runs for a while, to distinguish "removed" from "unknown".
  CREATE TABLE pith.run_id (
    id text PRIMARY KEY,
    stored_at timestamptz NOT NULL
  );
  INSERT INTO pith.run_id SELECT id, now() FROM pith.run;
  INSERT INTO pith.run_id SELECT id, removed_at FROM pith.removed_run ON CONFLICT DO NOTHING;
  CREATE INDEX run_id_age ON pith.run_id USING brin (stored_at);
  DROP TRIGGER remember_removed ON pith.run;
  DROP FUNCTION pith.remember_removed_run;
  DROP TABLE pith.removed_run;

  CREATE SEQUENCE pith.run_seq;
  SELECT setval('pith.run_seq', coalesce((SELECT max(seq) FROM pith.run), 0) + 1, false);
  -- A constraint that references a partitioned table would make its partitions impossible to drop.
  ALTER TABLE pith.job DROP CONSTRAINT job_id_fkey, ADD COLUMN stored_at timestamptz NOT NULL DEFAULT now();
  DROP POLICY run_log_add ON pith.run_log;
  DROP POLICY run_log_change ON pith.run_log;
  DROP POLICY run_log_remove ON pith.run_log;
  ALTER TABLE pith.run_log DROP CONSTRAINT run_log_run_id_fkey;
  ALTER TABLE pith.job_log DROP CONSTRAINT job_log_job_id_fkey;
  ALTER TABLE pith.run DROP CONSTRAINT run_pkey, DROP CONSTRAINT run_id_key, ALTER COLUMN seq DROP IDENTITY;
  ALTER TABLE pith.run_log DROP CONSTRAINT run_log_pkey;
  ALTER TABLE pith.job_log DROP CONSTRAINT job_log_pkey;
  -- Only the removal of single runs used these.
  DROP INDEX pith.run_by_workspace, pith.run_running;
  ALTER INDEX pith.run_by_family RENAME TO run_p0_by_family;
  ALTER INDEX pith.run_by_key RENAME TO run_p0_by_key;
  DROP POLICY run_read ON pith.run;
  DROP POLICY run_add ON pith.run;
  DROP POLICY run_change ON pith.run;
  DROP POLICY run_remove ON pith.run;
  DROP POLICY run_log_read ON pith.run_log;
  DROP POLICY job_log_read ON pith.job_log;
`;

/**
 * Returns SQL that makes a table the first partition of a new table with its name. No row is moved: the new column has
 * a constant value that is stored once, and the partition only gets its new primary key.
 */
function partition(table: string, primaryKey: string): string {
  return `
    ALTER TABLE pith.${table} ADD COLUMN stored_at timestamptz NOT NULL DEFAULT now();
    ALTER TABLE pith.${table} RENAME TO ${table}_p0;
    CREATE TABLE pith.${table} (LIKE pith.${table}_p0 INCLUDING DEFAULTS INCLUDING CONSTRAINTS)
      PARTITION BY RANGE (stored_at);
    ALTER TABLE pith.${table} ADD PRIMARY KEY (${primaryKey}, stored_at);
    ALTER TABLE pith.${table} ENABLE ROW LEVEL SECURITY;`;
}

const ATTACH = `
  CREATE INDEX run_by_family ON pith.run (family, seq);
  CREATE INDEX run_by_key ON pith.run (origin, key, seq);
  DO $$ DECLARE name text; BEGIN
    FOREACH name IN ARRAY ARRAY['run', 'run_log', 'job_log'] LOOP
      EXECUTE format('ALTER TABLE pith.%I ATTACH PARTITION pith.%I FOR VALUES FROM (MINVALUE) TO (%L)',
        name, name || '_p0', (SELECT to_time FROM pith.period));
    END LOOP;
  END $$;
`;

/** The condition that a row was written by this login, as in ownership/schema.ts. */
const OWN_ORIGIN = "right(origin, length(current_user) + 1) = '/' || current_user";
const OWN_RUN = `EXISTS (SELECT FROM pith.run r
  WHERE r.id = run_log.run_id AND r.stored_at = run_log.stored_at AND r.owner = current_user)`;

/**
 * The row-level rules of a partitioned table hold for all statements that name it. A statement that names a partition
 * is refused to everybody but the owner, because partitions have row-level security and no rule.
 */
const RULES = `
  CREATE POLICY run_read ON pith.run FOR SELECT USING (true);
  CREATE POLICY run_add ON pith.run FOR INSERT WITH CHECK (owner = current_user AND ${OWN_ORIGIN});
  CREATE POLICY run_change ON pith.run FOR UPDATE USING (owner = current_user)
    WITH CHECK (owner = current_user AND ${OWN_ORIGIN});
  CREATE POLICY run_remove ON pith.run FOR DELETE USING (owner = current_user);
  CREATE POLICY run_log_read ON pith.run_log FOR SELECT USING (true);
  CREATE POLICY run_log_add ON pith.run_log FOR INSERT WITH CHECK (${OWN_RUN});
  CREATE POLICY run_log_change ON pith.run_log FOR UPDATE USING (${OWN_RUN});
  CREATE POLICY run_log_remove ON pith.run_log FOR DELETE USING (${OWN_RUN});
  CREATE POLICY job_log_read ON pith.job_log FOR SELECT USING (true);
  ALTER TABLE pith.run_id ENABLE ROW LEVEL SECURITY;
  CREATE POLICY run_id_read ON pith.run_id FOR SELECT USING (true);
  ALTER TABLE pith.retention ENABLE ROW LEVEL SECURITY;
  CREATE POLICY retention_read ON pith.retention FOR SELECT USING (true);
  ALTER TABLE pith.period ENABLE ROW LEVEL SECURITY;
  CREATE POLICY period_read ON pith.period FOR SELECT USING (true);
`;

const RUN_TRIGGERS = [
  // Numbers a new run and reserves its id. A run whose id is already in use is not inserted, without an error.
  ownersFunction(
    "reserve_run_id()",
    "trigger",
    `BEGIN
      NEW.seq := nextval('pith.run_seq');
      INSERT INTO pith.run_id (id, stored_at) VALUES (NEW.id, NEW.stored_at) ON CONFLICT DO NOTHING;
      IF NOT FOUND THEN
        RETURN NULL;
      END IF;
      RETURN NEW;
    END`,
  ),
  "CREATE TRIGGER reserve_id BEFORE INSERT ON pith.run FOR EACH ROW EXECUTE FUNCTION pith.reserve_run_id();",
  // Removes what belongs to a run that is deleted on its own; what is older than the retention goes with its partition.
  ownersFunction(
    "remove_parts_of_run()",
    "trigger",
    `DECLARE
      job_stored_at timestamptz;
    BEGIN
      DELETE FROM pith.run_log WHERE run_id = OLD.id AND stored_at = OLD.stored_at;
      DELETE FROM pith.job WHERE id = OLD.id RETURNING stored_at INTO job_stored_at;
      IF FOUND THEN
        DELETE FROM pith.job_log WHERE job_id = OLD.id AND stored_at = job_stored_at;
      END IF;
      RETURN NULL;
    END`,
  ),
  "CREATE TRIGGER remove_parts AFTER DELETE ON pith.run FOR EACH ROW EXECUTE FUNCTION pith.remove_parts_of_run();",
];

/** Functions of earlier versions that now name the partition, so that PostgreSQL looks only into that one. */
const REPLACED = [
  "DROP FUNCTION pith.append_log;",
  ownersFunction(
    `append_log(held_id text, held_token integer, seqs integer[], streams text[], line_counts bigint[],
      stdouts_before bigint[], stderrs_before bigint[], all_before bigint[], first_lines_in integer[], contents bytea[])`,
    "boolean",
    `DECLARE
      job_stored_at timestamptz;
    BEGIN
      SELECT stored_at INTO job_stored_at FROM pith.job
        WHERE id = held_id AND token = held_token AND state = 'running' AND holder = pith.caller() FOR UPDATE;
      IF NOT FOUND THEN
        RETURN false;
      END IF;
      INSERT INTO pith.job_log
        (job_id, token, seq, stream, lines, stdout_before, stderr_before, bytes_before, first_line_in, bytes, stored_at)
        SELECT held_id, held_token, c.*, job_stored_at FROM unnest(seqs, streams, line_counts, stdouts_before,
          stderrs_before, all_before, first_lines_in, contents) AS c
        ON CONFLICT DO NOTHING;
      RETURN true;
    END`,
  ),
  "DROP FUNCTION pith.written_by;",
  ownersFunction(
    "written_by(attempt_of text, attempt_token integer)",
    "text",
    `DECLARE
      job_stored_at timestamptz := (SELECT stored_at FROM pith.job WHERE id = attempt_of);
      chunk record;
      output text;
    BEGIN
      SELECT stdout_before + stderr_before + lines AS lines, bytes INTO chunk FROM pith.job_log
        WHERE job_id = attempt_of AND token = attempt_token AND stored_at = job_stored_at ORDER BY seq DESC LIMIT 1;
      IF NOT FOUND THEN
        RETURN 'it had written nothing';
      END IF;
      BEGIN
        output := convert_from(chunk.bytes, 'UTF8');
      EXCEPTION WHEN character_not_in_repertoire OR untranslatable_character THEN
        output := encode(chunk.bytes, 'escape');
      END;
      output := rtrim(output, E' \\t\\r\\n');
      RETURN format('it had written %s lines, the last: %s', chunk.lines, left(split_part(output, chr(10), -1), 120));
    END`,
  ),
  "DROP FUNCTION pith.end_pool_run;",
  ownersFunction(
    "end_pool_run(of_run text)",
    "boolean",
    `DECLARE
      run_stored_at timestamptz := (SELECT stored_at FROM pith.run_id WHERE id = of_run);
    BEGIN
      UPDATE pith.run r SET ended_at = round(extract(epoch FROM j.ended_at) * 1000)::bigint,
        cause = j.end_json::json ->> 'cause', end_json = j.end_json, findings_json = j.findings_json,
        lines = coalesce((j.log_json::json ->> 'lines')::bigint, 0),
        stdout_lines = coalesce((j.log_json::json ->> 'stdoutLines')::bigint, 0),
        stderr_lines = coalesce((j.log_json::json ->> 'stderrLines')::bigint, 0),
        bytes = coalesce((j.log_json::json ->> 'bytes')::bigint, 0)
        FROM pith.job j WHERE r.id = of_run AND r.stored_at = run_stored_at AND j.id = of_run AND j.state = 'ended'
          AND r.ended_at IS NULL;
      RETURN EXISTS (SELECT FROM pith.job WHERE id = of_run);
    END`,
  ),
];

/** Migration to schema 11: runs and logs are partitioned by time, so that old ones are removed by dropping a table. */
export const PARTITIONS = [
  PREPARE,
  partition("run", "id"),
  partition("run_log", "run_id, token, seq"),
  partition("job_log", "job_id, token, seq"),
  ATTACH,
  RULES,
  ...RUN_TRIGGERS,
  ...REPLACED,
  MAINTENANCE_FUNCTIONS,
  "SELECT pith.maintain_store();",
].join("\n");
