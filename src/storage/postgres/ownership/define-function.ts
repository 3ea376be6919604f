/**
 * Returns the SQL that creates a function which runs with the rights of the tables' owner. Its search path is fixed, so
 * that no caller can put tables or operators of its own in the place of ours, and nobody may call it until
 * `rolesSql` grants that. The body names every table with its schema.
 */
export function ownersFunction(signature: string, returns: string, body: string): string {
  return `
    CREATE FUNCTION pith.${signature} RETURNS ${returns} LANGUAGE plpgsql SECURITY DEFINER
      SET search_path = pg_catalog, pg_temp AS $function$
    #variable_conflict use_column
    ${body}
    $function$;
    REVOKE ALL ON FUNCTION pith.${signature.slice(0, signature.indexOf("("))} FROM PUBLIC;`;
}
