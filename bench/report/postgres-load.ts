import { readdirSync, readFileSync } from "node:fs";
import type { Client } from "pg";

/** Returns the process id of PostgreSQL's postmaster, the parent of all server processes. */
export async function postmasterOf(sql: Client): Promise<number> {
  const { rows } = await sql.query("SELECT pg_backend_pid() AS pid");
  const status = readFileSync(`/proc/${rows[0].pid}/status`, "utf8");
  return Number(/^PPid:\s*(\d+)/m.exec(status)?.[1]);
}

/** Returns the CPU seconds that a process and its descendants have used, including those that have ended. */
export function cpuOf(pid: number): number {
  let ticks = 0;
  for (const name of readdirSync("/proc").filter((one) => /^\d+$/.test(one))) {
    try {
      const fields = readFileSync(`/proc/${name}/stat`, "latin1")
        .replace(/^.*\) /, "")
        .split(" ")
        .map(Number);
      const [, parent = 0] = fields;
      const own = (fields[11] ?? 0) + (fields[12] ?? 0);
      if (Number(name) === pid) ticks += own + (fields[13] ?? 0) + (fields[14] ?? 0);
      else if (parent === pid) ticks += own;
    } catch {
      // The process ended in the meantime, and its time was added to its parent's.
    }
  }
  return ticks / 100;
}
