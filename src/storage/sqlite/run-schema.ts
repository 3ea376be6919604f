/** Migrations of the run database, one entry per version; new entries are only appended. */
export const RUN_MIGRATIONS: readonly string[] = [
  `
  CREATE TABLE runs (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE,
    workspace TEXT NOT NULL,
    command TEXT NOT NULL,
    tool TEXT,
    cwd TEXT NOT NULL,
    key TEXT NOT NULL,
    owner_pid INTEGER NOT NULL,
    owner_identity TEXT NOT NULL,
    started_at INTEGER NOT NULL,
    ended_at INTEGER,
    cause TEXT,
    end_json TEXT,
    lines INTEGER NOT NULL DEFAULT 0,
    stdout_lines INTEGER NOT NULL DEFAULT 0,
    stderr_lines INTEGER NOT NULL DEFAULT 0,
    bytes INTEGER NOT NULL DEFAULT 0,
    findings_json TEXT
  );
  CREATE INDEX runs_by_workspace ON runs (workspace, seq);
  CREATE INDEX runs_by_key ON runs (key, seq);
  CREATE INDEX runs_running ON runs (seq) WHERE ended_at IS NULL;
  CREATE TABLE removed_runs (seq INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE);
  `,
  // The column `shared` is 0 for a run that is still to be sent to the team's database, 1 for one that was sent, and
  // NULL for one that stays local.
  `
  ALTER TABLE runs ADD COLUMN shared INTEGER;
  CREATE INDEX runs_to_share ON runs (seq) WHERE shared = 0;
  `,
  "ALTER TABLE runs ADD COLUMN stop_asked_at INTEGER;",
];
