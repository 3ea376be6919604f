import { ownersFunction } from "./define-function.ts";

/** The condition that worker `w` is connected, as in lease-functions.ts. */
const CONNECTED = "w.kind = 'worker' AND NOT w.draining AND w.seen_at + w.lease_ms * interval '1 ms' > now()";
/** The condition that the caller holds the attempt, which also locks the job, as in lease-functions.ts. */
const HOLDS =
  "id = held_id AND token = held_token AND state = 'running' AND holder = pith.caller() FOR UPDATE";
/** A notification names at most this many workers, because PostgreSQL limits its size. */
const MAX_NAMED = 32;
const MAX_NAMES_BYTES = 7_000;

const ARGUMENTS = `new_id text, new_workspace text, new_command text, new_submitter text, new_labels text[],
  new_order text, new_needs jsonb, new_priority smallint, new_caches text[]`;

/**
 * A commit that notifies waits for all others that do, each until it is on disk, so the transactions that change a job
 * notify nobody. Their callers do, in a transaction of its own, which writes nothing and waits for no disk.
 */
const QUEUE = ownersFunction(
  `queue_job(${ARGUMENTS})`,
  "void",
  `DECLARE
    of_run record;
  BEGIN
    SELECT r.owner, r.family INTO of_run FROM pith.run r WHERE r.id = new_id;
    IF NOT FOUND THEN
      RAISE foreign_key_violation USING MESSAGE = format('there is no run %s', new_id);
    ELSIF of_run.owner <> pith.caller() AND NOT pith.is_owner() THEN
      RAISE insufficient_privilege USING MESSAGE = format('run %s belongs to %s', new_id, of_run.owner);
    END IF;
    -- A job gets its turn among those of its priority: one round after the submitter's last queued job, and not before
    -- the current round.
    INSERT INTO pith.job (id, workspace, command, submitter, labels, needs, priority, caches, owner, turn)
      VALUES (new_id, new_workspace, new_command, new_submitter, new_labels, new_needs, new_priority,
        array_append(new_caches, 'repository ' || of_run.family), of_run.owner, 1 + greatest(
          (SELECT max(turn) FROM pith.job WHERE state = 'running' AND priority = new_priority),
          (SELECT max(turn) FROM pith.job WHERE state = 'queued' AND submitter = new_submitter AND priority = new_priority),
          (SELECT min(turn) - 1 FROM pith.job WHERE state = 'queued' AND priority = new_priority), 0))
      ON CONFLICT (id) DO NOTHING;
    IF FOUND THEN
      INSERT INTO pith.job_order (job_id, owner, order_json) VALUES (new_id, of_run.owner, new_order);
    END IF;
  END`,
);

/**
 * Tells free workers of a queued job, those with its caches first: one for each queued job and one more, in case the first
 * has just become busy. The others look later. If there are too many to name, it is for all. Nobody is told if no worker
 * is free: one that becomes free after this looks for jobs itself and finds this one, because it is committed already.
 */
const ANNOUNCE = ownersFunction(
  "announce_job(queued_id text)",
  "void",
  `DECLARE
    job pith.job%ROWTYPE;
    named text[];
  BEGIN
    SELECT * INTO job FROM pith.job WHERE id = queued_id AND state = 'queued';
    IF NOT FOUND OR job.owner <> pith.caller() AND NOT pith.is_owner() THEN
      RETURN;
    END IF;
    named := ARRAY(SELECT w.id FROM pith.worker w
      LEFT JOIN (SELECT r.worker, count(*) AS jobs FROM pith.job r WHERE r.state = 'running' GROUP BY r.worker) AS busy
        ON busy.worker = w.id
      LEFT JOIN (SELECT c.worker, count(*) AS warm FROM pith.worker_cache c WHERE c.key = ANY (job.caches)
        GROUP BY c.worker) AS cached ON cached.worker = w.id
      WHERE ${CONNECTED} AND job.labels <@ w.labels AND (job.needs = '[]' OR pith.meets(w.facts, job.needs))
        AND coalesce(busy.jobs, 0) < w.slots
      ORDER BY coalesce(cached.warm, 0) DESC, random()
      LIMIT least(${MAX_NAMED} + 1, 1 + (SELECT count(*) FROM pith.job WHERE state = 'queued')));
    IF cardinality(named) = 0 THEN
      RETURN;
    ELSIF cardinality(named) <= ${MAX_NAMED} AND octet_length(to_json(named)::text) < ${MAX_NAMES_BYTES} THEN
      PERFORM pg_notify('pith_pool', json_build_object('kind', 'queued', 'for', named)::text);
    ELSE
      PERFORM pg_notify('pith_pool', '{"kind":"queued"}');
    END IF;
  END`,
);

/** Ends a job as before, but tells nobody. */
const CLOSE = ownersFunction(
  "close_job(ended_id text, new_end text, new_log text, new_findings text)",
  "void",
  `BEGIN
    UPDATE pith.job SET state = 'ended', ended_at = now(), lease_until = NULL,
      end_json = new_end, log_json = new_log, findings_json = new_findings WHERE id = ended_id;
    DELETE FROM pith.job_order WHERE job_id = ended_id;
  END`,
);

/** The few jobs that end otherwise than by their worker's result are still announced by whoever ends them. */
const END = ownersFunction(
  "end_job(ended_id text, new_end text, new_log text, new_findings text)",
  "void",
  `BEGIN
    PERFORM pith.close_job(ended_id, new_end, new_log, new_findings);
    PERFORM pg_notify('pith_pool', json_build_object('kind', 'ended', 'id', ended_id)::text);
  END`,
);

const FINISH = ownersFunction(
  "finish_job(held_id text, held_token integer, new_end text, new_log text, new_findings text)",
  "boolean",
  `BEGIN
    PERFORM 1 FROM pith.job WHERE ${HOLDS};
    IF NOT FOUND THEN
      RETURN EXISTS (SELECT FROM pith.job_attempt a JOIN pith.job j ON j.id = a.job_id
        WHERE a.job_id = held_id AND a.token = held_token AND a.outcome = 'won' AND j.holder = pith.caller());
    END IF;
    UPDATE pith.job_attempt SET outcome = 'won', ended_at = now() WHERE job_id = held_id AND token = held_token;
    PERFORM pith.close_job(held_id, new_end, new_log, new_findings);
    RETURN true;
  END`,
);

/** Migration to schema 18: jobs are announced after the commit that queues or ends them. */
export const ANNOUNCEMENTS = [
  "DROP FUNCTION pith.queue_job, pith.end_job, pith.finish_job;",
  QUEUE,
  ANNOUNCE,
  CLOSE,
  END,
  FINISH,
].join("\n");
