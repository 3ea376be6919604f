import { ownersFunction } from "../ownership/define-function.ts";

/**
 * The index of the object store: what is stored there, its size and hash, and the key that decrypts it. An object is `new` until a
 * row names it, and `removed` when that row is gone; then a server deletes it. What a killed process uploaded stays `new`, and is
 * deleted after a day.
 */
const TABLES = `
  CREATE TABLE pith.object (
    key text PRIMARY KEY,
    kind text NOT NULL CHECK (kind IN ('log', 'base', 'snapshot')),
    owner text NOT NULL,
    state text NOT NULL DEFAULT 'new' CHECK (state IN ('new', 'used', 'removed')),
    size bigint NOT NULL,
    sha256 bytea NOT NULL,
    secret bytea NOT NULL,
    changed_at timestamptz NOT NULL DEFAULT now()
  );
  CREATE INDEX object_unused ON pith.object (changed_at) WHERE state <> 'used';
  ALTER TABLE pith.object ENABLE ROW LEVEL SECURITY;
  -- The rules of the rows that name an object hold for its content too, because nobody else gets its key.
  CREATE POLICY object_read ON pith.object FOR SELECT USING (kind = 'log' OR owner = current_user
    OR (kind = 'base' AND has_table_privilege('pith.pack', 'SELECT')) OR (SELECT pith.is_worker()));
  ALTER TABLE pith.pack_part ALTER COLUMN bytes DROP NOT NULL, ADD COLUMN object text;
  ALTER TABLE pith.run_log ALTER COLUMN bytes DROP NOT NULL, ADD COLUMN object text,
    ADD COLUMN object_offset integer, ADD COLUMN size integer;
  ALTER TABLE pith.job_log ALTER COLUMN bytes DROP NOT NULL, ADD COLUMN object text,
    ADD COLUMN object_offset integer, ADD COLUMN size integer;
`;

const TRIGGERS = [
  ownersFunction(
    "use_object()",
    "trigger",
    `BEGIN
      UPDATE pith.object SET state = 'used', changed_at = now()
        WHERE key = NEW.object AND state = 'new' AND owner = pith.caller();
      IF NOT FOUND AND NOT EXISTS (SELECT FROM pith.object
          WHERE key = NEW.object AND state = 'used' AND owner = pith.caller()) THEN
        RAISE insufficient_privilege USING MESSAGE = format('object %s is not yours or was removed', NEW.object);
      END IF;
      RETURN NULL;
    END`,
  ),
  ownersFunction(
    "release_object()",
    "trigger",
    `BEGIN
      UPDATE pith.object SET state = 'removed', changed_at = now() WHERE key = OLD.object AND state = 'used';
      RETURN NULL;
    END`,
  ),
  ...["pack_part", "run_log", "job_log"].map(
    (table) => `
      CREATE TRIGGER use_object AFTER INSERT ON pith.${table} FOR EACH ROW WHEN (NEW.object IS NOT NULL)
        EXECUTE FUNCTION pith.use_object();
      CREATE TRIGGER release_object AFTER DELETE ON pith.${table} FOR EACH ROW WHEN (OLD.object IS NOT NULL)
        EXECUTE FUNCTION pith.release_object();`,
  ),
];

const FUNCTIONS = [
  ownersFunction(
    "add_object(new_key text, new_kind text, new_size bigint, new_sha256 bytea, new_secret bytea)",
    "void",
    `BEGIN
      INSERT INTO pith.object (key, kind, owner, size, sha256, secret)
        VALUES (new_key, new_kind, pith.caller(), new_size, new_sha256, new_secret);
    END`,
  ),
  // The objects that are to be deleted from the object store.
  ownersFunction(
    "unused_objects(most integer)",
    "SETOF text",
    `BEGIN
      RETURN QUERY SELECT key FROM pith.object WHERE state = 'removed'
        OR (state = 'new' AND changed_at < now() - interval '1 day') ORDER BY changed_at LIMIT most;
    END`,
  ),
  ownersFunction(
    "forget_objects(keys text[])",
    "void",
    `BEGIN
      DELETE FROM pith.object WHERE key = ANY (keys)
        AND (state = 'removed' OR (state = 'new' AND changed_at < now() - interval '1 day'));
    END`,
  ),
  "DROP FUNCTION pith.append_log;",
  ownersFunction(
    `append_log(held_id text, held_token integer, seqs integer[], streams text[], line_counts bigint[],
      stdouts_before bigint[], stderrs_before bigint[], all_before bigint[], first_lines_in integer[], contents bytea[],
      objects text[], offsets integer[], sizes integer[])`,
    "boolean",
    `DECLARE
      job_stored_at timestamptz;
    BEGIN
      SELECT stored_at INTO job_stored_at FROM pith.job
        WHERE id = held_id AND token = held_token AND state = 'running' AND holder = pith.caller() FOR UPDATE;
      IF NOT FOUND THEN
        RETURN false;
      END IF;
      INSERT INTO pith.job_log (job_id, token, seq, stream, lines, stdout_before, stderr_before, bytes_before,
        first_line_in, bytes, object, object_offset, size, stored_at)
        SELECT held_id, held_token, c.*, job_stored_at FROM unnest(seqs, streams, line_counts, stdouts_before,
          stderrs_before, all_before, first_lines_in, contents, objects, offsets, sizes) AS c
        ON CONFLICT DO NOTHING;
      RETURN true;
    END`,
  ),
  "DROP FUNCTION pith.written_by;",
  ownersFunction(
    "written_by(attempt_of text, attempt_token integer)",
    "text",
    `DECLARE
      job_stored_at timestamptz := (SELECT stored_at FROM pith.job WHERE id = attempt_of);
      chunk record;
      output text;
    BEGIN
      SELECT stdout_before + stderr_before + lines AS lines, bytes INTO chunk FROM pith.job_log
        WHERE job_id = attempt_of AND token = attempt_token AND stored_at = job_stored_at ORDER BY seq DESC LIMIT 1;
      IF NOT FOUND THEN
        RETURN 'it had written nothing';
      ELSIF chunk.bytes IS NULL THEN
        RETURN format('it had written %s lines', chunk.lines);
      END IF;
      BEGIN
        output := convert_from(chunk.bytes, 'UTF8');
      EXCEPTION WHEN character_not_in_repertoire OR untranslatable_character THEN
        output := encode(chunk.bytes, 'escape');
      END;
      output := rtrim(output, E' \\t\\r\\n');
      RETURN format('it had written %s lines, the last: %s', chunk.lines, left(split_part(output, chr(10), -1), 120));
    END`,
  ),
  // As before, and the objects of the dropped logs are marked for deletion.
  "DROP FUNCTION pith.drop_period;",
  ownersFunction(
    "drop_period(expired pith.period)",
    "boolean",
    `DECLARE
      removed bigint;
      name text;
    BEGIN
      WITH batch AS (SELECT id FROM pith.job WHERE stored_at < expired.to_time ORDER BY seq LIMIT 20000)
      DELETE FROM pith.job j USING batch WHERE j.id = batch.id;
      GET DIAGNOSTICS removed = ROW_COUNT;
      IF removed = 20000 THEN
        RETURN true;
      END IF;
      FOREACH name IN ARRAY ARRAY['run_log_', 'job_log_'] LOOP
        IF to_regclass('pith.' || quote_ident(name || expired.suffix)) IS NOT NULL THEN
          EXECUTE format('UPDATE pith.object SET state = ''removed'', changed_at = now() WHERE key IN
            (SELECT object FROM pith.%I WHERE object IS NOT NULL)', name || expired.suffix);
        END IF;
      END LOOP;
      EXECUTE format('DROP TABLE IF EXISTS pith.%I, pith.%I, pith.%I',
        'run_' || expired.suffix, 'run_log_' || expired.suffix, 'job_log_' || expired.suffix);
      DELETE FROM pith.period WHERE from_time = expired.from_time;
      RETURN EXISTS (SELECT FROM pith.period p, pith.retention r
        WHERE p.to_time < now() - r.keep_days * interval '1 day');
    END`,
  ),
];

/** Migration to schema 13: large logs and packs may be in an object store, of which the database has the index. */
export const OBJECTS = [TABLES, ...TRIGGERS, ...FUNCTIONS].join("\n");
