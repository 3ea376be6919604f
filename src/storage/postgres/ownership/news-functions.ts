import { ownersFunction } from "./define-function.ts";

/** The condition that worker `w` is connected, as in lease-functions.ts. */
const CONNECTED = "w.kind = 'worker' AND NOT w.draining AND w.seen_at + w.lease_ms * interval '1 ms' > now()";
/** A notification names at most this many workers, because PostgreSQL limits its size. */
const MAX_NAMED = 32;
const MAX_NAMES_BYTES = 7_000;

/**
 * Submits a job as before, but the notification names free workers for it, those with its caches first: one for each
 * queued job and one more, in case the first has just become busy. The others look later. Without a free worker, or with
 * too many to name, it is for all; busy ones do not ask then.
 */
const SUBMIT = ownersFunction(
  `submit_job(new_id text, new_workspace text, new_command text, new_submitter text, new_labels text[], new_order text,
    new_needs jsonb, new_priority smallint, new_caches text[])`,
  "void",
  `DECLARE
    of_run record;
    all_caches text[];
    named text[];
  BEGIN
    SELECT r.owner, r.family INTO of_run FROM pith.run r WHERE r.id = new_id;
    IF NOT FOUND THEN
      RAISE foreign_key_violation USING MESSAGE = format('there is no run %s', new_id);
    ELSIF of_run.owner <> pith.caller() AND NOT pith.is_owner() THEN
      RAISE insufficient_privilege USING MESSAGE = format('run %s belongs to %s', new_id, of_run.owner);
    END IF;
    all_caches := array_append(new_caches, 'repository ' || of_run.family);
    -- A job gets its turn among those of its priority: one round after the submitter's last queued job, and not before
    -- the current round.
    INSERT INTO pith.job (id, workspace, command, submitter, labels, needs, priority, caches, owner, turn)
      VALUES (new_id, new_workspace, new_command, new_submitter, new_labels, new_needs, new_priority,
        all_caches, of_run.owner, 1 + greatest(
          (SELECT max(turn) FROM pith.job WHERE state = 'running' AND priority = new_priority),
          (SELECT max(turn) FROM pith.job WHERE state = 'queued' AND submitter = new_submitter AND priority = new_priority),
          (SELECT min(turn) - 1 FROM pith.job WHERE state = 'queued' AND priority = new_priority), 0))
      ON CONFLICT (id) DO NOTHING;
    IF NOT FOUND THEN
      RETURN;
    END IF;
    INSERT INTO pith.job_order (job_id, owner, order_json) VALUES (new_id, of_run.owner, new_order);
    named := ARRAY(SELECT w.id FROM pith.worker w
      LEFT JOIN (SELECT r.worker, count(*) AS jobs FROM pith.job r WHERE r.state = 'running' GROUP BY r.worker) AS busy
        ON busy.worker = w.id
      LEFT JOIN (SELECT c.worker, count(*) AS warm FROM pith.worker_cache c WHERE c.key = ANY (all_caches)
        GROUP BY c.worker) AS cached ON cached.worker = w.id
      WHERE ${CONNECTED} AND new_labels <@ w.labels AND (new_needs = '[]' OR pith.meets(w.facts, new_needs))
        AND coalesce(busy.jobs, 0) < w.slots
      ORDER BY coalesce(cached.warm, 0) DESC, random()
      LIMIT least(${MAX_NAMED} + 1, 1 + (SELECT count(*) FROM pith.job WHERE state = 'queued')));
    IF cardinality(named) BETWEEN 1 AND ${MAX_NAMED} AND octet_length(to_json(named)::text) < ${MAX_NAMES_BYTES} THEN
      PERFORM pg_notify('pith_pool', json_build_object('kind', 'queued', 'for', named)::text);
    ELSE
      PERFORM pg_notify('pith_pool', '{"kind":"queued"}');
    END IF;
  END`,
);

/** Migration to schema 16: a new job wakes the workers that are likely to take it. */
export const NAMED_WORKERS = ["DROP FUNCTION pith.submit_job;", SUBMIT].join("\n");
