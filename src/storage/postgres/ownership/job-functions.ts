import { ownersFunction } from "./define-function.ts";

/** Functions of those who submit jobs: only the owner of a run submits its job, and only the owner of a job cancels it. */
export const JOB_FUNCTIONS = [
  // A job gets its turn: one round after the submitter's last queued job, and not before the current round.
  ownersFunction(
    `submit_job(new_id text, new_workspace text, new_command text, new_submitter text, new_labels text[], new_order text)`,
    "void",
    `DECLARE
      run_owner text;
    BEGIN
      SELECT r.owner INTO run_owner FROM pith.run r WHERE r.id = new_id;
      IF NOT FOUND THEN
        RAISE foreign_key_violation USING MESSAGE = format('there is no run %s', new_id);
      ELSIF run_owner <> pith.caller() AND NOT pith.is_owner() THEN
        RAISE insufficient_privilege USING MESSAGE = format('run %s belongs to %s', new_id, run_owner);
      END IF;
      INSERT INTO pith.job (id, workspace, command, submitter, labels, owner, turn)
        VALUES (new_id, new_workspace, new_command, new_submitter, new_labels, run_owner, 1 + greatest(
          (SELECT max(turn) FROM pith.job WHERE state = 'running'),
          (SELECT max(turn) FROM pith.job WHERE state = 'queued' AND submitter = new_submitter),
          (SELECT min(turn) - 1 FROM pith.job WHERE state = 'queued'), 0))
        ON CONFLICT (id) DO NOTHING;
      IF FOUND THEN
        INSERT INTO pith.job_order (job_id, owner, order_json) VALUES (new_id, run_owner, new_order);
        PERFORM pg_notify('pith_pool', '{"kind":"queued"}');
      END IF;
    END`,
  ),
  ownersFunction(
    "cancel_job(job_to_cancel text)",
    "void",
    `DECLARE
      job pith.job%ROWTYPE;
    BEGIN
      SELECT * INTO job FROM pith.job WHERE id = job_to_cancel AND state <> 'ended' FOR UPDATE;
      IF NOT FOUND THEN
        RETURN;
      ELSIF job.owner <> pith.caller() AND NOT pith.is_owner() THEN
        RAISE insufficient_privilege USING MESSAGE = format('job %s belongs to %s', job_to_cancel, job.owner);
      ELSIF job.state = 'queued' THEN
        UPDATE pith.job SET cancel_requested = true WHERE id = job_to_cancel;
        PERFORM pith.end_job(job_to_cancel, json_build_object('cause', 'cancelled',
          'detail', 'It was cancelled before a worker took it.')::text, NULL, NULL);
      ELSE
        UPDATE pith.job SET cancel_requested = true WHERE id = job_to_cancel;
        PERFORM pg_notify('pith_pool', json_build_object('kind', 'cancel', 'id', job_to_cancel)::text);
      END IF;
    END`,
  ),
  // Ends a job; its specification, which may hold secrets, is deleted. Only other functions call it.
  ownersFunction(
    "end_job(ended_id text, new_end text, new_log text, new_findings text)",
    "void",
    `BEGIN
      UPDATE pith.job SET state = 'ended', ended_at = now(), lease_until = NULL,
        end_json = new_end, log_json = new_log, findings_json = new_findings WHERE id = ended_id;
      DELETE FROM pith.job_order WHERE job_id = ended_id;
      PERFORM pg_notify('pith_pool', json_build_object('kind', 'ended', 'id', ended_id)::text);
    END`,
  ),
].join("\n");
