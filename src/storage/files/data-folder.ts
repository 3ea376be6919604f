import { rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { errnoOf } from "../../kernel/errors.ts";
import { randomId } from "../../kernel/ids.ts";
import { makePrivateFolder } from "../../kernel/make-folder.ts";
import type { HealthCheck } from "../../model/health.ts";

/** Checks whether the data folder is writable by writing a probe file to it. */
export async function checkDataFolder(folder: string): Promise<HealthCheck> {
  const probe = join(folder, `.probe-${randomId()}`);
  try {
    await makePrivateFolder(folder);
    await writeFile(probe, "pith\n", { mode: 0o600 });
    const open = describeOpenMode(folder, (await stat(folder)).mode, "700");
    return { name: "data folder", ok: open === undefined, detail: open ?? folder };
  } catch (error) {
    const detail = `${folder} cannot be written (${String(error)}); free space, fix its permissions or set PITH_DATA_DIR`;
    return { name: "data folder", ok: false, detail };
  } finally {
    await rm(probe, { force: true }).catch(() => undefined);
  }
}

/** Checks that nobody else can change the user's configuration, which says what may run; undefined if that is so. */
export async function checkConfigFile(path: string): Promise<HealthCheck | undefined> {
  const found = await stat(path).catch((error: unknown) => {
    if (errnoOf(error) === undefined) throw error;
    return undefined;
  });
  const open = found === undefined ? undefined : describeOpenMode(path, found.mode, "600");
  return open === undefined ? undefined : { name: "config file", ok: false, detail: open };
}

/** Bits of a mode with which the group or others may write, and the bit with which they may only add files of their own. */
const OTHERS_WRITE = 0o022;
const STICKY = 0o1000;

/** Says that other users can change a file or folder; undefined if they cannot. Windows has no such modes. */
function describeOpenMode(path: string, mode: number, wanted: string): string | undefined {
  if (process.platform === "win32" || (mode & OTHERS_WRITE) === 0 || (mode & STICKY) !== 0) return undefined;
  const shown = (mode & 0o777).toString(8).padStart(4, "0");
  return `${path} can be changed by other users (mode ${shown}); chmod ${wanted} ${path}`;
}
