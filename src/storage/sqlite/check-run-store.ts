import { join } from "node:path";
import type { HealthCheck } from "../../model/health.ts";
import { faultOf } from "./check-store.ts";
import { listAside } from "./quarantine.ts";

/** Whether the runs of a data folder can be read, and what was set aside because it could not. */
export async function checkRunStore(folder: string): Promise<HealthCheck> {
  const name = "run store";
  const path = join(folder, "runs.db");
  const aside = listAside(path);
  const left =
    aside.length === 0 ? "" : `; damaged and set aside: ${aside.join(", ")} (remove what is not needed)`;
  const remedy = "the next run that meets the damage sets it aside and begins a new one";
  const fault = await faultOf(path, remedy);
  return { name, ok: fault === undefined, detail: `${fault ?? path}${left}` };
}
