import { ownersFunction } from "./define-function.ts";

/**
 * Whoever may read the logs of runs may read all of them. A worker may not: it sees the logs of the jobs that its login
 * held last, and the keys of the objects that it stored.
 */
const LOGS = `
  ALTER POLICY job_log_read ON pith.job_log USING ((SELECT has_table_privilege('pith.run_log', 'SELECT'))
    OR EXISTS (SELECT FROM pith.job j WHERE j.id = job_log.job_id AND j.holder = current_user));
  ALTER POLICY object_read ON pith.object USING (owner = current_user
    OR (kind = 'log' AND (SELECT has_table_privilege('pith.run_log', 'SELECT')))
    OR (kind = 'base' AND (SELECT has_table_privilege('pith.pack', 'SELECT')))
    OR (kind <> 'log' AND (SELECT pith.is_worker())));
`;

const ARGUMENTS = `new_id text, new_workspace text, new_command text, new_submitter text, new_labels text[],
  new_order text, new_needs jsonb, new_priority smallint, new_caches text[]`;

/**
 * A client chooses its submitter's name, by which jobs take turns and people know them. Unless the name begins with the
 * login, the login is put before it, so that nobody uses up the turns of others or passes for them.
 */
const SUBMIT = ownersFunction(
  `submit_job(${ARGUMENTS})`,
  "void",
  `DECLARE
    login text := pith.caller();
  BEGIN
    PERFORM pith.queue_job(new_id, new_workspace, new_command,
      CASE WHEN new_submitter = login OR starts_with(new_submitter, login || '@') OR pith.is_owner()
        THEN new_submitter ELSE format('%s (%s)', login, new_submitter) END,
      new_labels, new_order, new_needs, new_priority, new_caches);
  END`,
);

/** Migration to schema 17: workers see only logs of their own, and the name of a submitter contains its login. */
export const NEIGHBOUR_RULES = [LOGS, "ALTER FUNCTION pith.submit_job RENAME TO queue_job;", SUBMIT].join(
  "\n",
);
