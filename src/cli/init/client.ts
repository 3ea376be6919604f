import { isAbsolute, join } from "node:path";
import type { Environment } from "../../config/environment.ts";

/**
 * Where a client is configured. `project`: in a file of the workspace, for everyone who works on it; `user`: in a file
 * of this user, for all projects.
 */
export type Scope = "project" | "user";

/** The command with which a client starts Pith's server. */
export interface ServerCommand {
  readonly command: string;
  readonly args: readonly string[];
}

export type EntryValue = string | boolean | number | readonly string[];
export type Entry = Readonly<Record<string, EntryValue>>;

/** The folders of this machine and user, from which the paths of clients' configuration files are derived. */
export interface Places extends Pick<Environment, "home" | "platform" | "variables"> {
  readonly workspace: string;
}

/** A setting in a JSON file that names a program through which the client runs its commands. */
export interface ShellPrefix {
  file(scope: Scope, places: Places): string;
  /** The keys that lead to the setting in the JSON file. */
  readonly path: readonly [string, string];
}

/** How a client calls Pith after its own tools. */
export interface ClientHooks {
  file(scope: Scope, places: Places): string;
  /** The word after `pith hook` that names the client; absent for Claude Code. */
  readonly dialect?: string;
  /** Pith's entry for each event, in lists below the key `hooks` of a JSON file. */
  readonly entries?: (command: string) => Readonly<Record<string, object>>;
  /** Fields that the JSON file must have beside `hooks`. */
  readonly base?: Readonly<Record<string, EntryValue>>;
  /** The text of a program, for a client whose hooks are programs: the whole file is Pith's. */
  readonly program?: (command: readonly string[]) => string;
  /** What the user must do before the client runs the hooks. */
  readonly next?: string;
}

/**
 * What Pith knows about one MCP client. It is plain data, so that adding a client takes one file and one line in the
 * registry.
 */
export interface Client {
  readonly id: string;
  readonly title: string;
  readonly format: "json" | "toml" | "yaml";
  /** True if the client has a configuration file of the user only, which is then edited in either scope. */
  readonly userOnly?: boolean;
  /**
   * Configuration files that the client reads, in order of preference: the first existing one is edited, or else the
   * first is created.
   */
  files(scope: Scope, places: Places): readonly [string, ...string[]];
  /** Files and folders that show that the client is in use. */
  signs(places: Places): readonly string[];
  /**
   * The keys in the client's configuration that lead to its list of servers; `current` is the parsed content of the
   * file.
   */
  container(current: unknown): readonly string[];
  /** The fields of Pith's entry in the list of servers; other fields that a user added are left alone. */
  entry(server: ServerCommand, places: Places): Entry;
  /** The hooks that `--with-hooks` sets up; absent if the client has none that Pith can use. */
  readonly hooks?: ClientHooks;
  /** The setting in which earlier versions of Pith registered a program to run the client's commands. */
  readonly shellPrefix?: ShellPrefix;
  /** What the user must do after the configuration was changed, if the client does not notice the change by itself. */
  readonly next?: string;
  /** What the user must do only after the file of a project was changed, such as to trust the project. */
  readonly nextInProject?: string;
}

/** Seconds that a client waits for a hook; Pith itself gives up earlier. */
export const HOOK_SECONDS = 10;

/** The beginning of a program that Pith wrote for a client, by which it is recognized. */
export const WRITTEN_BY_PITH = "// Written by pith init";

/** The name under which Pith is registered in every client; agents see it in front of the tool names. */
export const SERVER_NAME = "pith";

/** Returns the entry of a client that does not start its servers in the folder of the project. */
export function servingWorkspace({ command, args }: ServerCommand, { workspace }: Places): Entry {
  return { command, args: [...args, "--workspace", workspace] };
}

/** Returns the settings folder by the XDG convention, which some clients follow on macOS too. */
export function xdgConfig({ variables, home }: Places): string {
  const set = variables["XDG_CONFIG_HOME"];
  return set !== undefined && isAbsolute(set) ? set : join(home, ".config");
}

/** Returns the folder in which applications keep a user's settings on this platform. */
export function applicationData(places: Places): string {
  const { home, platform, variables } = places;
  if (platform === "win32") return variables["APPDATA"] ?? join(home, "AppData", "Roaming");
  if (platform === "darwin") return join(home, "Library", "Application Support");
  return xdgConfig(places);
}

/** Returns the value if it is an object, else an empty object. */
export function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? { ...value } : {};
}
