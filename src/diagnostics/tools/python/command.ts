import type { FolderFacts } from "../../tool.ts";

/** Returns the command line of a Python tool; it runs in the project's environment if a lock file identifies its manager. */
export function pythonTool(folder: FolderFacts, ...argv: readonly string[]): readonly string[] {
  if (folder.nearest("uv.lock") !== undefined) return ["uv", "run", ...argv];
  if (folder.nearest("poetry.lock") !== undefined) return ["poetry", "run", ...argv];
  return argv;
}

/** The interpreter's name: Windows installs no `python3`, many Linux systems no `python`. */
export const interpreter = process.platform === "win32" ? "python" : "python3";
