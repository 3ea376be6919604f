import { win32 } from "node:path";

/** How a program has to be started on Windows. */
export interface WindowsCommand {
  readonly file: string;
  readonly args: readonly string[];
  /** The arguments are quoted already. */
  readonly verbatim: boolean;
}

interface WindowsSurroundings {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  exists(path: string): boolean;
}

/** Characters that cmd.exe gives a meaning to. */
const META = /([()\][%!^"`<>&|;, *?])/g;

/**
 * Finds a program the way Windows does, by PATH and PATHEXT. A batch file, such as npm.cmd, only cmd.exe can run: its
 * arguments are escaped so that each arrives as it is and none is read as a command.
 */
export function windowsCommand(
  argv: readonly [string, ...string[]],
  at: WindowsSurroundings,
): WindowsCommand {
  const [program, ...args] = argv;
  // The line of a shell is the shell's to read.
  if (program === "cmd.exe") return { file: variable(at.env, "ComSpec") ?? program, args, verbatim: true };
  const file = findProgram(program, at) ?? program;
  if (!/\.(?:cmd|bat)$/i.test(file)) return { file, args, verbatim: false };
  const line = [escapeMeta(file), ...args.map(escapeArgument)].join(" ");
  return {
    file: variable(at.env, "ComSpec") ?? "cmd.exe",
    args: ["/d", "/s", "/c", `"${line}"`],
    verbatim: true,
  };
}

function findProgram(program: string, at: WindowsSurroundings): string | undefined {
  const ends =
    win32.extname(program) === "" ? (variable(at.env, "PATHEXT") ?? ".COM;.EXE;.BAT;.CMD").split(";") : [""];
  const hasFolder = /[\\/]/.test(program);
  const folders = hasFolder ? [at.cwd] : (variable(at.env, "PATH") ?? "").split(";").filter(Boolean);
  for (const folder of folders)
    for (const end of ends) {
      const path = win32.resolve(folder, `${program}${end}`);
      if (at.exists(path)) return path;
    }
  return undefined;
}

/** The environment's names have no case there. */
function variable(env: Readonly<Record<string, string>>, name: string): string | undefined {
  const key = Object.keys(env).find((one) => one.toUpperCase() === name.toUpperCase());
  return key === undefined ? undefined : env[key];
}

/** Quoted for the program's own reading of its command line, then escaped twice: batch files expand `%*` once more. */
function escapeArgument(argument: string): string {
  const quoted = `"${argument.replaceAll(/(\\*)"/g, String.raw`$1$1\"`).replace(/(\\+)$/, "$1$1")}"`;
  return escapeMeta(escapeMeta(quoted));
}

function escapeMeta(text: string): string {
  return text.replaceAll(META, "^$1");
}
