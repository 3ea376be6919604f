import { isAbsolute, relative, resolve, sep } from "node:path";
import type { EditedFile } from "../model/edits.ts";
import type { Services } from "./services.ts";

/** A note for an agent about what its edit probably broke, or an empty text. */
export async function checkEditsOf(
  services: Pick<Services, "index" | "config">,
  root: string,
  { files, withUses }: { readonly files: readonly EditedFile[]; readonly withUses: boolean },
): Promise<string> {
  const inside = files.flatMap(({ path, ...rest }) => {
    const shown = relative(root, resolve(root, path));
    return shown === "" || shown === ".." || shown.startsWith(`..${sep}`) || isAbsolute(shown)
      ? []
      : [{ path: shown.split(sep).join("/"), ...rest }];
  });
  if (inside.length === 0) return "";
  const report = await (await services.index()).checkEdits({ root, files: inside, withUses });
  const changes = services.config.security.mask_files
    ? report.changes.map((await import("./mask-code.ts")).maskFileChange)
    : report.changes;
  const { renderEditReport } = await import("../render/code/changes/edit-report.ts");
  return renderEditReport({ ...report, changes });
}
