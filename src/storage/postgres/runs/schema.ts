/**
 * Tables of runs, and of the logs of runs outside the worker pool; the pool stores logs with its jobs. `origin` is the
 * data folder that owns the run, `family` its repository.
 */
export const RUN_TABLES = `
  CREATE TABLE pith.run (
    seq bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    id text NOT NULL UNIQUE,
    origin text NOT NULL,
    host text NOT NULL,
    owner text NOT NULL DEFAULT current_user,
    family text NOT NULL,
    workspace text NOT NULL,
    command text NOT NULL,
    tool text,
    cwd text NOT NULL,
    key text NOT NULL,
    owner_pid integer NOT NULL,
    owner_identity text NOT NULL,
    started_at bigint NOT NULL,
    ended_at bigint,
    cause text,
    end_json text,
    lines bigint NOT NULL DEFAULT 0,
    stdout_lines bigint NOT NULL DEFAULT 0,
    stderr_lines bigint NOT NULL DEFAULT 0,
    bytes bigint NOT NULL DEFAULT 0,
    findings_json text
  );
  CREATE INDEX run_by_workspace ON pith.run (origin, workspace, seq);
  CREATE INDEX run_by_family ON pith.run (family, seq);
  CREATE INDEX run_by_key ON pith.run (origin, key, seq);
  CREATE INDEX run_running ON pith.run (origin) WHERE ended_at IS NULL;

  CREATE TABLE pith.removed_run (
    id text PRIMARY KEY,
    removed_at timestamptz NOT NULL DEFAULT now()
  );
  CREATE INDEX removed_run_age ON pith.removed_run (removed_at);

  CREATE TABLE pith.run_log (
    run_id text NOT NULL REFERENCES pith.run (id) ON DELETE CASCADE,
    token integer NOT NULL,
    seq integer NOT NULL,
    stream text NOT NULL CHECK (stream IN ('stdout', 'stderr')),
    lines bigint NOT NULL,
    stdout_before bigint NOT NULL,
    stderr_before bigint NOT NULL,
    bytes_before bigint NOT NULL,
    first_line_in integer NOT NULL,
    bytes bytea NOT NULL,
    PRIMARY KEY (run_id, token, seq)
  );
`;
