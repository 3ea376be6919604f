import { ownersFunction } from "./define-function.ts";

/**
 * Functions that write records, what was parsed from a blob, which all projects share. Whoever adds a record owns it:
 * others use it and keep it alive, but do not change it. Times are milliseconds since 1970.
 */
export const RECORD_FUNCTIONS = [
  // The bytes of all records come as one value, which is split here.
  ownersFunction(
    `put_records(of_feature integer, parts bytea, now_ms bigint, keys text[], f integer[], fl integer[], o integer[],
      ol integer[])`,
    "void",
    `DECLARE
      login text := pith.caller();
      repairs_all boolean := pith.is_owner();
    BEGIN
      INSERT INTO pith.record AS r (key, feature, features, outline, added_at, owner)
        SELECT n.key, of_feature, substring(parts FROM n.f FOR n.fl), substring(parts FROM n.o FOR n.ol), now_ms, login
        FROM unnest(keys, f, fl, o, ol) AS n (key, f, fl, o, ol)
        ON CONFLICT (key, feature) DO UPDATE
          SET features = excluded.features, outline = excluded.outline, added_at = excluded.added_at
          WHERE (repairs_all OR r.owner = login)
            AND (r.features <> excluded.features OR r.outline <> excluded.outline);
    END`,
  ),
  // Updates the time at which records were last used. Rows that another server is updating at the moment are skipped.
  ownersFunction(
    "use_records(of_feature integer, keys text[], now_ms bigint)",
    "void",
    `BEGIN
      UPDATE pith.record SET added_at = greatest(added_at, now_ms) WHERE (key, feature) IN (
        SELECT key, feature FROM pith.record WHERE feature = of_feature AND key = ANY (keys)
        ORDER BY key FOR UPDATE SKIP LOCKED);
    END`,
  ),
  // Deletes records that no manifest references and that nobody has used since a time, and unused ones of earlier
  // formats. Whatever the caller says, a record that was used within the last day stays.
  ownersFunction(
    "sweep_records(before_ms bigint, current_feature integer, most integer)",
    "bigint",
    `DECLARE
      swept bigint;
      limit_ms bigint := (extract(epoch FROM now() - interval '1 day') * 1000)::bigint;
    BEGIN
      IF NOT pith.is_owner() THEN
        before_ms := least(before_ms, limit_ms);
      END IF;
      WITH old AS (
        SELECT key, feature FROM pith.record r WHERE added_at < before_ms AND
          (feature < current_feature OR NOT EXISTS (SELECT FROM pith.manifest_entry e WHERE e.key = r.key))
        LIMIT most FOR UPDATE SKIP LOCKED),
      gone AS (
        DELETE FROM pith.record r USING old WHERE r.key = old.key AND r.feature = old.feature RETURNING 1)
      SELECT count(*) INTO swept FROM gone;
      RETURN swept;
    END`,
  ),
  // Deletes the caller's records among the given ones that no manifest references any more.
  ownersFunction(
    "remove_records(keys text[])",
    "bigint",
    `DECLARE
      removed bigint;
      login text := pith.caller();
      removes_all boolean := pith.is_owner();
    BEGIN
      WITH gone AS (
        DELETE FROM pith.record r WHERE r.key = ANY (keys) AND (removes_all OR r.owner = login)
          AND NOT EXISTS (SELECT FROM pith.manifest_entry e WHERE e.key = r.key) RETURNING 1)
      SELECT count(*) INTO removed FROM gone;
      RETURN removed;
    END`,
  ),
].join("\n");

/** Adds the uses of names in a blob to its record. Only questions about uses read them. */
export const USE_COLUMN = [
  "ALTER TABLE pith.record ADD COLUMN uses bytea NOT NULL DEFAULT '';",
  "DROP FUNCTION pith.put_records;",
  ownersFunction(
    `put_records(of_feature integer, parts bytea, now_ms bigint, keys text[], f integer[], fl integer[], o integer[],
      ol integer[], u integer[], ul integer[])`,
    "void",
    `DECLARE
      login text := pith.caller();
      repairs_all boolean := pith.is_owner();
    BEGIN
      INSERT INTO pith.record AS r (key, feature, features, outline, uses, added_at, owner)
        SELECT n.key, of_feature, substring(parts FROM n.f FOR n.fl), substring(parts FROM n.o FOR n.ol),
          substring(parts FROM n.u FOR n.ul), now_ms, login
        FROM unnest(keys, f, fl, o, ol, u, ul) AS n (key, f, fl, o, ol, u, ul)
        ON CONFLICT (key, feature) DO UPDATE
          SET features = excluded.features, outline = excluded.outline, uses = excluded.uses,
            added_at = excluded.added_at
          WHERE (repairs_all OR r.owner = login)
            AND (r.features, r.outline, r.uses) <> (excluded.features, excluded.outline, excluded.uses);
    END`,
  ),
].join("\n");
