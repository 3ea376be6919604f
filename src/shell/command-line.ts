import { PithError } from "../kernel/errors.ts";
import { ShellScanner, type Word } from "./scanner.ts";

/** A command line, parsed as a POSIX shell parses it, but without running or expanding anything. */
export interface CommandLine {
  /** The simple commands of the line, including those inside command substitutions. */
  readonly commands: readonly (readonly Word[])[];
  /**
   * True if the line has operators, redirections, expansions or builtins, which need a shell. Any other line is one
   * list of words.
   */
  readonly needsShell: boolean;
}

/** Builtins and keywords of shells, which only a shell can run; a program of that name may not exist. */
const SHELL_WORDS: ReadonlySet<string> = new Set(
  `. : alias bg builtin case cd command coproc declare dirs do done elif else esac eval exec exit export fi fg for
  function if in jobs local popd pushd read readonly return select set shift shopt source then time times trap type
  typeset ulimit umask unalias unset until wait while ! { } [[`.split(/\s+/),
);
const ASSIGNMENT = /^[A-Za-z_][A-Za-z0-9_]*\+?=/;
const MAX_LENGTH = 100_000;

/** Parses a command line as typed by a user. Throws on an unclosed quote or an empty line. */
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
