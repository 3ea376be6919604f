/**
 * Tables of the code index. A record holds what was parsed from one blob (file content) and is shared by all projects,
 * so each blob is parsed only once. A project is one workspace of one data folder (`origin`); `family` is the same for
 * all clones of a repository. Times are milliseconds since 1970.
 */
export const INDEX_TABLES = `
  CREATE TABLE pith.record (
    key text COLLATE "C" NOT NULL,
    feature integer NOT NULL,
    features bytea NOT NULL,
    outline bytea NOT NULL,
    added_at bigint NOT NULL,
    PRIMARY KEY (key, feature)
  );
  CREATE INDEX record_added ON pith.record (added_at);

  CREATE TABLE pith.project (
    project_id text PRIMARY KEY,
    origin text NOT NULL,
    host text NOT NULL,
    owner text NOT NULL DEFAULT current_user,
    root text NOT NULL,
    family text NOT NULL,
    last_used bigint NOT NULL
  );
  CREATE INDEX project_family ON pith.project (family);

  CREATE TABLE pith.manifest (
    manifest_id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    project_id text NOT NULL REFERENCES pith.project ON DELETE CASCADE,
    ref text NOT NULL,
    commit_id text,
    published_at bigint NOT NULL,
    complete boolean NOT NULL,
    UNIQUE (project_id, ref)
  );

  CREATE TABLE pith.manifest_entry (
    manifest_id bigint NOT NULL REFERENCES pith.manifest ON DELETE CASCADE,
    path text COLLATE "C" NOT NULL,
    key text COLLATE "C",
    skipped text,
    size double precision,
    modified double precision,
    changed double precision,
    inode double precision,
    taken double precision,
    PRIMARY KEY (manifest_id, path)
  );
  CREATE INDEX manifest_entry_key ON pith.manifest_entry (key);

  CREATE TABLE pith.image (
    family text NOT NULL,
    feature integer NOT NULL,
    bytes bytea NOT NULL,
    PRIMARY KEY (family, feature)
  );

  CREATE TABLE pith.upkeep (
    one boolean PRIMARY KEY DEFAULT true CHECK (one),
    collected_at bigint NOT NULL
  );

  CREATE TABLE pith.index_job (
    job_id text PRIMARY KEY,
    project_id text NOT NULL,
    origin text NOT NULL,
    ref text NOT NULL,
    mode text NOT NULL,
    status text NOT NULL,
    changed_files integer NOT NULL,
    started_at bigint NOT NULL,
    pid integer NOT NULL,
    host text NOT NULL,
    message text
  );
`;
