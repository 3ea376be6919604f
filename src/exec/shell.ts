import { accessSync, constants } from "node:fs";
import { delimiter, isAbsolute, join } from "node:path";

let found: string | undefined;

/** The shell that scripts get: bash where there is one, because that is what they are written for, else sh. */
export function scriptShell(): string {
  found ??= ["/bin/bash", "/usr/bin/bash", "/usr/local/bin/bash"].find(isExecutable) ?? "sh";
  return found;
}

/** The path of a program that a PATH leads to. */
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
    // Not here; the next place is tried.
    return false;
  }
}
