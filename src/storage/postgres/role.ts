import type { Queries } from "./database.ts";

/** What the connection may do, by the rights that decide it. */
export type StoreRole = "owner" | "developer" | "reader" | "worker" | "none";

/** The role of the connected user: whatever its name, what it may do is what counts. */
export async function roleOf(queries: Queries): Promise<StoreRole> {
  const [row] = await queries.query(
    `SELECT pg_has_role((SELECT nspowner FROM pg_namespace WHERE nspname = 'pith'), 'MEMBER') AS owner,
       has_table_privilege('pith.manifest', 'INSERT') AS developer,
       has_table_privilege('pith.record', 'SELECT') AS reader,
       has_table_privilege('pith.run_log', 'INSERT') OR has_table_privilege('pith.run', 'UPDATE') AS worker`,
  );
  const roles = ["owner", "developer", "reader", "worker"] as const;
  return roles.find((role) => row?.[role] === true) ?? "none";
}
