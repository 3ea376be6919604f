import { ownersFunction } from "./define-function.ts";

/**
 * What the load test (bench/team-load.ts) showed: an index that made every heartbeat write to all indexes of its jobs,
 * and the missing one by which the workers with a job's caches are found.
 */
const INDEXES = `
  DROP INDEX pith.job_lease;
  CREATE INDEX worker_cache_key ON pith.worker_cache (key, worker);
  DROP FUNCTION pith.claim_jobs, pith.use_packs, pith.newest_base;
`;

/** The condition that worker `w` is connected, as in lease-functions.ts. */
const CONNECTED = "w.kind = 'worker' AND NOT w.draining AND w.seen_at + w.lease_ms * interval '1 ms' > now()";
/** Whether a worker with these facts may run job `j`; most jobs need nothing, and a function call would cost more. */
const MEETS = (facts: string): string => `(j.needs = '[]' OR pith.meets(${facts}, j.needs))`;
/** How many of a job's caches the worker that asks has. */
const WARMTH =
  "(SELECT count(*) FROM pith.worker_cache c WHERE c.worker = worker_id AND c.key = ANY (j.caches))";
/** As in choice-functions.ts: for this long a new job is left to an idle worker that has more of its caches. */
const CACHE_WAIT = "interval '2 s'";

/**
 * Claims the next jobs as before. Every worker hears of every new job and asks, so the answer to all but one of them
 * must cost little: it ends at once without a queued job, and looks only at workers that have caches of the job.
 */
const CLAIM = ownersFunction(
  `claim_jobs(worker_id text, worker_session text, new_lease_ms integer, worker_labels text[], most integer,
    only_ids text[], except_ids text[])`,
  "TABLE (id text, token integer, workspace text, order_json text)",
  `DECLARE
    login text := pith.caller();
    takes_all boolean;
    me pith.worker%ROWTYPE;
  BEGIN
    IF NOT EXISTS (SELECT FROM pith.job j WHERE j.state = 'queued') THEN
      RETURN;
    END IF;
    SELECT * INTO me FROM pith.worker w WHERE w.id = worker_id AND w.session = worker_session AND w.owner = login;
    IF NOT FOUND THEN
      RETURN;
    END IF;
    takes_all := pith.is_worker();
    -- Planning the next statement takes longer than executing it, so each connection plans it once.
    PERFORM set_config('plan_cache_mode', 'force_generic_plan', true);
    RETURN QUERY WITH picked AS (
      SELECT j.id FROM pith.job j WHERE j.state = 'queued' AND j.labels <@ worker_labels
        AND j.id <> ALL (except_ids) AND (takes_all OR j.owner = login) AND ${MEETS("me.facts")}
        AND (only_ids IS NULL OR (j.id = ANY (only_ids) AND NOT EXISTS (SELECT FROM pith.worker w
          WHERE ${CONNECTED} AND j.labels <@ w.labels AND ${MEETS("w.facts")})))
        AND NOT (j.submitted_at > now() - ${CACHE_WAIT} AND j.token = 0 AND EXISTS (
          SELECT FROM (SELECT c.worker, count(*) AS warm FROM pith.worker_cache c
              WHERE c.key = ANY (j.caches) AND c.worker <> worker_id GROUP BY c.worker) AS h
            JOIN pith.worker w ON w.id = h.worker
          WHERE h.warm > ${WARMTH} AND ${CONNECTED} AND j.labels <@ w.labels AND ${MEETS("w.facts")}
            AND (SELECT count(*) FROM pith.job r WHERE r.state = 'running' AND r.worker = w.id) < w.slots))
      ORDER BY j.priority DESC, j.turn, j.seq LIMIT most FOR UPDATE SKIP LOCKED),
    taken AS (
      UPDATE pith.job j SET state = 'running', token = j.token + 1, worker = worker_id, session = worker_session,
        holder = login, lease_ms = new_lease_ms, lease_until = now() + new_lease_ms * interval '1 ms',
        started_at = coalesce(j.started_at, now()), warm = ${WARMTH}
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

/** A pack is removed 14 days after its last use, so its row is not written again for each use of the same hour. */
const PACKS = [
  ownersFunction(
    "use_packs(commits text[])",
    "SETOF text",
    `DECLARE
      login text := pith.caller();
      sees_all boolean := pith.is_worker();
    BEGIN
      UPDATE pith.pack SET used_at = now() WHERE commit_id = ANY (commits) AND (sees_all OR is_base OR owner = login)
        AND used_at < now() - interval '1 hour';
      RETURN QUERY SELECT commit_id FROM pith.pack
        WHERE commit_id = ANY (commits) AND (sees_all OR is_base OR owner = login);
    END`,
  ),
  ownersFunction(
    "newest_base(of_project text)",
    "TABLE (commit_id text, depth integer)",
    `DECLARE
      login text := pith.caller();
      found_id text;
    BEGIN
      SELECT b.commit_id INTO found_id FROM pith.pack b WHERE b.project = of_project AND b.is_base AND b.owner = login
        ORDER BY b.added_at DESC LIMIT 1;
      UPDATE pith.pack p SET used_at = now() WHERE p.commit_id = found_id AND p.used_at < now() - interval '1 hour';
      RETURN QUERY SELECT p.commit_id, p.depth FROM pith.pack p WHERE p.commit_id = found_id;
    END`,
  ),
];

/** Migration to schema 15: cheaper claims, heartbeats and uses of packs. */
export const CHEAPER_CLAIMS = [INDEXES, CLAIM, ...PACKS].join("\n");
