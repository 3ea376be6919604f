import { basename } from "node:path";
import { isInside } from "./is-inside.ts";

/** What the disk says about programs. */
export interface ProgramFiles {
  /** The file that a program's name or path means in a folder; undefined if there is none. */
  find(program: string, cwd: string): string | undefined;
  isFile(path: string): boolean;
  isExecutable(path: string): boolean;
  /** The target of a symbolic link; undefined for other files. */
  target(path: string): string | undefined;
  /** The path without symbolic links; a part that does not exist yet stays as it is. */
  realPath(path: string): string;
}

/** Where a command would run: what decides which file a name or a path means. */
export interface Place {
  readonly workspace: string;
  readonly cwd: string;
  readonly files: ProgramFiles;
  readonly home: string;
  /** The shell that Pith itself starts for command lines; it is not a command of the caller. */
  readonly shell: string;
  /** The folders of Pith's own configuration and data, which a command may not change without a question. */
  readonly protectedFolders: readonly string[];
}

/**
 * Every name under which the program of a word is known: the word itself, its name, and those of the files that it
 * links to, seen from any of the folders.
 */
export function namesOf(program: string, folders: readonly string[], files: ProgramFiles): readonly string[] {
  const names = new Set([program, programName(program)]);
  for (const cwd of folders) {
    let file = files.find(program, cwd);
    for (let hops = 0; file !== undefined && hops < MAX_LINKS; hops++) {
      names.add(programName(file));
      file = files.target(file);
    }
  }
  return [...names];
}

const MAX_LINKS = 20;

/** The name of a program without its folder, and without the extension that Windows adds. */
export function programName(program: string): string {
  return basename(program.replaceAll("\\", process.platform === "win32" ? "/" : "\\")).replace(
    /\.(?:exe|cmd|bat)$/i,
    "",
  );
}

/**
 * Checks whether a name without a slash means a program outside the workspace. A name that PATH does not find means
 * nothing in the workspace either.
 */
export function isOutsideProgram(program: string, { workspace, cwd, files }: Place): boolean {
  const file = files.find(program, cwd);
  if (file === undefined) return !program.includes("/");
  return ![workspace, cwd].some(
    (folder) => isInside(files.realPath(file), files.realPath(folder)) || isInside(file, folder),
  );
}

/** Checks whether a path means the file that PATH finds for the name, and that file is outside the workspace. */
export function isProgramOfPath(program: string, name: string, place: Place): boolean {
  const { cwd, files } = place;
  const [file, found] = [files.find(program, cwd), files.find(name, cwd)];
  if (file === undefined || found === undefined || files.realPath(file) !== files.realPath(found))
    return false;
  return isOutsideProgram(file, place) && isOutsideProgram(name, place);
}

/** The script of an argument list that Pith made for its own shell, and the words that `"$@"` stands for in it. */
export function ownScript(
  argv: readonly string[],
  { shell }: Pick<Place, "shell">,
): { readonly script?: string; readonly args: readonly string[] } {
  const [program, option, script, , ...args] = argv;
  return program === shell && option === "-c" && script !== undefined ? { script, args } : { args: [] };
}
