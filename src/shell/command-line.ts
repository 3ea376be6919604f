import { PithError } from "../kernel/errors.ts";
import { ShellScanner } from "./scanner.ts";

/** One word of a command line as a shell would hand it on. */
export interface Word {
  readonly text: string;
  /** Its text depends on what a shell would put in: a variable, a pattern, a command's output. */
  readonly expands: boolean;
}

/** A command line, read as a POSIX shell reads it but without running or expanding anything. */
export interface CommandLine {
  /** The simple commands in it, those inside substitutions included. */
  readonly commands: readonly (readonly Word[])[];
  /** Whether it takes a shell: operators, redirections, expansions, builtins. Else it is one plain list of words. */
  readonly needsShell: boolean;
}

/** What only a shell can do; a program of that name may not even exist. */
const SHELL_WORDS: ReadonlySet<string> = new Set(
  `. : alias bg builtin case cd command coproc declare dirs do done elif else esac eval exec exit export fi fg for
  function if in jobs local popd pushd read readonly return select set shift shopt source then time times trap type
  typeset ulimit umask unalias unset until wait while ! { } [[`.split(/\s+/),
);
const ASSIGNMENT = /^[A-Za-z_][A-Za-z0-9_]*\+?=/;
const MAX_LENGTH = 100_000;

/** Reads a command line as one would type it. Throws on an open quote or an empty line. */
export function readCommandLine(text: string): CommandLine {
  if (text.trim() === "") throw new PithError("invalid_input", "The command is empty");
  if (text.includes("\0")) throw new PithError("invalid_input", "The command contains a NUL character");
  if (text.length > MAX_LENGTH)
    throw new PithError("invalid_input", `The command is too long (${text.length} characters)`);
  const scanner = new ShellScanner(text);
  scanner.scan();
  const commands = scanner.commands.filter((words) => words.length > 0);
  if (commands.length === 0) throw new PithError("invalid_input", "The command is empty");
  const [first] = commands[0] ?? [];
  const startsShell =
    first !== undefined && !first.expands && (SHELL_WORDS.has(first.text) || ASSIGNMENT.test(first.text));
  return { commands, needsShell: scanner.needsShell || startsShell };
}
