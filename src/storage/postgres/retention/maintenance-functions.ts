import { ownersFunction } from "../ownership/define-function.ts";

/** How many jobs one call removes, so that it ends well before the timeout of a statement. */
const JOBS_PER_CALL = 20_000;
/** Another key than that of migrations, whose lock lasts longer. */
const MAINTENANCE_LOCK = 0x70697469;

/**
 * Functions that make partitions ahead and drop old ones. They run as the owner, so that every server and worker keeps
 * the store in order, and none needs the right to change tables.
 */
export const MAINTENANCE_FUNCTIONS = [
  // Makes the partitions of a period. Attaching a table, unlike creating it as a partition, blocks neither readers nor
  // writers.
  ownersFunction(
    "add_period(new_from timestamptz, new_to timestamptz)",
    "void",
    `DECLARE
      new_suffix text := 'p' || to_char(new_from AT TIME ZONE 'UTC', 'YYYYMMDDHH24');
      name text;
    BEGIN
      FOREACH name IN ARRAY ARRAY['run', 'run_log', 'job_log'] LOOP
        EXECUTE format('CREATE TABLE pith.%I (LIKE pith.%I INCLUDING DEFAULTS INCLUDING CONSTRAINTS)',
          name || '_' || new_suffix, name);
        EXECUTE format('ALTER TABLE pith.%I ENABLE ROW LEVEL SECURITY', name || '_' || new_suffix);
        EXECUTE format('ALTER TABLE pith.%I ATTACH PARTITION pith.%I FOR VALUES FROM (%L) TO (%L)',
          name, name || '_' || new_suffix, new_from, new_to);
      END LOOP;
      INSERT INTO pith.period (from_time, to_time, suffix) VALUES (new_from, new_to, new_suffix);
    END`,
  ),
  // Removes the jobs of a period, some at a time, and then drops its partitions. Returns whether there is more to do.
  // Dropping locks the tables against everybody, so jobs are removed before, and it gives up if it would have to wait.
  ownersFunction(
    "drop_period(expired pith.period)",
    "boolean",
    `DECLARE
      removed bigint;
    BEGIN
      WITH batch AS (SELECT id FROM pith.job WHERE stored_at < expired.to_time ORDER BY seq LIMIT ${JOBS_PER_CALL})
      DELETE FROM pith.job j USING batch WHERE j.id = batch.id;
      GET DIAGNOSTICS removed = ROW_COUNT;
      IF removed = ${JOBS_PER_CALL} THEN
        RETURN true;
      END IF;
      EXECUTE format('DROP TABLE IF EXISTS pith.%I, pith.%I, pith.%I',
        'run_' || expired.suffix, 'run_log_' || expired.suffix, 'job_log_' || expired.suffix);
      DELETE FROM pith.period WHERE from_time = expired.from_time;
      RETURN EXISTS (SELECT FROM pith.period p, pith.retention r WHERE p.to_time < now() - r.keep_days * interval '1 day');
    END`,
  ),
  // Makes partitions for the near future and drops one that is older than the retention. Returns whether there is more to
  // do at once. A period is a quarter of the retention, so there are about five to search, and rows live at most a quarter
  // longer than asked. A period with jobs that have not ended stays.
  ownersFunction(
    "maintain_store()",
    "boolean",
    `DECLARE
      rule pith.retention%ROWTYPE;
      length interval;
      last timestamptz;
      expired pith.period%ROWTYPE;
      is_more boolean := false;
    BEGIN
      SELECT * INTO rule FROM pith.retention;
      length := greatest(1, rule.keep_days / 4) * interval '1 day';
      SELECT max(to_time) INTO last FROM pith.period;
      SELECT * INTO expired FROM pith.period WHERE to_time < now() - rule.keep_days * interval '1 day'
        ORDER BY from_time LIMIT 1;
      IF last >= now() + 2 * length AND (expired IS NULL OR rule.tried_at > now() - interval '10 min') THEN
        RETURN false;
      ELSIF NOT pg_try_advisory_xact_lock(${MAINTENANCE_LOCK}) THEN
        RETURN false;
      END IF;
      -- The next statement sees what the last holder of the lock has done.
      SELECT max(to_time) INTO last FROM pith.period;
      last := greatest(last, date_trunc('day', now()));
      WHILE last < now() + 2 * length LOOP
        PERFORM pith.add_period(last, last + length);
        last := last + length;
      END LOOP;
      IF expired IS NULL OR NOT EXISTS (SELECT FROM pith.period WHERE from_time = expired.from_time)
          OR EXISTS (SELECT FROM pith.job WHERE state IN ('queued', 'running') AND stored_at < expired.to_time) THEN
        RETURN false;
      END IF;
      BEGIN
        PERFORM set_config('lock_timeout', '1s', true);
        is_more := pith.drop_period(expired);
        DELETE FROM pith.run_id WHERE stored_at < now() - (rule.keep_days + 90) * interval '1 day';
      EXCEPTION WHEN lock_not_available OR deadlock_detected THEN
        -- Somebody reads the tables for long, as a backup does: it is tried again later, not with every call.
        UPDATE pith.retention SET tried_at = now();
      END;
      RETURN is_more;
    END`,
  ),
].join("\n");
