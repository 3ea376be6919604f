/**
 * Tables for semantic search: how each blob (file content) is sliced into chunks, the embedding models, and the
 * quantised vectors of the chunks. They are shared by all projects and users, so a text is embedded once for the whole
 * team. Times are milliseconds since 1970.
 */
export const VECTOR_TABLES = `
  CREATE TABLE pith.slice (
    key text COLLATE "C" PRIMARY KEY,
    slices bytea NOT NULL,
    added_at bigint NOT NULL
  );

  CREATE TABLE pith.vector_space (
    space_id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    provider text NOT NULL,
    model text NOT NULL,
    dimensions integer NOT NULL,
    document_prefix text NOT NULL,
    query_prefix text NOT NULL,
    width integer NOT NULL,
    last_used bigint NOT NULL,
    UNIQUE (provider, model, dimensions, document_prefix)
  );

  CREATE TABLE pith.vector (
    space_id integer NOT NULL,
    chunk text COLLATE "C" NOT NULL,
    scale real NOT NULL,
    codes bytea NOT NULL,
    added_at bigint NOT NULL,
    PRIMARY KEY (space_id, chunk)
  );
  CREATE INDEX vector_added ON pith.vector (added_at);

  CREATE TABLE pith.vector_claim (
    space_id integer NOT NULL,
    chunk text COLLATE "C" NOT NULL,
    owner text NOT NULL,
    until bigint NOT NULL,
    PRIMARY KEY (space_id, chunk)
  );
`;
