import { ownersFunction } from "./define-function.ts";

/** Functions for attempts that end without a result; only `reap_jobs` is called from outside. */
export const RETURN_FUNCTIONS = [
  // Describes how much output an attempt had written when it was lost, and the start of its last line.
  ownersFunction(
    "written_by(attempt_of text, attempt_token integer)",
    "text",
    `DECLARE
      chunk record;
      output text;
    BEGIN
      SELECT stdout_before + stderr_before + lines AS lines, bytes INTO chunk FROM pith.job_log
        WHERE job_id = attempt_of AND token = attempt_token ORDER BY seq DESC LIMIT 1;
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
  // How a job ends after its last attempt failed; NULL if it is to be tried again. Three stalls (the worker missed its
  // lease but came back) count like one death of a worker, so that a job whose workers keep stalling is not retried
  // for ever.
  ownersFunction(
    "ending_after_failure(failed_id text, max_attempts integer)",
    "text",
    `DECLARE
      failures record;
    BEGIN
      IF (SELECT cancel_requested FROM pith.job WHERE id = failed_id) THEN
        RETURN json_build_object('cause', 'cancelled',
          'detail', 'Its worker was lost before it could be stopped.')::text;
      END IF;
      SELECT count(*) AS every, count(*) FILTER (WHERE outcome = 'lost') AS deaths,
        string_agg(format('attempt %s: %s', token, seen), '. ' ORDER BY token) AS list
        INTO failures FROM pith.job_attempt WHERE job_id = failed_id AND outcome IN ('lost', 'stalled');
      IF max_attempts IS NULL OR (failures.deaths < max_attempts AND failures.every < max_attempts * 3) THEN
        RETURN NULL;
      END IF;
      RETURN json_build_object('cause', 'worker_lost', 'detail',
        format('%s workers were lost while running it. %s', failures.every, failures.list))::text;
    END`,
  ),
  // Records how an attempt failed and puts its job back into the queue, or ends the job if it must not be retried.
  ownersFunction(
    "return_job(failed_id text, failed_token integer, new_outcome text, reason text, max_attempts integer)",
    "void",
    `DECLARE
      ending text;
    BEGIN
      UPDATE pith.job_attempt SET outcome = new_outcome, ended_at = now(),
        seen = reason || '; ' || pith.written_by(failed_id, failed_token)
        WHERE job_id = failed_id AND token = failed_token AND outcome IS NULL;
      ending := pith.ending_after_failure(failed_id, max_attempts);
      UPDATE pith.job SET lease_until = NULL, session = NULL, holder = NULL,
        state = CASE WHEN ending IS NULL THEN 'queued' ELSE state END WHERE id = failed_id;
      IF ending IS NULL THEN
        PERFORM pg_notify('pith_pool', '{"kind":"queued"}');
      ELSE
        PERFORM pith.end_job(failed_id, ending, NULL, NULL);
      END IF;
    END`,
  ),
  // Takes jobs away from workers whose lease expired; a developer's server does so for its own jobs. After a restart of
  // the database, every worker gets the time of one lease to reconnect, because none could send heartbeats meanwhile.
  ownersFunction(
    "reap_jobs(max_attempts integer)",
    "void",
    `DECLARE
      takes_all boolean;
      expired record;
    BEGIN
      IF NOT EXISTS (SELECT FROM pith.job WHERE state = 'running' AND lease_until < now()) THEN
        RETURN;
      END IF;
      takes_all := pith.is_worker();
      FOR expired IN SELECT id, token, worker,
          round(extract(epoch FROM now() - lease_until)::numeric + lease_ms / 1000.0, 1) AS silent
          FROM pith.job WHERE state = 'running' AND lease_until < now() AND (takes_all OR owner = pith.caller())
            AND pg_postmaster_start_time() + lease_ms * interval '1 ms' < now()
          ORDER BY seq LIMIT 100 FOR UPDATE SKIP LOCKED LOOP
        PERFORM pith.return_job(expired.id, expired.token, 'lost',
          format('worker %s sent no heartbeat for %s s', expired.worker, expired.silent), max_attempts);
      END LOOP;
    END`,
  ),
].join("\n");
