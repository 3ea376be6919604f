import { PithError } from "../../kernel/errors.ts";
import { textOf } from "../rows/values.ts";
import type { Postgres, Queries } from "./database.ts";
import { MIGRATION_LOCK } from "./migrate.ts";
import { rolesSql } from "./roles.ts";

/** What the connection may do, by the rights that decide it. */
export type StoreRole = "owner" | "developer" | "reader" | "worker" | "none";

/** The connected user and its role: whatever its name, what it may do is what counts. */
export async function roleOf(queries: Queries): Promise<{ readonly user: string; readonly role: StoreRole }> {
  const [row] = await queries.query(
    `SELECT current_user AS user, pg_has_role((SELECT nspowner FROM pg_namespace WHERE nspname = 'pith'), 'MEMBER') AS owner,
       has_table_privilege('pith.manifest', 'INSERT') AS developer,
       has_table_privilege('pith.record', 'SELECT') AS reader,
       has_table_privilege('pith.job', 'UPDATE') AS worker`,
  );
  const roles = ["owner", "developer", "reader", "worker"] as const;
  return { user: textOf(row?.["user"]), role: roles.find((role) => row?.[role] === true) ?? "none" };
}

/** Makes the roles that are not there, and gives them their rights. The login must own the schema, and may need CREATEROLE. */
export async function giveRights(store: Postgres): Promise<void> {
  const { user, role } = await roleOf(store);
  // The server only warns who gives what is not his.
  if (role !== "owner") throw notAllowed(`${user} does not own the schema pith`);
  try {
    await store.transaction(async (queries) => {
      // Two that give rights in the same tables at once fail.
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
