import type { Client } from "pg";

/** Rows per statement, so that none reaches a timeout. */
const BATCH = 10_000;

/** Inserts jobs that have ended, with their run, attempt and log, and a snapshot for every fifth. */
export async function insertHistory(sql: Client, jobs: number): Promise<void> {
  for (let from = 1; from <= jobs; from += BATCH) {
    const numbers = `generate_series(${from}, ${Math.min(jobs, from + BATCH - 1)}) AS n`;
    const of = (n: string): string => `'h' || ${n}`;
    await sql.query(
      `INSERT INTO pith.run (id, origin, host, owner, family, workspace, command, cwd, key, owner_pid, owner_identity, started_at,
         ended_at, cause, end_json, lines, stdout_lines, bytes)
       SELECT ${of("n")}, 's' || n % 50 || '/load_developer', 'h', 'load_developer', 'family-s' || n % 50, '/work', 'npm test', '/work',
         's' || n % 50, 0, 'pool', n, n, 'exit', '{"cause":"exit","exitCode":0}', 100, 100, 6000 FROM ${numbers}`,
    );
    await sql.query(
      `INSERT INTO pith.job (id, owner, workspace, command, submitter, labels, turn, token, state, worker, session, holder,
         submitted_at, started_at, ended_at, end_json, log_json)
       SELECT ${of("n")}, 'load_developer', '/work', 'npm test', 's' || n % 50, '{}', n, 1, 'ended', 'w', 's', 'load_worker', now(),
         now(), now(), '{"cause":"exit","exitCode":0}', '{"lines":100,"stdoutLines":100,"stderrLines":0,"bytes":6000}' FROM ${numbers}`,
    );
    await sql.query(
      `INSERT INTO pith.job_attempt (job_id, token, worker, session, ended_at, outcome)
       SELECT ${of("n")}, 1, 'w', 's', now(), 'won' FROM ${numbers}`,
    );
    await sql.query(
      `INSERT INTO pith.job_log (job_id, token, seq, stream, lines, stdout_before, stderr_before, bytes_before, first_line_in, bytes)
       SELECT ${of("n")}, 1, seq, 'stdout', 50, seq * 50, 0, seq * 3000, seq,
         convert_to((SELECT string_agg(md5((n * l)::text) || ' an ordinary line of output' || chr(10), '') FROM generate_series(1, 50) l), 'UTF8')
       FROM ${numbers}, generate_series(0, 1) AS seq`,
    );
    await sql.query(
      `INSERT INTO pith.pack (commit_id, needs, project, is_base, depth, owner)
       SELECT md5(n::text) || 'history', '{}', 's' || n % 50, false, 1, 'load_developer' FROM ${numbers} WHERE n % 5 = 0`,
    );
    await sql.query(
      `INSERT INTO pith.pack_part (commit_id, seq, bytes)
       SELECT md5(n::text) || 'history', 0, decode(repeat(md5(n::text), 62), 'hex') FROM ${numbers} WHERE n % 5 = 0`,
    );
  }
  await sql.query("VACUUM ANALYZE");
}
