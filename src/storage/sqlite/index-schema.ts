/** Migrations of the index database, one entry per version; new entries are only appended. */
export const INDEX_MIGRATIONS: readonly string[] = [
  `
  CREATE TABLE record (
    id INTEGER PRIMARY KEY,
    key TEXT NOT NULL,
    feature INTEGER NOT NULL,
    features BLOB NOT NULL,
    outline BLOB NOT NULL,
    added_at INTEGER NOT NULL
  );
  CREATE UNIQUE INDEX record_key ON record (key, feature);

  CREATE TABLE project (
    project_id TEXT PRIMARY KEY,
    root TEXT NOT NULL UNIQUE,
    family TEXT NOT NULL,
    last_used INTEGER NOT NULL
  ) WITHOUT ROWID;

  CREATE TABLE manifest (
    manifest_id INTEGER PRIMARY KEY,
    project_id TEXT NOT NULL REFERENCES project (project_id) ON DELETE CASCADE,
    ref TEXT NOT NULL,
    commit_id TEXT,
    published_at INTEGER NOT NULL,
    complete INTEGER NOT NULL,
    UNIQUE (project_id, ref)
  );

  CREATE TABLE manifest_entry (
    manifest_id INTEGER NOT NULL REFERENCES manifest (manifest_id) ON DELETE CASCADE,
    path TEXT NOT NULL,
    key TEXT,
    skipped TEXT,
    size INTEGER,
    modified REAL,
    changed REAL,
    inode REAL,
    taken INTEGER,
    PRIMARY KEY (manifest_id, path)
  ) WITHOUT ROWID;

  CREATE TABLE image (
    family TEXT PRIMARY KEY,
    feature INTEGER NOT NULL,
    bytes BLOB NOT NULL
  );

  CREATE TABLE upkeep (collected_at INTEGER NOT NULL);

  CREATE TABLE job (
    job_id TEXT PRIMARY KEY,
    project_id TEXT NOT NULL,
    ref TEXT NOT NULL,
    mode TEXT NOT NULL,
    status TEXT NOT NULL,
    changed_files INTEGER NOT NULL,
    started_at INTEGER NOT NULL,
    pid INTEGER NOT NULL,
    host TEXT NOT NULL,
    message TEXT
  ) WITHOUT ROWID;
  `,
  // Tables for semantic search: how each blob (file content) is sliced into chunks, the embedding models, and the
  // quantised vectors of the chunks.
  `
  CREATE TABLE slice (
    key TEXT PRIMARY KEY,
    slices BLOB NOT NULL,
    added_at INTEGER NOT NULL
  );

  CREATE TABLE vector_space (
    space_id INTEGER PRIMARY KEY,
    provider TEXT NOT NULL,
    model TEXT NOT NULL,
    dimensions INTEGER NOT NULL,
    document_prefix TEXT NOT NULL,
    query_prefix TEXT NOT NULL,
    width INTEGER NOT NULL,
    last_used INTEGER NOT NULL,
    UNIQUE (provider, model, dimensions, document_prefix)
  );

  CREATE TABLE vector (
    vector_id INTEGER PRIMARY KEY,
    space_id INTEGER NOT NULL,
    chunk TEXT NOT NULL,
    scale REAL NOT NULL,
    codes BLOB NOT NULL,
    added_at INTEGER NOT NULL,
    UNIQUE (space_id, chunk)
  );

  CREATE TABLE vector_claim (
    space_id INTEGER NOT NULL,
    chunk TEXT NOT NULL,
    owner TEXT NOT NULL,
    until INTEGER NOT NULL,
    PRIMARY KEY (space_id, chunk)
  ) WITHOUT ROWID;
  `,
  // The uses of names in a blob, which only questions about uses read.
  "ALTER TABLE record ADD COLUMN uses BLOB NOT NULL DEFAULT x''",
];
