import { checkEditsOf } from "../app/edit-check.ts";
import type { EditedFile } from "../model/edits.ts";
import { withServices } from "./hook-services.ts";

/** Checks the syntax of edited files in this process; to load the index for their users would take too long. */
export function checkAlone(cwd: string, files: readonly EditedFile[]): Promise<string> {
  return withServices(cwd, (services, _, root) => checkEditsOf(services, root, { files, withUses: false }));
}
