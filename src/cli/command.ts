import type { ServiceOptions, Services } from "../app/services.ts";
import type { Environment } from "../config/environment.ts";
import type { Flags, LoadedConfig } from "../config/load.ts";
import type { Io } from "./io.ts";

/** One option of a command; the option's name is its key in the table of options. */
export interface Option {
  readonly type: "string" | "boolean";
  /** Placeholder for the value in the help text: `N`, `QUESTION`. */
  readonly value?: string;
  /** The option's short form: one letter, or several letters with the same meaning. */
  readonly short?: string | readonly string[];
  readonly multiple?: boolean;
  readonly about: string;
}

export type Options = Readonly<Record<string, Option>>;

/** The arguments with which a command was called, parsed by the command's own table of options. */
export interface Invocation {
  readonly verb: string;
  readonly positionals: readonly string[];
  /** Everything after `--`, unparsed. */
  readonly rest: readonly string[];
  text(option: string): string | undefined;
  texts(option: string): readonly string[];
  flag(option: string): boolean;
}

export interface Context extends Invocation {
  readonly io: Io;
  readonly environment: Environment;
  readonly signal: AbortSignal;
  /** Loads the configuration; the given flags override its values. */
  loadConfig(flags?: Flags, workspace?: string): LoadedConfig;
  /** Opens Pith's services (index, runs and others) with that configuration; they are closed when the command ends. */
  openServices(flags?: Flags, workspace?: string, options?: ServiceOptions): Services;
}

/** A subcommand of the command line: metadata for the help text, and a `run` function that returns the exit code. */
export interface Command {
  readonly name: string;
  readonly summary: string;
  /** The usage line for the help text: the arguments after the subcommand's name, such as `FILE [options]`. */
  readonly usage: string;
  readonly details?: string;
  readonly options: Options;
  /** True if the command takes options only, so that any other word is a mistake. */
  readonly onlyOptions?: boolean;
  readonly examples: readonly string[];
  /** How long the command may take after Ctrl-C to stop what it started; omitted if it starts nothing that must be stopped. */
  readonly stopMs?: number;
  /** Signals that the command handles itself: it may continue running, and its own exit code is used. */
  readonly ownSignals?: readonly NodeJS.Signals[];
  run(context: Context): Promise<number>;
}

/** What people want a command for: to look at code, to run something, to work as a team, or to set up Pith. */
export type CommandGroup = "look" | "run" | "team" | "setup";

/** An entry in the table of commands; the file with the command's code is loaded only when the command is called. */
export interface CommandEntry {
  readonly group: CommandGroup;
  readonly summary: string;
  load(): Promise<Command>;
}

/** Returns the letters of an option's short form. */
export function shortsOf({ short }: Option): readonly string[] {
  return short === undefined ? [] : [short].flat();
}

/**
 * The option that sets how much of an output is kept for a focus question; the commands that accept such a question
 * share it.
 */
export const KEEP_OPTION: Options = {
  keep: {
    type: "string",
    value: "SHARE",
    about:
      "The share that --focus keeps, above 0 to 1 (default: about a third; for read, what the question needs).",
  },
};

/** The option that isolates runs; the commands that run something share it. */
export const SANDBOX_OPTION: Options = {
  sandbox: {
    type: "boolean",
    about: 'Isolate what is run with bubblewrap, as [runs] isolation = "bubblewrap" does.',
  },
};

/** The settings that --sandbox stands for. */
export function sandboxFlags(context: Pick<Context, "flag">): Flags {
  return context.flag("sandbox") ? { "runs.isolation": "bubblewrap" } : {};
}

export const JSON_OPTION: Options = { json: { type: "boolean", about: "Print JSON for programs." } };
