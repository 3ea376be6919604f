import { textOf } from "../rows/values.ts";
import type { Queries } from "./database.ts";

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
