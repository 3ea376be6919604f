import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { randomId } from "../../kernel/ids.ts";
import { makePrivateFolder } from "../../kernel/make-folder.ts";
import type { HealthCheck } from "../../model/health.ts";

/** Checks whether the data folder is writable by writing a probe file to it. */
export async function checkDataFolder(folder: string): Promise<HealthCheck> {
  const probe = join(folder, `.probe-${randomId()}`);
  try {
    await makePrivateFolder(folder);
    await writeFile(probe, "pith\n", { mode: 0o600 });
    return { name: "data folder", ok: true, detail: folder };
  } catch (error) {
    const detail = `${folder} cannot be written (${String(error)}); free space, fix its permissions or set PITH_DATA_DIR`;
    return { name: "data folder", ok: false, detail };
  } finally {
    await rm(probe, { force: true }).catch(() => undefined);
  }
}
