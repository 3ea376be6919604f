import type { Argument } from "./rule.ts";

/** A command that would run, as far as the command line shows it. */
export interface FoundCommand {
  /** The program and its arguments. */
  readonly words: readonly Argument[];
  /** True if a runner such as `npx` starts the command. A rule that allows the runner then allows the command too. */
  readonly byRunner: boolean;
  /** True if the program runs none of its arguments as a command, or those that it runs are found too. */
  readonly hasDataArguments: boolean;
  /** True if it is not known whether the command runs: it is an argument of a program that nobody here knows. */
  readonly isGuess: boolean;
  /** True if the arguments contain code for the program, which nobody here reads. */
  readonly hasCode: boolean;
}

/** A program and its arguments. */
export interface ProgramCall {
  /** The name of the program without its folder. */
  readonly name: string;
  readonly program: Argument;
  readonly args: readonly Argument[];
}

/** What a program may do with the files of the project. */
export type ProjectUse = "reads" | "runs" | "runs and writes";

/** How a command is started. */
export interface Scope {
  readonly depth: number;
  readonly byRunner: boolean;
  /** True if the command reads the output of another one, or a text of the line. */
  readonly hasInput: boolean;
  /** True inside the arguments of a program that nobody here knows. */
  readonly isGuess?: boolean;
}

/** Collects what is found out about a command line. */
export interface Inspection {
  /** True if only what a rule allows may run. */
  readonly isAllowOnly: boolean;
  /** Notes that something is not understood. */
  doubt(reason: string): void;
  add(words: readonly Argument[], scope: Scope, kind: "data" | "code" | "unknown"): void;
  /** Notes that a variable is set, for the environment of programs if `isExported`. */
  setVariable(name: string, value: Argument, isExported: boolean): void;
  /** Exports a variable whose value was set before. */
  exportVariable(name: string): void;
  /** Tests for the name or the path of a program. */
  isProgram(word: string): boolean;
  /** Reads one simple command: assignments, the program and its arguments. */
  inspect(words: readonly Argument[], scope: Scope): void;
  /** Reads a script that a shell gets with some arguments, which `"$@"` stands for. */
  readScript(text: string, args: readonly Argument[], scope: Scope): void;
  /** Notes that a file of the line's own choice runs. What is in it is not read. */
  runFile(file: Argument): void;
  /** Notes that a program may run files of the project. */
  useProject(args: readonly Argument[], use: ProjectUse): void;
  /** Follows `cd`; without a target it leads to the user's home. */
  changeFolder(target: Argument | undefined): void;
}
