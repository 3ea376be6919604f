import { accessSync, constants } from "node:fs";
import { delimiter, isAbsolute, join } from "node:path";

let found: string | undefined;

/** The shell that runs scripts: bash if installed, because most scripts are written for it, otherwise sh. */
export function scriptShell(): string {
  found ??= ["/bin/bash", "/usr/bin/bash", "/usr/local/bin/bash"].find(isExecutable) ?? "sh";
  return found;
}

/** Finds a program in the folders of a PATH. */
export function findProgram(name: string, path: string): string | undefined {
  return path
    .split(delimiter)
    .filter((folder) => isAbsolute(folder))
    .map((folder) => join(folder, name))
    .find(isExecutable);
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    // The file is missing or not executable, so the next folder is tried.
    return false;
  }
}
