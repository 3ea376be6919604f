import { homedir } from "node:os";
import { programFiles } from "../../exec/program-files.ts";
import { scriptShell } from "../../exec/shell.ts";
import type { Place } from "../../security/permissions/place.ts";

/** The place of a command, in which permission rules decide what its words mean. */
export function placeOf(
  { workspace, cwd }: { readonly workspace: string; readonly cwd: string },
  environment: Readonly<Record<string, string | undefined>>,
  protectedFolders: readonly string[] = [],
): Place {
  return {
    workspace,
    cwd,
    files: programFiles(environment["PATH"] ?? ""),
    home: environment["HOME"] ?? homedir(),
    shell: scriptShell(),
    protectedFolders,
  };
}
