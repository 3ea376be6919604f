import { ownersFunction } from "./define-function.ts";

export const RUN_FUNCTIONS = [
  // Records the end of a run in the pool as its job has it, whoever observes it; the caller cannot say anything else.
  ownersFunction(
    "end_pool_run(run_id text)",
    "boolean",
    `BEGIN
      UPDATE pith.run r SET ended_at = round(extract(epoch FROM j.ended_at) * 1000)::bigint,
        cause = j.end_json::json ->> 'cause', end_json = j.end_json, findings_json = j.findings_json,
        lines = coalesce((j.log_json::json ->> 'lines')::bigint, 0),
        stdout_lines = coalesce((j.log_json::json ->> 'stdoutLines')::bigint, 0),
        stderr_lines = coalesce((j.log_json::json ->> 'stderrLines')::bigint, 0),
        bytes = coalesce((j.log_json::json ->> 'bytes')::bigint, 0)
        FROM pith.job j WHERE r.id = run_id AND j.id = run_id AND j.state = 'ended' AND r.ended_at IS NULL;
      RETURN EXISTS (SELECT FROM pith.job WHERE id = run_id);
    END`,
  ),
  // The id of a removed run is remembered, to distinguish "removed" from "unknown".
  ownersFunction(
    "remember_removed_run()",
    "trigger",
    `BEGIN
      INSERT INTO pith.removed_run (id) VALUES (OLD.id) ON CONFLICT DO NOTHING;
      RETURN NULL;
    END`,
  ),
  `CREATE TRIGGER remember_removed AFTER DELETE ON pith.run
     FOR EACH ROW EXECUTE FUNCTION pith.remember_removed_run();`,
].join("\n");
