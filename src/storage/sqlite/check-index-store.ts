import type { HealthCheck } from "../../model/health.ts";
import { faultOf } from "./check-store.ts";

/** Whether the index can be read. */
export async function checkIndexStore(path: string): Promise<HealthCheck> {
  const fault = await faultOf(path, "pith index --force makes a new one");
  return { name: "index store", ok: fault === undefined, detail: fault ?? path };
}
