import { ownersFunction } from "./define-function.ts";

/**
 * A job says which facts its worker must have (`needs`, compared with the worker's `facts`), how urgent it is, and which
 * caches it would use. `warm` is how many of those its worker had. Nobody but functions uses the table of caches.
 */
const COLUMNS = `
  ALTER TABLE pith.worker ADD COLUMN facts jsonb NOT NULL DEFAULT '{}';
  ALTER TABLE pith.job ADD COLUMN needs jsonb NOT NULL DEFAULT '[]', ADD COLUMN priority smallint NOT NULL DEFAULT 0,
    ADD COLUMN caches text[] NOT NULL DEFAULT '{}', ADD COLUMN warm smallint NOT NULL DEFAULT 0;
  DROP INDEX pith.job_queue, pith.job_queue_submitter, pith.job_running_turn;
  CREATE INDEX job_queue ON pith.job (priority DESC, turn, seq) WHERE state = 'queued';
  CREATE INDEX job_queue_submitter ON pith.job (submitter, priority, turn) WHERE state = 'queued';
  CREATE INDEX job_running_turn ON pith.job (priority, turn) WHERE state = 'running';
  CREATE TABLE pith.worker_cache (
    worker text NOT NULL,
    key text NOT NULL,
    used_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (worker, key)
  );
  CREATE INDEX worker_cache_age ON pith.worker_cache (used_at);
  ALTER TABLE pith.worker_cache ENABLE ROW LEVEL SECURITY;

  -- Whether a machine meets all needs: for each it has a version in one of the intervals. Versions are arrays of three
  -- numbers, which PostgreSQL compares one after the other.
  CREATE FUNCTION pith.meets(facts jsonb, needs jsonb) RETURNS boolean LANGUAGE sql IMMUTABLE
    SET search_path = pg_catalog, pg_temp AS $$
    SELECT needs = '[]' OR NOT EXISTS (SELECT FROM jsonb_array_elements(needs) n WHERE NOT EXISTS (
      SELECT FROM jsonb_array_elements(coalesce(facts -> (n ->> 'name'), '[]')) v, jsonb_array_elements(n -> 'intervals') i
      WHERE v >= i -> 'from' AND (NOT i ? 'below' OR v < i -> 'below')))
  $$;
  REVOKE ALL ON FUNCTION pith.meets FROM PUBLIC;
  DROP FUNCTION pith.submit_job, pith.register_worker, pith.claim_jobs;
`;

/** The condition that worker `w` is connected, as in lease-functions.ts. */
const CONNECTED = "w.kind = 'worker' AND NOT w.draining AND w.seen_at + w.lease_ms * interval '1 ms' > now()";

const SUBMIT = ownersFunction(
  `submit_job(new_id text, new_workspace text, new_command text, new_submitter text, new_labels text[], new_order text,
    new_needs jsonb, new_priority smallint, new_caches text[])`,
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
      PERFORM pg_notify('pith_pool', '{"kind":"queued"}');
    END IF;
  END`,
);

const REGISTER = ownersFunction(
  `register_worker(new_id text, new_session text, new_kind text, new_slots integer, new_labels text[],
    new_facts jsonb, new_lease_ms integer, max_attempts integer)`,
  "void",
  `DECLARE
    old pith.worker%ROWTYPE;
    left_job record;
  BEGIN
    IF new_kind <> 'fallback' AND NOT pith.is_worker() THEN
      RAISE insufficient_privilege USING MESSAGE = format('%s is not a member of pith_worker', pith.caller());
    END IF;
    SELECT * INTO old FROM pith.worker WHERE id = new_id FOR UPDATE;
    IF FOUND AND old.owner <> pith.caller() AND old.seen_at + old.lease_ms * interval '1 ms' > now() THEN
      RAISE insufficient_privilege USING MESSAGE = format('worker %s belongs to %s', new_id, old.owner);
    END IF;
    INSERT INTO pith.worker (id, session, kind, slots, labels, facts, lease_ms, owner)
      VALUES (new_id, new_session, new_kind, new_slots, new_labels, new_facts, new_lease_ms, pith.caller())
      ON CONFLICT (id) DO UPDATE SET session = new_session, kind = new_kind, slots = new_slots, labels = new_labels,
        facts = new_facts, lease_ms = new_lease_ms, draining = false, seen_at = now(), owner = excluded.owner,
        connected_since = CASE pith.worker.session WHEN new_session THEN pith.worker.connected_since ELSE now() END;
    -- Workers without a heartbeat for a day were killed and are removed from the list.
    DELETE FROM pith.worker WHERE seen_at < now() - interval '1 day';
    -- A worker keeps what it fetched and installed for 14 days.
    DELETE FROM pith.worker_cache WHERE used_at < now() - interval '14 days';
    FOR left_job IN SELECT id, token FROM pith.job WHERE state = 'running' AND worker = new_id
        AND session <> new_session AND holder = pith.caller() ORDER BY seq FOR UPDATE SKIP LOCKED LOOP
      PERFORM pith.return_job(left_job.id, left_job.token, 'lost',
        format('worker %s was started again', new_id), max_attempts);
    END LOOP;
  END`,
);

/** How many of a job's caches a worker has. */
const WARMTH = (worker: string): string =>
  `(SELECT count(*) FROM pith.worker_cache c WHERE c.worker = ${worker} AND c.key = ANY (j.caches))`;

/**
 * For this long a new job is left to an idle worker that has more of its caches than the one that asks. Such a worker is
 * told of the job at the same moment, so this is only reached if it does not answer.
 */
const CACHE_WAIT = "interval '2 s'";

const CLAIM = ownersFunction(
  `claim_jobs(worker_id text, worker_session text, new_lease_ms integer, worker_labels text[], most integer,
    only_ids text[], except_ids text[])`,
  "TABLE (id text, token integer, workspace text, order_json text)",
  `DECLARE
    login text := pith.caller();
    takes_all boolean := pith.is_worker();
    me pith.worker%ROWTYPE;
  BEGIN
    SELECT * INTO me FROM pith.worker w WHERE w.id = worker_id AND w.session = worker_session AND w.owner = login;
    IF NOT FOUND THEN
      RETURN;
    END IF;
    RETURN QUERY WITH picked AS (
      SELECT j.id FROM pith.job j WHERE j.state = 'queued' AND j.labels <@ worker_labels
        AND j.id <> ALL (except_ids) AND (takes_all OR j.owner = login) AND pith.meets(me.facts, j.needs)
        AND (only_ids IS NULL OR (j.id = ANY (only_ids) AND NOT EXISTS (SELECT FROM pith.worker w
          WHERE ${CONNECTED} AND j.labels <@ w.labels AND pith.meets(w.facts, j.needs))))
        AND NOT (j.submitted_at > now() - ${CACHE_WAIT} AND j.token = 0 AND EXISTS (SELECT FROM pith.worker w
          WHERE ${CONNECTED} AND w.id <> worker_id AND j.labels <@ w.labels AND pith.meets(w.facts, j.needs)
            AND ${WARMTH("w.id")} > ${WARMTH("worker_id")}
            AND (SELECT count(*) FROM pith.job r WHERE r.state = 'running' AND r.worker = w.id) < w.slots))
      ORDER BY j.priority DESC, j.turn, j.seq LIMIT most FOR UPDATE SKIP LOCKED),
    taken AS (
      UPDATE pith.job j SET state = 'running', token = j.token + 1, worker = worker_id, session = worker_session,
        holder = login, lease_ms = new_lease_ms, lease_until = now() + new_lease_ms * interval '1 ms',
        started_at = coalesce(j.started_at, now()), warm = ${WARMTH("worker_id")}
      FROM picked WHERE j.id = picked.id
      RETURNING j.id, j.token, j.workspace, j.priority, j.turn, j.seq, j.caches),
    tried AS (
      INSERT INTO pith.job_attempt (job_id, token, worker, session)
      SELECT t.id, t.token, worker_id, worker_session FROM taken t),
    cached AS (
      INSERT INTO pith.worker_cache AS c (worker, key)
      SELECT DISTINCT worker_id, k.key FROM taken t, unnest(t.caches) AS k (key) WHERE me.kind = 'worker'
      ON CONFLICT (worker, key) DO UPDATE SET used_at = now() WHERE c.used_at < now() - interval '1 hour')
    SELECT t.id, t.token, t.workspace, o.order_json FROM taken t JOIN pith.job_order o ON o.job_id = t.id
    ORDER BY t.priority DESC, t.turn, t.seq;
  END`,
);

/** Migration to schema 10: workers are chosen by facts, caches and priority. */
export const CHOICE = [COLUMNS, SUBMIT, REGISTER, CLAIM].join("\n");
