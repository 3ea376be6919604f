import { win32 } from "node:path";

/** The file and arguments that start a program on Windows. */
export interface WindowsCommand {
  readonly file: string;
  readonly args: readonly string[];
  /** True if the arguments are already quoted and must be passed on unchanged. */
  readonly verbatim: boolean;
}

interface WindowsEnvironment {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  exists(path: string): boolean;
}

/** Characters with a special meaning in cmd.exe. */
const META = /([()\][%!^"`<>&|;, *?])/g;

/**
 * Finds a program as Windows does, by PATH and PATHEXT. Only cmd.exe can run a batch file such as npm.cmd, so its
 * arguments are escaped: each arrives unchanged and none is read as a command.
 */
export function windowsCommand(argv: readonly [string, ...string[]], at: WindowsEnvironment): WindowsCommand {
  const [program, ...args] = argv;
  // Arguments for cmd.exe itself are passed on unchanged, because they are already a command line in its syntax.
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

function findProgram(program: string, at: WindowsEnvironment): string | undefined {
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

/** Reads a variable by its name, which is case-insensitive on Windows. */
function variable(env: Readonly<Record<string, string>>, name: string): string | undefined {
  const key = Object.keys(env).find((one) => one.toUpperCase() === name.toUpperCase());
  return key === undefined ? undefined : env[key];
}

/**
 * Quotes an argument for the program that receives it, and escapes it twice for cmd.exe, because a batch file expands
 * `%*` once more.
 */
function escapeArgument(argument: string): string {
  const quoted = `"${argument.replaceAll(/(\\*)"/g, String.raw`$1$1\"`).replace(/(\\+)$/, "$1$1")}"`;
  return escapeMeta(escapeMeta(quoted));
}

function escapeMeta(text: string): string {
  return text.replaceAll(META, "^$1");
}
