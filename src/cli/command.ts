import type { Services } from "../app/services.ts";
import type { Environment } from "../config/environment.ts";
import type { Flags, LoadedConfig } from "../config/load.ts";
import type { Io } from "./io.ts";

/** One option of a command; its name is the key it stands under. */
export interface Option {
  readonly type: "string" | "boolean";
  /** What stands for the value in the help: `N`, `QUESTION`. */
  readonly value?: string;
  /** One letter, or several that mean the same. */
  readonly short?: string | readonly string[];
  readonly multiple?: boolean;
  readonly about: string;
}

export type Options = Readonly<Record<string, Option>>;

/** What the user typed, read by the command's own table. */
export interface Invocation {
  readonly verb: string;
  readonly positionals: readonly string[];
  /** Everything after `--`, untouched. */
  readonly rest: readonly string[];
  text(option: string): string | undefined;
  texts(option: string): readonly string[];
  flag(option: string): boolean;
}

export interface Context extends Invocation {
  readonly io: Io;
  readonly environment: Environment;
  readonly signal: AbortSignal;
  /** Reads the configuration; flags of the command go on top. */
  loadConfig(flags?: Flags, workspace?: string): LoadedConfig;
  /** The services over that configuration; closed when the command ends. */
  openServices(flags?: Flags, workspace?: string): Services;
}

/** A verb of the command line: metadata for the help, and what it does. Returns the exit code. */
export interface Command {
  readonly name: string;
  readonly summary: string;
  /** What follows the verb: `FILE [options]`. */
  readonly usage: string;
  readonly details?: string;
  readonly options: Options;
  /** Options that there were once, and why they are refused. */
  readonly removed?: Readonly<Record<string, { readonly why: string; readonly instead: string }>>;
  readonly examples: readonly string[];
  /** How long it may take after Ctrl-C to end what it has started; left out, it has started nothing that must be ended. */
  readonly stopMs?: number;
  /** Signals that the command deals with itself: it may live on, and its own exit code stands. */
  readonly ownSignals?: readonly NodeJS.Signals[];
  run(context: Context): Promise<number>;
}

/** A verb in the table of all: its own file is loaded when it is called. */
export interface CommandEntry {
  readonly summary: string;
  load(): Promise<Command>;
}

/** The letters that stand for an option. */
export function shortsOf({ short }: Option): readonly string[] {
  return short === undefined ? [] : [short].flat();
}

/** For the commands that focus on a question. */
export const KEEP_OPTION: Options = {
  keep: {
    type: "string",
    value: "SHARE",
    about: "The share that --focus keeps, above 0 to 1 (default 0.35).",
  },
};

export const JSON_OPTION: Options = { json: { type: "boolean", about: "Print JSON for programs." } };
