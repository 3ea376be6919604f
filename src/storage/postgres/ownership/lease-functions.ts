import { ownersFunction } from "./define-function.ts";
import { RETURN_FUNCTIONS } from "./return-functions.ts";

/**
 * SQL condition that the caller holds the lease of a job: the token is that of the newest attempt, and the login is the
 * one that claimed it.
 */
const HOLDS =
  "id = held_id AND token = held_token AND state = 'running' AND holder = pith.caller() FOR UPDATE";

/**
 * SQL condition that worker `w` is connected. It repeats CONNECTED of queue/sql.ts, because a migration must not change
 * with later versions.
 */
const CONNECTED = "w.kind = 'worker' AND NOT w.draining AND w.seen_at + w.lease_ms * interval '1 ms' > now()";

const WORKERS = [
  ownersFunction(
    `register_worker(new_id text, new_session text, new_kind text, new_slots integer, new_labels text[],
      new_lease_ms integer, max_attempts integer)`,
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
      INSERT INTO pith.worker (id, session, kind, slots, labels, lease_ms, owner)
        VALUES (new_id, new_session, new_kind, new_slots, new_labels, new_lease_ms, pith.caller())
        ON CONFLICT (id) DO UPDATE SET session = new_session, kind = new_kind, slots = new_slots, labels = new_labels,
          lease_ms = new_lease_ms, draining = false, seen_at = now(), owner = excluded.owner,
          connected_since = CASE pith.worker.session WHEN new_session THEN pith.worker.connected_since ELSE now() END;
      -- Workers without a heartbeat for a day were killed and are removed from the list.
      DELETE FROM pith.worker WHERE seen_at < now() - interval '1 day';
      FOR left_job IN SELECT id, token FROM pith.job WHERE state = 'running' AND worker = new_id
          AND session <> new_session AND holder = pith.caller() ORDER BY seq FOR UPDATE SKIP LOCKED LOOP
        PERFORM pith.return_job(left_job.id, left_job.token, 'lost',
          format('worker %s was started again', new_id), max_attempts);
      END LOOP;
    END`,
  ),
  // Returns the jobs that a worker holds, except those that it knows of, to the queue.
  ownersFunction(
    "disown_jobs(worker_id text, worker_session text, known text[], reason text)",
    "void",
    `DECLARE
      held record;
    BEGIN
      FOR held IN SELECT id, token FROM pith.job WHERE state = 'running' AND worker = worker_id
          AND session = worker_session AND holder = pith.caller() AND id <> ALL (known) ORDER BY seq FOR UPDATE LOOP
        PERFORM pith.return_job(held.id, held.token, 'released', reason, NULL);
      END LOOP;
    END`,
  ),
  ownersFunction(
    "unregister_worker(worker_id text, worker_session text)",
    "void",
    `BEGIN
      PERFORM pith.disown_jobs(worker_id, worker_session, '{}', format('worker %s was stopped', worker_id));
      DELETE FROM pith.worker WHERE id = worker_id AND session = worker_session AND owner = pith.caller();
    END`,
  ),
];

const LEASES = [
  // Claims the next jobs in fair order and starts an attempt of each. Rows that another worker is claiming at the moment
  // are skipped, so workers never wait for each other and never get the same job.
  ownersFunction(
    `claim_jobs(worker_id text, worker_session text, new_lease_ms integer, worker_labels text[], most integer,
      only_ids text[], except_ids text[])`,
    "TABLE (id text, token integer, workspace text, order_json text)",
    `DECLARE
      login text := pith.caller();
      takes_all boolean := pith.is_worker();
    BEGIN
      RETURN QUERY WITH picked AS (
        SELECT j.id FROM pith.job j WHERE j.state = 'queued' AND j.labels <@ worker_labels
          AND j.id <> ALL (except_ids) AND (takes_all OR j.owner = login)
          AND EXISTS (SELECT FROM pith.worker w
            WHERE w.id = worker_id AND w.session = worker_session AND w.owner = login)
          AND (only_ids IS NULL OR (j.id = ANY (only_ids)
            AND NOT EXISTS (SELECT FROM pith.worker w WHERE ${CONNECTED} AND j.labels <@ w.labels)))
        ORDER BY j.turn, j.seq LIMIT most FOR UPDATE SKIP LOCKED),
      taken AS (
        UPDATE pith.job j SET state = 'running', token = j.token + 1, worker = worker_id, session = worker_session,
          holder = login, lease_ms = new_lease_ms, lease_until = now() + new_lease_ms * interval '1 ms',
          started_at = coalesce(j.started_at, now())
        FROM picked WHERE j.id = picked.id RETURNING j.id, j.token, j.workspace, j.turn, j.seq),
      tried AS (
        INSERT INTO pith.job_attempt (job_id, token, worker, session)
        SELECT t.id, t.token, worker_id, worker_session FROM taken t)
      SELECT t.id, t.token, t.workspace, o.order_json FROM taken t JOIN pith.job_order o ON o.job_id = t.id
      ORDER BY t.turn, t.seq;
    END`,
  ),
  // Answers a heartbeat: one row with the session that is registered, and one for each job that is still held.
  ownersFunction(
    `renew_leases(worker_id text, worker_session text, is_draining boolean, new_lease_ms integer,
      held_ids text[], held_tokens integer[])`,
    "TABLE (id text, cancel_requested boolean, session text)",
    `DECLARE
      login text := pith.caller();
    BEGIN
      RETURN QUERY WITH me AS (
        UPDATE pith.worker w SET seen_at = now(), draining = is_draining
        WHERE w.id = worker_id AND w.session = worker_session AND w.owner = login),
      kept AS (
        UPDATE pith.job j SET lease_until = now() + new_lease_ms * interval '1 ms'
        FROM unnest(held_ids, held_tokens) AS h (id, token)
        WHERE j.id = h.id AND j.token = h.token AND j.session = worker_session AND j.state = 'running'
          AND j.holder = login RETURNING j.id, j.cancel_requested),
      back AS (
        UPDATE pith.job_attempt a SET outcome = 'stalled', seen = a.seen || '; it came back later'
        FROM unnest(held_ids, held_tokens) AS h (id, token)
        WHERE a.job_id = h.id AND a.token = h.token AND a.session = worker_session AND a.outcome = 'lost'
          AND EXISTS (SELECT FROM pith.worker w
            WHERE w.id = worker_id AND w.session = worker_session AND w.owner = login))
      SELECT NULL::text, NULL::boolean, w.session FROM pith.worker w WHERE w.id = worker_id
      UNION ALL SELECT k.id, k.cancel_requested, NULL FROM kept k;
    END`,
  ),
];

const RESULTS = [
  // Stores output of an attempt; returns false and stores nothing if the caller does not hold the job.
  ownersFunction(
    `append_log(held_id text, held_token integer, seqs integer[], streams text[], line_counts bigint[],
      stdouts_before bigint[], stderrs_before bigint[], all_before bigint[], first_lines_in integer[], contents bytea[])`,
    "boolean",
    `BEGIN
      PERFORM 1 FROM pith.job WHERE ${HOLDS};
      IF NOT FOUND THEN
        RETURN false;
      END IF;
      INSERT INTO pith.job_log
        (job_id, token, seq, stream, lines, stdout_before, stderr_before, bytes_before, first_line_in, bytes)
        SELECT held_id, held_token, c.* FROM unnest(seqs, streams, line_counts, stdouts_before, stderrs_before,
          all_before, first_lines_in, contents) AS c
        ON CONFLICT DO NOTHING;
      RETURN true;
    END`,
  ),
  // Stores the result of an attempt. A worker whose connection broke meanwhile asks again, and that succeeds too.
  ownersFunction(
    "finish_job(held_id text, held_token integer, new_end text, new_log text, new_findings text)",
    "boolean",
    `BEGIN
      PERFORM 1 FROM pith.job WHERE ${HOLDS};
      IF NOT FOUND THEN
        RETURN EXISTS (SELECT FROM pith.job_attempt a JOIN pith.job j ON j.id = a.job_id
          WHERE a.job_id = held_id AND a.token = held_token AND a.outcome = 'won' AND j.holder = pith.caller());
      END IF;
      UPDATE pith.job_attempt SET outcome = 'won', ended_at = now() WHERE job_id = held_id AND token = held_token;
      PERFORM pith.end_job(held_id, new_end, new_log, new_findings);
      RETURN true;
    END`,
  ),
  ownersFunction(
    "release_job(held_id text, held_token integer, reason text)",
    "void",
    `BEGIN
      PERFORM 1 FROM pith.job WHERE ${HOLDS};
      IF FOUND THEN
        PERFORM pith.return_job(held_id, held_token, 'released', reason, NULL);
      END IF;
    END`,
  ),
];

/**
 * Functions of those who run jobs. A write needs the token of the attempt and the login that claimed it; a developer
 * may claim only its own jobs, which its server runs while no worker can.
 */
export const LEASE_FUNCTIONS = [RETURN_FUNCTIONS, ...WORKERS, ...LEASES, ...RESULTS].join("\n");
