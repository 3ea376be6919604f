import { stat } from "node:fs/promises";
import { PithError } from "../../kernel/errors.ts";
import { checkPermission } from "../../security/permissions.ts";
import { createJail } from "../../workspace/jail.ts";
import { placeOf } from "./permission-place.ts";
import type { RunRequest, RunSettings } from "./request.ts";
import { environmentOf } from "./run-order.ts";

interface Authority {
  readonly settings: RunSettings;
  readonly environment: Readonly<Record<string, string | undefined>>;
}

/** Throws if the rules do not allow the command, or if its folder does not exist or is outside the allowed ones. */
export async function authorize(request: RunRequest, authority: Authority): Promise<void> {
  const { plan, env, cwd } = request;
  const { permissions, ownFolders, roots } = authority.settings;
  checkPermission(
    {
      ...(plan.tool === undefined ? {} : { tool: plan.tool }),
      argv: plan.argv,
      ...(env === undefined ? {} : { env }),
      place: () => placeOf(request, environmentOf(request, authority), ownFolders),
    },
    permissions,
  );
  if (roots.length > 0) await createJail(roots).resolve(cwd, cwd);
  const found = await stat(cwd).catch(() => undefined);
  if (found?.isDirectory() !== true) throw new PithError("invalid_cwd", `Not a folder: ${cwd}`, { cwd });
}
