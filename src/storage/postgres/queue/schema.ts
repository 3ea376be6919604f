/**
 * Tables of the pool. A job has the id of its run; `turn` is its place in the round-robin between submitters, `token` the number of its
 * newest attempt. Only the database server's clock decides when a lease expires.
 */
export const JOB_TABLES = `
  CREATE TABLE pith.job (
    seq bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    id text NOT NULL UNIQUE REFERENCES pith.run (id) ON DELETE CASCADE,
    workspace text NOT NULL,
    command text NOT NULL,
    submitter text NOT NULL,
    labels text[] NOT NULL,
    order_json text NOT NULL,
    state text NOT NULL DEFAULT 'queued' CHECK (state IN ('queued', 'running', 'ended')),
    turn bigint NOT NULL,
    token integer NOT NULL DEFAULT 0,
    worker text,
    session text,
    lease_ms integer,
    lease_until timestamptz,
    cancel_requested boolean NOT NULL DEFAULT false,
    submitted_at timestamptz NOT NULL DEFAULT now(),
    started_at timestamptz,
    ended_at timestamptz,
    end_json text,
    log_json text,
    findings_json text
  );
  CREATE INDEX job_queue ON pith.job (turn, seq) WHERE state = 'queued';
  CREATE INDEX job_queue_submitter ON pith.job (submitter, turn) WHERE state = 'queued';
  CREATE INDEX job_running_turn ON pith.job (turn) WHERE state = 'running';
  CREATE INDEX job_lease ON pith.job (lease_until) WHERE state = 'running';
  CREATE INDEX job_holder ON pith.job (worker) WHERE state = 'running';
  CREATE INDEX job_by_workspace ON pith.job (workspace, seq);

  CREATE TABLE pith.job_attempt (
    job_id text NOT NULL REFERENCES pith.job (id) ON DELETE CASCADE,
    token integer NOT NULL,
    worker text NOT NULL,
    session text NOT NULL,
    started_at timestamptz NOT NULL DEFAULT now(),
    ended_at timestamptz,
    outcome text CHECK (outcome IN ('won', 'lost', 'stalled', 'released')),
    seen text,
    PRIMARY KEY (job_id, token)
  );

  CREATE TABLE pith.job_log (
    job_id text NOT NULL REFERENCES pith.job (id) ON DELETE CASCADE,
    token integer NOT NULL,
    seq integer NOT NULL,
    stream text NOT NULL CHECK (stream IN ('stdout', 'stderr')),
    lines bigint NOT NULL,
    stdout_before bigint NOT NULL,
    stderr_before bigint NOT NULL,
    bytes_before bigint NOT NULL,
    first_line_in integer NOT NULL,
    bytes bytea NOT NULL,
    PRIMARY KEY (job_id, token, seq)
  );

  CREATE TABLE pith.worker (
    id text PRIMARY KEY,
    session text NOT NULL,
    kind text NOT NULL CHECK (kind IN ('worker', 'fallback')),
    slots integer NOT NULL,
    labels text[] NOT NULL,
    lease_ms integer NOT NULL,
    draining boolean NOT NULL DEFAULT false,
    connected_since timestamptz NOT NULL DEFAULT now(),
    seen_at timestamptz NOT NULL DEFAULT now()
  );

  CREATE TABLE pith.pack (
    commit_id text PRIMARY KEY,
    needs text[] NOT NULL,
    project text NOT NULL,
    is_base boolean NOT NULL,
    depth integer NOT NULL,
    added_at timestamptz NOT NULL DEFAULT now(),
    used_at timestamptz NOT NULL DEFAULT now()
  );
  CREATE INDEX pack_base ON pith.pack (project, added_at) WHERE is_base;
  CREATE INDEX pack_age ON pith.pack (used_at);

  CREATE TABLE pith.pack_part (
    commit_id text NOT NULL REFERENCES pith.pack ON DELETE CASCADE,
    seq integer NOT NULL,
    bytes bytea NOT NULL,
    PRIMARY KEY (commit_id, seq)
  );
  ALTER TABLE pith.pack_part ALTER COLUMN bytes SET STORAGE EXTERNAL;
`;

/**
 * This migration does nothing any more: schema version 6 handed queued jobs to a queue library, which is no longer
 * used.
 */
export const QUEUE_LIBRARY_ENTRIES = "SELECT 1;";

/**
 * This migration removes the tables of the queue library: since schema version 7, workers claim jobs directly from the
 * job table.
 */
export const DROP_QUEUE_LIBRARY = `
  DROP SCHEMA IF EXISTS pith_queue CASCADE;
  DROP INDEX IF EXISTS pith.job_queue_labels;
`;
