import { lstatSync, readlinkSync, realpathSync, statSync, type Stats } from "node:fs";
import { basename, delimiter, dirname, join, resolve } from "node:path";

/** Finds the files of programs as a shell with this PATH does. */
export function programFiles(path: string) {
  return {
    find(program: string, cwd: string): string | undefined {
      if (program === "") return undefined;
      if (/[/\\]/.test(program)) return isFile(resolve(cwd, program)) ? resolve(cwd, program) : undefined;
      return path
        .split(delimiter)
        .map((folder) => resolve(cwd, folder, program))
        .find(isExecutable);
    },
    isFile,
    isExecutable,
    target(file: string): string | undefined {
      const isLink = lstatSync(file, { throwIfNoEntry: false })?.isSymbolicLink() === true;
      return isLink ? resolve(dirname(file), readlinkSync(file)) : undefined;
    },
    realPath,
  };
}

function isExecutable(file: string): boolean {
  const found = statOf(file);
  return found?.isFile() === true && (process.platform === "win32" || (found.mode & 0o111) !== 0);
}

function isFile(file: string): boolean {
  return statOf(file)?.isFile() === true;
}

function statOf(file: string): Stats | undefined {
  try {
    return statSync(file, { throwIfNoEntry: false });
  } catch {
    // The path is too long, or leads through a file or a loop of links, so nothing can be started by it.
    return undefined;
  }
}

function realPath(path: string): string {
  const missing: string[] = [];
  for (let at = path; ; at = dirname(at)) {
    try {
      return join(realpathSync(at), ...missing);
    } catch {
      // The file does not exist yet or cannot be read, so its folder is resolved.
      if (dirname(at) === at) return path;
      missing.unshift(basename(at));
    }
  }
}
