import { readdirSync, readFileSync } from "node:fs";
import type { Client } from "pg";

/** The process that all of a server's processes come from. */
export async function postmasterOf(sql: Client): Promise<number> {
  const { rows } = await sql.query("SELECT pg_backend_pid() AS pid");
  const status = readFileSync(`/proc/${rows[0].pid}/status`, "utf8");
  return Number(/^PPid:\s*(\d+)/m.exec(status)?.[1]);
}

/** Seconds of a core that a process and all below it have used, those that have ended among them. */
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
      // Ended in between; its parent has its time then.
    }
  }
  return ticks / 100;
}
