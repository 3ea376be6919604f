import { ownersFunction } from "./define-function.ts";

/**
 * Answers of checks, which other jobs with the same key get instead of running. What a login ran itself as a fallback
 * counts only for its own jobs (`trusted_for`; empty for the answers of workers, which count for all). Nobody but the
 * functions uses the table.
 */
const TABLE = `
  CREATE TABLE pith.check_answer (
    key text NOT NULL,
    trusted_for text NOT NULL,
    run text NOT NULL,
    submitter text NOT NULL,
    ended_at timestamptz NOT NULL DEFAULT now(),
    exit_code integer NOT NULL,
    -- False if runs with the same key ended differently, which shows that the check depends on something else.
    is_stable boolean NOT NULL DEFAULT true,
    answer bytea NOT NULL,
    PRIMARY KEY (key, trusted_for)
  );
  CREATE INDEX check_answer_age ON pith.check_answer (ended_at);
  ALTER TABLE pith.check_answer ENABLE ROW LEVEL SECURITY;
`;

/** The condition that the caller holds the lease of a job, as in lease-functions.ts. */
const HOLDS = "j.id = held_id AND j.token = held_token AND j.state = 'running' AND j.holder = pith.caller()";

const FIND = ownersFunction(
  "find_answer(held_id text, held_token integer, wanted_key text, max_age_ms bigint)",
  "TABLE (run text, submitter text, ended_at timestamptz, answer bytea)",
  `BEGIN
    RETURN QUERY SELECT a.run, a.submitter, a.ended_at, a.answer FROM pith.job j
      JOIN pith.check_answer a ON a.key = wanted_key AND a.trusted_for IN ('', j.owner)
      WHERE ${HOLDS} AND a.ended_at > now() - max_age_ms * interval '1 ms'
        AND NOT EXISTS (SELECT FROM pith.check_answer o WHERE o.key = wanted_key AND NOT o.is_stable)
      ORDER BY a.ended_at DESC LIMIT 1;
  END`,
);

const KEEP = ownersFunction(
  "keep_answer(held_id text, held_token integer, new_key text, new_exit_code integer, new_answer bytea)",
  "void",
  `BEGIN
    DELETE FROM pith.check_answer WHERE ended_at < now() - interval '2 days';
    INSERT INTO pith.check_answer AS a (key, trusted_for, run, submitter, exit_code, answer)
      SELECT new_key, CASE WHEN pith.is_worker() THEN '' ELSE pith.caller() END, j.id, j.submitter, new_exit_code,
        new_answer FROM pith.job j WHERE ${HOLDS}
      ON CONFLICT (key, trusted_for) DO UPDATE SET run = excluded.run, submitter = excluded.submitter,
        ended_at = now(), exit_code = excluded.exit_code, answer = excluded.answer,
        is_stable = a.is_stable AND a.exit_code = excluded.exit_code;
  END`,
);

/** Migration to schema 12: answers of checks are kept for everybody. */
export const ANSWERS = [TABLE, FIND, KEEP].join("\n");
