/**
 * Functions that tell who is calling. Inside a function that runs with the rights of the tables' owner, `current_user`
 * is that owner, so they look at the login of the session, or at the role that it switched to with SET ROLE.
 */
export const CALLERS = `
  CREATE FUNCTION pith.caller() RETURNS text LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp AS $$
    SELECT CASE current_setting('role') WHEN 'none' THEN session_user::text ELSE current_setting('role') END
  $$;

  CREATE FUNCTION pith.is_owner() RETURNS boolean LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp AS $$
    SELECT pg_has_role(pith.caller()::name, (SELECT nspowner FROM pg_namespace WHERE nspname = 'pith'), 'MEMBER')
  $$;

  -- Whether the caller may take the jobs of everyone; a developer may take only its own.
  CREATE FUNCTION pith.is_worker() RETURNS boolean LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp AS $$
    SELECT pith.is_owner() OR EXISTS (
      SELECT FROM pg_roles WHERE rolname = 'pith_worker' AND pg_has_role(pith.caller()::name, oid, 'MEMBER'))
  $$;

  REVOKE ALL ON FUNCTION pith.caller, pith.is_owner, pith.is_worker FROM PUBLIC;
`;
