/** A function that only checks values. Constraints call it, as the owner of the tables, and nobody else. */
function checkFunction(signature: string, returns: string, condition: string): string {
  return `
    CREATE FUNCTION pith.${signature} RETURNS ${returns} LANGUAGE sql IMMUTABLE SET search_path = pg_catalog, pg_temp
      AS $check$ SELECT ${condition} $check$;
    REVOKE ALL ON FUNCTION pith.${signature.slice(0, signature.indexOf("("))} FROM PUBLIC;`;
}

const hasType = (value: string, type: string): string =>
  `jsonb_typeof(${value}) IS NOT DISTINCT FROM '${type}'`;

const FUNCTIONS = [
  checkFunction(
    "elements(list jsonb)",
    "SETOF jsonb",
    "jsonb_array_elements(CASE jsonb_typeof(list) WHEN 'array' THEN list ELSE '[]' END)",
  ),
  checkFunction(
    "is_version(value jsonb)",
    "boolean",
    `${hasType("value", "array")} AND NOT EXISTS (
      SELECT FROM pith.elements(value) n WHERE jsonb_typeof(n) <> 'number')`,
  ),
  checkFunction(
    "is_facts(facts jsonb)",
    "boolean",
    `${hasType("facts", "object")} AND NOT EXISTS (
      SELECT FROM jsonb_each(CASE jsonb_typeof(facts) WHEN 'object' THEN facts ELSE '{}' END) e
      WHERE jsonb_typeof(e.value) <> 'array'
        OR EXISTS (SELECT FROM pith.elements(e.value) v WHERE NOT pith.is_version(v)))`,
  ),
  checkFunction(
    "is_needs(needs jsonb)",
    "boolean",
    `${hasType("needs", "array")} AND NOT EXISTS (
      SELECT FROM pith.elements(needs) n
      WHERE NOT (${hasType("n", "object")} AND ${hasType("n -> 'name'", "string")} AND ${hasType("n -> 'text'", "string")}
          AND ${hasType("n -> 'intervals'", "array")} AND coalesce(jsonb_typeof(n -> 'source'), 'string') = 'string')
        OR EXISTS (SELECT FROM pith.elements(n -> 'intervals') i
          WHERE NOT (${hasType("i", "object")} AND pith.is_version(i -> 'from')
            AND (NOT i ? 'below' OR pith.is_version(i -> 'below')))))`,
  ),
  `CREATE FUNCTION pith.is_object(value text) RETURNS boolean LANGUAGE plpgsql IMMUTABLE
      SET search_path = pg_catalog, pg_temp AS $check$
    BEGIN
      RETURN json_typeof(value::json) = 'object';
    EXCEPTION WHEN invalid_text_representation THEN
      RETURN false;
    END $check$;
  REVOKE ALL ON FUNCTION pith.is_object FROM PUBLIC;`,
];

const DAMAGED = `'{"cause":"interrupted","detail":"The record of how it ended is damaged."}'`;

/**
 * A row that is changed to name an object must be its owner's, like a new row: whoever deletes a row has its object
 * deleted.
 */
const OBJECT_CHECKS = ["pack_part", "run_log", "job_log"].map(
  (table) => `
    CREATE TRIGGER use_other_object AFTER UPDATE OF object ON pith.${table} FOR EACH ROW
      WHEN (NEW.object IS NOT NULL AND NEW.object IS DISTINCT FROM OLD.object) EXECUTE FUNCTION pith.use_object();`,
);

/**
 * Migration to schema 14: the columns of the pool that everyone reads hold only what every Pith can read. One row of a neighbour
 * could otherwise fail every claim and every list.
 */
export const VALUE_CHECKS = `${[...FUNCTIONS, ...OBJECT_CHECKS].join("\n")}
  UPDATE pith.worker SET facts = '{}' WHERE NOT pith.is_facts(facts);
  UPDATE pith.worker SET lease_ms = 3600000 WHERE lease_ms > 3600000;
  UPDATE pith.job SET needs = '[]' WHERE NOT pith.is_needs(needs);
  UPDATE pith.job SET priority = sign(priority) WHERE abs(priority) > 1;
  UPDATE pith.job SET caches = caches[1:100] WHERE cardinality(caches) > 100;
  UPDATE pith.job SET end_json = ${DAMAGED} WHERE NOT pith.is_object(end_json) OR end_json::json ->> 'cause' IS NULL;
  UPDATE pith.job SET log_json = NULL WHERE NOT pith.is_object(log_json);
  UPDATE pith.job SET findings_json = NULL WHERE NOT pith.is_object(findings_json);
  ALTER TABLE pith.worker ADD CONSTRAINT worker_values CHECK (pith.is_facts(facts) AND lease_ms <= 3600000);
  ALTER TABLE pith.job
    ADD CONSTRAINT job_choice CHECK (pith.is_needs(needs) AND priority BETWEEN -1 AND 1 AND cardinality(caches) <= 100),
    ADD CONSTRAINT job_result CHECK (
      (end_json IS NULL OR CASE WHEN pith.is_object(end_json) THEN end_json::json ->> 'cause' IS NOT NULL ELSE false END)
      AND (log_json IS NULL OR pith.is_object(log_json)) AND (findings_json IS NULL OR pith.is_object(findings_json)));
`;
