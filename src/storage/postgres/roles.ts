import { PithError } from "../../kernel/errors.ts";
import { textOf } from "../rows/values.ts";
import type { Postgres, Queries } from "./database.ts";
import { MIGRATION_LOCK } from "./migrate.ts";
import { rolesSql } from "./rights.ts";

/** What the connected user may do in the database, derived from its privileges. */
export type StoreRole = "owner" | "developer" | "reader" | "worker" | "none";

/** Returns the connected user and its role. The privileges decide, not the user's name. */
export async function roleOf(queries: Queries): Promise<{ readonly user: string; readonly role: StoreRole }> {
  const [row] = await queries.query(
    `SELECT current_user AS user, pg_has_role((SELECT nspowner FROM pg_namespace WHERE nspname = 'pith'), 'MEMBER') AS owner,
       has_table_privilege('pith.manifest', 'INSERT') AS developer,
       has_table_privilege('pith.record', 'SELECT') AS reader,
       has_table_privilege('pith.job_order', 'SELECT') AS worker`,
  );
  const roles = ["owner", "developer", "reader", "worker"] as const;
  return { user: textOf(row?.["user"]), role: roles.find((role) => row?.[role] === true) ?? "none" };
}

/**
 * Creates missing roles and grants their privileges. The login must own the schema, and needs CREATEROLE if roles are
 * missing.
 */
export async function grantRights(store: Postgres): Promise<void> {
  const { user, role } = await roleOf(store);
  // Without this check, PostgreSQL would only warn about grants by a user that does not own the tables.
  if (role !== "owner") throw notAllowed(`${user} does not own the schema pith`);
  try {
    await store.transaction(async (queries) => {
      // Concurrent grants on the same tables fail, so this transaction takes the same lock as a migration.
      await queries.query("SELECT pg_advisory_xact_lock($1)", [MIGRATION_LOCK]);
      await queries.query(rolesSql());
    });
  } catch (error) {
    if (error instanceof PithError && error.code === "permission_denied") throw notAllowed(error.message);
    throw error;
  }
}

function notAllowed(reason: string): PithError {
  return new PithError("permission_denied", reason, {
    suggestion:
      "Connect as the owner, with CREATEROLE, or let an administrator run what pith store roles prints in the database.",
  });
}
